import {hash} from 'node:crypto'
import {readdirSync, readFileSync} from 'node:fs'
import {isDeepStrictEqual} from 'node:util'
import {pickInteger} from '../../../src/sandbox/seed/random.js'
import {clearStore} from '../store.js'
import type {World} from '../world.js'
import {readTold} from './told.js'
import {between, faultsOf, setClockApart} from './writes.js'

export const hour = 3_600_000
const mostTries = 6
const appended = 'all.ndjson'
/** A day after the start of the first export, so that no time zone matters. */
const firstSurely = '2024-07-02'
/** Below it are ids of records that come and go, which may be in files or not. */
const firstId = 1_000
/** By how much records may come late; a named export reads the last 26 hours again. */
const latestHours = 10
const reading = ['reports', 'transactions', '--since-last', 'nightly', '--start', '2024-07-01']
/** The end that some ask for, which no night has reached. */
const ahead = ['--end', '2024-08-20']
/** Which reads less again. */
const utc = ['--time-basis', 'utc', '--late', '12h']
/** What another program, killed in the middle, left under the name that an export writes to first. */
const leftover = '{"id":"of another program"}\n'.repeat(1_000)
type Sale = {id: string; recordedAtUtc: string; lineItems: {totalPrice: number; vendWasSuccessful: boolean}[]}
const toRecord = (json: unknown) => JSON.parse(String(json)) as Sale

/** An export by name, night after night, while machines sell: every record is in one file, once. */
export async function playExports(world: World): Promise<void> {
  setClockApart(world)
  await playNights(world, world.choices.integer('nights', 2, world.machines.length > 1 ? 5 : 6))
}

/** From now on two machines share a budget, and marks with it. */
export async function shareStore(world: World): Promise<void> {
  await clearStore()
  const address = 'postgres://sim@store.example/sim?sslmode=disable'
  Object.assign(world.shared, {VENDORCTL_BUDGET: address, PGPASSWORD: 'store-password'})
  world.join('depot')
}

/** The same by two machines, which share the folder of the files and the mark; one of them, or both at the same time. */
export async function playShared(world: World): Promise<void> {
  await shareStore(world)
  await playExports(world)
}

export function limitReads({choices, sandbox: {limits}}: World): void {
  if (choices.chance('short ranges', 0.3)) limits.maximumDays = choices.integer('days', 1, 9)
  if (choices.chance('small pages', 0.3)) limits.maximumSize = choices.integer('records', 1, 4)
}

export async function playNights(world: World, nights: number, first = 1, words: string[] = []): Promise<void> {
  const {choices, machines, wrong} = world
  limitReads(world)
  const pageSize = choices.integer('page size', 2, 5)
  const areProven = world.sandbox.limits.maximumSize === undefined // smaller pages than asked for are of grade C
  const share = choices.chance('calm', 0.2) ? 0 : choices.of('trouble')() * 0.4
  const isAppending = words.length === 0 && choices.chance('appending', 0.2)
  const last = choices.chance('ahead', 0.2) ? ahead : []
  const basis = words.length === 0 && choices.chance('utc', 0.15) ? utc : []
  const given = [...last, ...basis, ...(isAppending ? ['--append'] : words)]
  const seen = new Map<string, string>()
  let [more, end, isDone]: [string[], string[], boolean] = [[], given, true]
  for (let night = first; night <= nights; night++) {
    // another end finishes no file that a night before left
    if (isDone) end = given.length === 0 && choices.chance(`ends now ${night}`, 0.15) ? ['--end', 'now'] : given
    const ask = (into: string) => [...reading, '--page-size', `${pageSize}`, ...end, '--output-file', into, ...more]
    const file = isAppending ? appended : `night-${night}.ndjson`
    if (night < nights) addSales(world, night) // the last minutes before a run are left to the next one
    for (let attempt = 0; attempt < mostTries; attempt++) {
      const isCalm = night === nights && attempt > 1
      if (night === nights) world.machine.skew = 0 // a clock that is behind asks for no later records
      const step = night * 10 + attempt
      world.enter(`night ${step}`, isCalm ? 0 : share)
      if (!isCalm && areProven && world.mayMeet(`moving ${step}`, 'pages move', 0.25)) movePages(world, step)
      const isThere = !isCalm && world.mayMeet(`leftover ${step}`, 'file of another program', 0.15)
      if (isThere) world.write(`${file}.part`, leftover)
      const faults = isCalm ? {} : faultsOf(world, `night ${step}`)
      const [on, other = on] = choices.chance(`machine ${step}`, 0.5) ? machines : machines.toReversed()
      const isTwice = !isCalm && world.mayMeet(`twice ${step}`, 'two at once', 0.3)
      const beside = !isAppending && choices.chance(`beside ${step}`, 0.5) ? `night-${night}-${step}.ndjson` : file
      const second = isTwice && world.start(ask(beside), {}, {on: other})
      const {exitCode, stderr} = await world.run(ask(file), faults, {on})
      if (second) await world.end(second)
      isDone = exitCode === 0
      more = exitCode === 12 && stderr.includes('Start over with --fresh') ? ['--fresh'] : []
      const isHarmed = Object.keys(world.faults).some((kind) => /^(disk|file)/.test(kind))
      if (more.length > 0 && !isHarmed) wrong(`night ${night}: nothing harmed the file, and ${stderr.slice(0, 300)}`)
      judgeFiles(world, seen)
      if (world.has(file) && !world.has(`${file}.manifest.json`)) await judgeMark(world, file)
      if (exitCode === 2 && stderr.includes('already exists')) break // a life that was killed had finished it
      if (exitCode === 0 || (night < nights && choices.chance(`gives up ${step}`, 0.3))) break
      if (isCalm && attempt === mostTries - 1) wrong(`${file}: exit ${exitCode}: ${stderr.slice(0, 600)}`)
      await between(world, step, isCalm)
    }
    await world.pass(24 * hour)
  }
  if (end !== given || Object.keys(world.faults).some((kind) => kind.startsWith('clock'))) {
    world.enter('rest', 0) // what an early end or a clock that was ahead asked for was finished, and the next run reads the rest
    await world.run([...reading, ...given, '--output-file', isAppending ? appended : 'rest.ndjson', ...more])
    judgeFiles(world, seen)
  }
  judgeUnion(world, seen)
  for (const [name, text] of [...seen].filter(([, one]) => one !== '').slice(-1)) await judgeReports(world, name, text)
}

/** What is told of a file: that it is as it was written, until a record is gone, there or here, and how many are in it. */
async function judgeReports(world: World, name: string, text: string): Promise<void> {
  if (!world.has(`${name}.manifest.json`)) return
  const verified = await world.run(['reports', 'verify', name])
  const told = readTold(await world.run(['reports', 'summary', name, '--json']))
  const lines = text.split('\n').slice(0, -1)
  world.rules.trouble = 0
  world.sandbox.core.store.remove('batch', Number(toRecord(lines[0]).id.slice(1)))
  const compared = readTold(await world.run(['reports', 'changes', name, '--json']))
  const isCut = world.choices.chance('record gone', 0.5)
  world.write(name, isCut ? [...lines.slice(1), ''].join('\n') : text.replace(/\d/, (digit) => `${9 - Number(digit)}`))
  const changed = await world.run(['reports', 'verify', name])
  const {total} = (told?.data ?? {}) as {total?: Record<string, number>}
  const items = lines.flatMap((line) => toRecord(line).lineItems)
  const sum = items.reduce((all, one) => all + (one.vendWasSuccessful ? one.totalPrice : 0), 0)
  const {removed, changed: others} = (compared?.data ?? {}) as {removed?: number; changed?: number}
  const gone = world.faults['pages move'] ? [1, 0] : [removed, others]
  const sums = [total?.['batches'], total?.['lines'], total?.['totalPrice']]
  const found = [verified.exitCode, changed.exitCode, ...gone, ...sums]
  const right = [0, 10, 1, 0, lines.length, items.length, Number(sum.toFixed(2))]
  if (found.join() !== right.join()) world.wrong(`${name}: verified, changed, gone, sums: ${found}, not ${right}`)
}

export function addSales({choices, machine, sandbox: {core, add, nth}}: World, night: number): void {
  const random = choices.of(`sales ${night}`)
  const [count, now] = [core.store.count('batch'), core.clock.now()]
  for (let index = 0; index < pickInteger(random, 0, 12); index++) {
    const [share, kind] = [random(), random()]
    const more = kind > 0.9 && machine.scheduler.now > 24 * hour ? 24 : 0 // before the run of the last night
    const sold = now - (share * (kind < 0.5 ? 1 : latestHours) + more) * hour
    const recordedAtUtc = new Date(sold).toISOString().slice(0, -1)
    const batch = nth('batch', pickInteger(random, 0, count - 1))
    add('batch', {...batch, id: `B${9_000_000 + night * 100 + index}`, recordedAtUtc})
  }
  if (night === 1 && choices.chance('edge', 0.25)) {
    const day = Date.UTC(2024, 6, choices.integer('edge day', 2, 29)) // where a window may end and the next begin
    for (const [place, after] of [0, 500].entries()) {
      const batch = nth('batch', choices.integer(`edge ${place}`, 0, count - 1))
      const [{occurredAtUtc = '', occurredAtLocalTime = ''} = {}] = batch['lineItems'] as Record<string, string>[]
      const ahead = Date.parse(occurredAtLocalTime) - Date.parse(occurredAtUtc)
      const recordedAtUtc = new Date(day + after - ahead).toISOString().slice(0, -1)
      add('batch', {...batch, id: `B${9_000_050 + place}`, recordedAtUtc})
    }
  }
  machine.scheduler.now += 1
}

/** A record goes, or comes, a moment after a run began, so that those behind it are on other pages. */
function movePages({choices, scheduler, sandbox: {core, add, nth}}: World, step: number): void {
  const random = choices.of(`moving at ${step}`)
  const sale = nth('batch', pickInteger(random, 0, core.store.count('batch') - 1))
  const [come, go] = [() => add('batch', {...sale, id: `B${step}`}), () => core.store.remove('batch', step)]
  const isGoing = random() < 0.5
  if (isGoing) come()
  scheduler.after(random() * 1_000, isGoing ? go : come)
}

/** A file is absent or complete: once it has its name, no byte of it changes; a power cut may take it until it is told of. */
export function judgeFiles(world: World, seen: Map<string, string>, delivered: readonly string[] = []): void {
  const {machine, faults, wrong} = world
  for (const name of readdirSync(machine.path('.')).filter((one) => one.endsWith('.ndjson'))) {
    const text = readFileSync(machine.path(name), 'utf8')
    const before = seen.get(name)
    const isGrowing = name === appended && text.startsWith(before ?? '')
    if (before !== undefined && before !== text && !isGrowing) wrong(`${name} changed after it had its name`)
    if (text !== '' && !text.endsWith('}\n')) wrong(`${name} is not complete`)
    seen.set(name, text)
    if (!world.has(`${name}.manifest.json`)) continue
    const told = readFileSync(machine.path(`${name}.manifest.json`), 'utf8')
    const bytes = name === appended ? Number(/"bytes": (\d+)/.exec(told)?.[1]) : undefined // or those of a night before
    const part = Buffer.from(text).subarray(0, bytes).toString()
    const isOf = told.endsWith('}\n') && told.includes(hash('sha256', part))
    if (isOf) judgeWindows(world, name, part, told)
    else wrong(`${name}: the manifest is of no such file`)
  }
  const isKept = (name: string) => world.has(name) || delivered.includes(name) // else it may be removed
  const told = readdirSync(machine.path('.')).flatMap((name) => /^(.+)\.manifest\.json$/.exec(name)?.[1] ?? [])
  for (const name of [...new Set([...seen.keys(), ...told])].filter((one) => !isKept(one))) {
    const isAside = world.has(`${name}.superseded`) // its records are in another file
    if (!isAside && (told.includes(name) || !faults['power cut'])) wrong(`${name} is gone`)
    seen.delete(name)
  }
}

/** Rows of windows add up, and are in the order of the service, which lists them by id, whatever answer came first. */
function judgeWindows({faults, wrong}: World, name: string, text: string, manifest: string): void {
  const {rows, windows} = JSON.parse(manifest) as {rows: number; windows: {rows: number}[]}
  const ids = [...text.matchAll(/^\{"id":"B(\d+)"/gm)].map(([, id]) => Number(id))
  const sum = windows.reduce((all, window) => all + window.rows, 0)
  if (rows !== ids.length || sum !== rows)
    wrong(`${name} has ${ids.length} rows, its manifest ${rows}, and ${sum} in windows`)
  const isSorted = (own: number[]) => own.every((id, at) => at === 0 || (own[at - 1] ?? 0) < id)
  const isInOrder = windows.every((window) => isSorted(ids.splice(0, window.rows)))
  if (!('pages move' in faults) && !isInOrder) wrong(`${name}: its records are not in the order of the service`)
}

export function judgeUnion({sandbox: {core}, wrong}: World, seen: Map<string, string>): void {
  const all = core.store.database.all('SELECT json FROM batch WHERE deleted = 0').map(({json}) => toRecord(json))
  const truth = new Map(all.map((record) => [record.id, record]))
  const lines = [...seen.values()].flatMap((text) => text.split('\n').filter(Boolean))
  const found = Map.groupBy(lines.map(toRecord), ({id}) => id)
  const isMoving = (id: string) => Number(id.slice(1)) < firstId
  for (const [id, [record, ...others]] of found) {
    if (isMoving(id)) continue
    if (!isDeepStrictEqual(record, truth.get(id))) wrong(`${id} is not as it is there`)
    if (others.length > 0) wrong(`${id} is in the files ${others.length + 1} times`)
  }
  for (const {id, recordedAtUtc} of all)
    if (recordedAtUtc >= firstSurely && !found.has(id) && !isMoving(id)) wrong(`${id} is in no file`)
}

async function judgeMark(world: World, name: string): Promise<void> {
  const told = readTold(await world.run(['exports', 'show', 'nightly', '--json']))
  const marks = (told?.data ?? []) as {file: string | null}[]
  if (marks.some(({file}) => file?.endsWith(name))) world.wrong(`the mark was moved for ${name} before its manifest`)
}
