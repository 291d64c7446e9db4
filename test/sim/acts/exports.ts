import {hash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {isDeepStrictEqual} from 'node:util'
import {pickInteger} from '../../../src/sandbox/seed/random.js'
import type {SandboxService} from '../service.js'
import {clearStore} from '../store.js'
import type {World} from '../world.js'
import {readTold} from './told.js'
import {between, faultsOf, setClockApart, type Wrong} from './writes.js'

export const hour = 3_600_000
const mostTries = 6
/** A day after the start of the first export, so that no time zone matters. */
const firstSurely = '2024-07-02'
/** By how much records may come late; a named export reads the last 26 hours again. */
const latestHours = 10

/** An export by name, night after night, while machines sell: every record is in one file, once. */
export async function playExports(world: World, wrong: Wrong): Promise<void> {
  setClockApart(world)
  await playNights(world, {first: 1, nights: world.choices.integer('nights', 2, 6), words: []}, wrong)
}

/** Settings of machines that share a budget, and marks with it. */
export const sharing = {
  VENDORCTL_BUDGET: 'postgres://sim@store.example/sim?sslmode=disable',
  PGPASSWORD: 'store-password',
}

/** The same by two machines, which share the folder of the files and the mark; one of them, or both at the same time. */
export async function playShared(world: World, wrong: Wrong): Promise<void> {
  await clearStore()
  world.shared = sharing
  world.join('depot')
  setClockApart(world)
  await playNights(world, {first: 1, nights: world.choices.integer('nights', 2, 5), words: []}, wrong)
}

type Nights = {first: number; nights: number; words: string[]}

export async function playNights(world: World, {first, nights, words}: Nights, wrong: Wrong): Promise<void> {
  const {choices, sandbox, rules} = world
  const pageSize = choices.integer('page size', 2, 5)
  const share = choices.chance('calm', 0.2) ? 0 : choices.of('trouble')() * 0.4
  const seen = new Map<string, string>()
  let more: string[] = []
  for (let night = first; night <= nights; night++) {
    if (night < nights) addSales(world, sandbox, night) // the last minutes before a run are left to the next one
    for (let attempt = 0; attempt < mostTries; attempt++) {
      const isCalm = night === nights && attempt > 1
      rules.trouble = isCalm ? 0 : share
      if (night === nights) world.machine.skew = 0 // a clock that is behind asks for no later records
      const step = night * 10 + attempt
      const part = `night-${night}.ndjson.part`
      if (!isCalm && choices.chance(`moving ${step}`, 0.25) && world.meet(`moving ${step}`, 'pages move'))
        movePages(world, sandbox, step)
      const isThere = !isCalm && choices.chance(`leftover ${step}`, 0.15)
      if (isThere && world.meet(`leftover ${step}`, 'file of another program')) world.write(part, leftover)
      world.enter(`night ${step}`)
      const faults = isCalm ? {} : faultsOf(world, `night ${step}`)
      const asked = [...nightOf(night, pageSize), ...words, ...more]
      const [on = world.machine, other] = choices.chance(`machine ${step}`, 0.5)
        ? world.machines
        : world.machines.toReversed()
      const isTwice =
        other && !isCalm && choices.chance(`twice ${step}`, 0.3) && world.meet(`twice ${step}`, 'two at once')
      const second = isTwice && world.start(asked, {}, {on: other})
      const {exitCode, stderr} = await world.run(asked, faults, {on})
      if (second) await world.end(second)
      more = exitCode === 12 && stderr.includes('Start over with --fresh') ? ['--fresh'] : []
      const isHarmed = Object.keys(world.faults).some((kind) => /^(power|disk|file|boot)/.test(kind))
      if (more.length > 0 && !isHarmed) wrong(`night ${night}: nothing harmed the file, and ${stderr.slice(0, 300)}`)
      judgeFiles(world, seen, wrong)
      const isBare = world.has(`night-${night}.ndjson`) && !world.has(`night-${night}.ndjson.manifest.json`)
      if (isBare) await judgeMark(world, night, wrong)
      if (exitCode === 2 && stderr.includes('already exists')) break // a life that was killed had finished it
      if (exitCode === 1 || (isCalm && attempt === mostTries - 1 && exitCode !== 0)) {
        wrong(`night ${night}: exit ${exitCode}: ${stderr.slice(0, 600)}`)
      }
      if (exitCode === 0 || (night < nights && choices.chance(`gives up ${step}`, 0.3))) break
      await between(world, step, isCalm)
    }
    await world.pass(24 * hour)
  }
  judgeUnion(sandbox, seen, wrong)
}

/** What another program, killed in the middle, left under the name that an export writes to first. */
const leftover = '{"id":"of another program"}\n'.repeat(1_000)

const nightOf = (night: number, size: number) => [
  ...['reports', 'transactions', '--since-last', 'nightly', '--start', '2024-07-01', '--page-size', String(size)],
  ...['--output-file', `night-${night}.ndjson`],
]

export function addSales({choices, machine}: World, {core, add}: SandboxService, night: number): void {
  const random = choices.of(`sales ${night}`)
  const all = core.store.read('batch')
  const now = core.clock.now()
  for (let index = 0; index < pickInteger(random, 0, 12); index++) {
    const sold = now - random() * (random() < 0.5 ? 1 : latestHours) * hour
    const recordedAtUtc = new Date(sold).toISOString().slice(0, -1)
    const batch = all[pickInteger(random, 0, all.length - 1)] ?? {}
    add('batch', {...batch, id: `B${9_000_000 + night * 100 + index}`, recordedAtUtc})
  }
  machine.scheduler.now += 1
}

/** Below it are ids of records that come and go, which may be in files or not. */
const firstId = 1_000

/** A record that is there when a run begins is gone a moment later, so that those behind it are on other pages. */
function movePages({choices, scheduler}: World, {core, add}: SandboxService, step: number): void {
  const random = choices.of(`moving at ${step}`)
  const all = core.store.read('batch')
  add('batch', {...all[pickInteger(random, 0, all.length - 1)], id: `B${step}`})
  scheduler.after(random() * 1_000, () => core.store.remove('batch', step))
}

/** A file is absent or complete: once it has its name, no byte of it changes; a power cut may take it until it is told of. */
export function judgeFiles({machine, faults}: World, seen: Map<string, string>, wrong: Wrong): void {
  for (const name of readdirSync(machine.path('.')).filter((one) => one.endsWith('.ndjson'))) {
    const text = readFileSync(machine.path(name), 'utf8')
    const before = seen.get(name)
    if (before !== undefined && before !== text) wrong(`${name} changed after it had its name`)
    if (text !== '' && !text.endsWith('}\n')) wrong(`${name} is not complete`)
    seen.set(name, text)
    const manifest = machine.path(`${name}.manifest.json`)
    if (!existsSync(manifest)) continue
    const told = readFileSync(manifest, 'utf8')
    if (!isOf(told, text)) wrong(`${name}: the manifest is of no such file`)
    else judgeWindows({name, text, isMoving: 'pages move' in faults}, told, wrong)
  }
  for (const name of seen.keys()) {
    if (existsSync(machine.path(name))) continue
    const isAside = existsSync(machine.path(`${name}.superseded`)) // its records are in another file
    const isTold = existsSync(machine.path(`${name}.manifest.json`))
    if (!isAside && (isTold || !faults['power cut'])) wrong(`${name} is gone`)
    seen.delete(name)
  }
}

type Read = {name: string; text: string; isMoving: boolean}

/** Rows of windows add up, and are in the order of the service, which lists them by id, whatever answer came first. */
function judgeWindows({name, text, isMoving}: Read, manifest: string, wrong: Wrong): void {
  const {rows, windows} = JSON.parse(manifest) as {rows: number; windows: {rows: number}[]}
  const ids = [...text.matchAll(/^\{"id":"B(\d+)"/gm)].map(([, id]) => Number(id))
  const sum = windows.reduce((all, window) => all + window.rows, 0)
  if (rows !== ids.length || sum !== rows)
    wrong(`${name} has ${ids.length} rows, its manifest ${rows}, and ${sum} in windows`)
  const isSorted = (own: number[]) => own.every((id, at) => at === 0 || (own[at - 1] ?? 0) < id)
  const isInOrder = windows.every((window) => isSorted(ids.splice(0, window.rows)))
  if (!isMoving && !isInOrder) wrong(`${name}: its records are not in the order of the service`)
}

/** Whether a manifest is complete, and of this text. */
const isOf = (manifest: string, text: string) => manifest.endsWith('}\n') && manifest.includes(hash('sha256', text))

const toRecord = (json: unknown) => JSON.parse(String(json)) as {id: string}

export function judgeUnion({core}: SandboxService, seen: Map<string, string>, wrong: Wrong): void {
  const found = new Map<string, number>()
  const records = core.store.database.all('SELECT json FROM batch WHERE deleted = 0').map(({json}) => toRecord(json))
  const truth = new Map(records.map((record) => [record.id, record]))
  for (const line of [...seen.values()].flatMap((text) => text.split('\n').filter(Boolean))) {
    const record = toRecord(line)
    if (Number(record.id.slice(1)) < firstId) continue
    found.set(record.id, (found.get(record.id) ?? 0) + 1)
    if (!isDeepStrictEqual(record, truth.get(record.id))) wrong(`${record.id} is not as it is there`)
  }
  const asked = core.store.read('batch').filter(({recordedAtUtc}) => String(recordedAtUtc) >= firstSurely)
  const all = asked.map(({id}) => String(id))
  for (const id of all) if (!found.has(id)) wrong(`${id} is in no file`)
  for (const [id, count] of found) if (count > 1) wrong(`${id} is in the files ${count} times`)
}

/** A file that has no manifest yet is not what a mark was moved for. */
async function judgeMark(world: World, night: number, wrong: Wrong): Promise<void> {
  const told = readTold(await world.run(['exports', 'show', 'nightly', '--json']))
  for (const {file} of (told?.data ?? []) as {file: string | null}[]) {
    if (file?.endsWith(`night-${night}.ndjson`)) wrong(`the mark was moved for night ${night} before its manifest`)
  }
}
