import type {World} from '../world.js'
import {judgeDisk} from './judges.js'
import {type Line, makersOfFiles, type Round, writeInput} from './rounds.js'
import {fatesOf, readTold, type Told} from './told.js'
import {between, faultsOf, runsOf} from './writes.js'

const steps = 6
/** A file of some rows, the command that sends it, and the field that it sets, where records are changed. */
type Given = {lines: Round['lines']; words: string[]; place: number; field: string | undefined}

/** Two files with rows in common, given, killed and resumed in any order, until both are through. */
export async function playFiles(world: World): Promise<void> {
  const {choices, wrong} = world
  const round = choices.one('round', makersOfFiles)(world.sandbox, choices, choices.integer('rows', 4, 16))
  const files = await makeFiles(world, round)
  const run = async (words: string[], step?: number) => {
    const faults = step === undefined ? {} : faultsOf(world, `step ${step}`)
    const ending = await world.run([...words, '--yes', '--json'], faults)
    judgeDisk(world)
    return readTold(ending)
  }
  for (let step = 0; step < steps; step++) {
    world.enter(`step ${step}`, choices.of(`trouble ${step}`)() * 0.3)
    const runs = runsOf(world)
    const place = step === 0 ? 0 : choices.integer(`what ${step}`, 0, runs.length === 0 ? 1 : 3)
    const given = files[0].field === files[1].field || !choices.chance(`both ${step}`, 0.4) ? [files[place]] : files
    const all = given.map((file) => run(file?.words ?? resume(choices.one(`run ${step}`, runs as [string])), step))
    for (const [at, told] of (await Promise.all(all)).entries()) if (given[at]) judgeHeld(world, given[at], told)
    await between(world, step)
  }
  world.enter('end', 0)
  await world.pass(200_000)
  for (const id of runsOf(world)) await run(resume(id))
  const refused = new Set<string | undefined>() // which need not be the rows that are at fault
  for (const file of files) {
    const told = await run(file.words)
    for (const {line, fate} of fatesOf(told)) if (fate === 'refused') refused.add(file.lines[line - 2]?.key)
    judgeHeld(world, file, told)
    const isUnseen = told?.errors[0]?.exit === 7 // whose copy is there
    if (isUnseen || 'too large' in world.faults) return
    const isOpen = fatesOf(told).some(({fate}) => fate === 'inDoubt' || fate === 'unsent')
    if (isOpen || fatesOf(told).length === 0)
      wrong(`${file.words.join(' ')} never ended: ${JSON.stringify(told?.errors).slice(0, 600)}`)
  }
  judgeAll(world, files, refused)
}

const resume = (id: string) => ['runs', 'resume', id, '--resend-after-settle']

async function makeFiles(world: World, round: Round): Promise<[Given, Given]> {
  const {choices} = world
  const isRefused = ({key, cells}: Line) => !/sim/.test(`${key} ${cells.at(-1) || 'sim'}`)
  const all = round.lines.filter((line) => !isRefused(line) && !/\p{Cc}/u.test(line.cells.join(''))) // which is no XML
  const place = round.header.indexOf('shippingAddress')
  const other = place < 0 ? 'none' : choices.one('other', ['none', 'value', 'field'])
  const toOther = (line: Line) => ({...line, cells: line.cells.with(place, `other ${line.key}`)})
  const first = all.filter((_, index) => index === 0 || !choices.chance(`second only ${index}`, 0.2))
  const also = all.filter((line) => !first.includes(line) || choices.chance(`both ${line.key}`, 0.5))
  const second = other === 'value' ? also.map(toOther) : also
  if (choices.chance('reversed', 0.5)) second.reverse()
  const onError = choices.one('on error', ['quarantine', 'bisect'])
  const sending = ['--set-size', String(choices.integer('set size', 1, 6)), '--on-error', onError]
  const give = async (lines: Round['lines'], name: string, field: string): Promise<Given> => {
    const header = place < 0 ? round.header : round.header.with(place, field)
    const path = await writeInput(world, {header, lines}, name)
    return {lines, words: [...round.words, '--file', path, ...sending], place, field: place < 0 ? undefined : field}
  }
  const field = other === 'field' ? 'billingAddress' : 'shippingAddress'
  return [await give(first, 'rows', 'shippingAddress'), await give(second.length > 0 ? second : first, 'more', field)]
}

function judgeHeld(world: World, {lines, words, place, field}: Given, told: Told | undefined): void {
  for (const {line, fate} of told?.ok ? fatesOf(told) : []) {
    const {key, cells} = lines[line - 2] ?? {key: '', cells: []}
    const commits = world.service.commits.filter((one) => one.key === key)
    const isLate = commits.some((commit) => commit.isLate)
    const isOrderLost = field !== undefined && 'clock jump' in world.faults // which of two files came last
    if (fate !== 'applied' || isLate || isOrderLost) continue
    const isThere = field === undefined ? commits.length > 0 : fieldOf(world, key, field) === cells[place]
    if (!isThere) world.wrong(`${words.join(' ')}: line ${line} (${key}) is told applied, and is not there`)
  }
}

/** No row of either file is lost, and none is made twice. */
function judgeAll(world: World, files: readonly Given[], refused: ReadonlySet<string | undefined>): void {
  const rows = files.flatMap(({lines, place, field}) => lines.map((line) => ({...line, field, to: line.cells[place]})))
  const isLate = (key: string) => world.service.commits.some((one) => one.key === key && one.isLate)
  for (const [name, same] of Map.groupBy(rows, ({key, field}) => `${key} ${field}`)) {
    const {key = '', field} = same[0] ?? {}
    const {length} = world.service.commits.filter((one) => one.key === key)
    if ((length === 0 && !refused.has(key)) || (field === undefined && length > 1))
      world.wrong(`${key} is in the log ${length} times`)
    if (field === undefined || refused.has(key) || isLate(key)) continue
    const held = String(fieldOf(world, key, field))
    if (!same.some(({to}) => to === held)) world.wrong(`${name} holds ${held}`)
  }
}

const fieldOf = ({sandbox}: World, key: string, field: string) => sandbox.core.store.find('site', Number(key))?.[field]
