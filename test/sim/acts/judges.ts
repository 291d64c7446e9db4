import {readdirSync, readFileSync, statSync} from 'node:fs'
import {parse} from 'csv-parse/sync'
import type {Ending} from '../life.js'
import type {World} from '../world.js'
import type {Line, Round} from './rounds.js'
import {codesOf, type Fate, fatesOf, readTold, type Told} from './told.js'

const notApplied = new Set(['refused', 'rolledBack', 'unsent'])
/** Codes of rows that are the business of another run, or that a killed one applied. */
const elsewhere = new Set(['CONTINUED', 'UNCHANGED'])

/** No secret lies outside of its file, and what others read is complete, whoever was killed when. */
export function judgeDisk({network, holdsSecret, machine: {disk, path: toReal}, wrong}: World): void {
  for (const path of readdirSync(disk.root, {recursive: true, encoding: 'utf8'})) {
    if (path.endsWith('reserve') || !statSync(toReal(path)).isFile()) continue
    const text = readFileSync(toReal(path), 'latin1')
    if (holdsSecret(text, path.includes('/tokens/') ? [] : network.tokens.sent)) wrong(`${path} holds a secret`)
    if (path.startsWith('state')) continue
    if (/\.(csv|ndjson)$/.test(path) && text !== '' && !text.endsWith('\n')) wrong(`${path} is not complete`)
    try {
      if (path.endsWith('.json')) JSON.parse(text)
    } catch {
      wrong(`${path} is no JSON`)
    }
  }
}

/** Exit code, envelope and the line for people say the same of a write. */
export function judgeAgreement({wrong}: World, {exitCode, stderr}: Ending, told: Told | undefined) {
  if (exitCode === undefined) return
  if (!told) return wrong(`exit ${exitCode} without an envelope: ${stderr.slice(0, 600)}`)
  if (told.ok !== (exitCode === 0)) wrong(`exit ${exitCode}, and told ok: ${told.ok}`)
  const isOfRows = fatesOf(told).length > 0 || told.command === 'runs reconcile'
  const [error] = told.errors
  if (!told.ok && !isOfRows && error?.exit !== exitCode) wrong(`exit ${exitCode}, and told ${error?.exit}`)
  const {rows} = told.meta
  if (!rows) return
  const {applied = 0, refused = 0, rolledBack = 0, inDoubt = 0, unsent = 0} = rows
  const shown = /applied ([\d,]+) · refused ([\d,]+) · rolledBack ([\d,]+) · inDoubt ([\d,]+) · unsent ([\d,]+)/g
  const [, ...last] = [...stderr.matchAll(shown)].at(-1) ?? []
  const counts = [applied, refused, rolledBack, inDoubt, unsent]
  const where = `exit ${exitCode} of ${told.command}: ${JSON.stringify(rows)}`
  if (last.length > 0 && last.join() !== counts.join()) wrong(`${where}, and for people ${last.join(' ')}`)
  const left = refused + rolledBack + inDoubt + unsent
  const isLeftToOthers = fatesOf(told).every(({fate, code}) => fate !== 'unsent' || code === 'CONTINUED')
  if (exitCode === 0 && left > 0 && !isLeftToOthers) wrong(where)
  if ((exitCode === 7) !== inDoubt > 0) wrong(where)
  if (left === 0 && ![0, 10, 12].includes(exitCode)) wrong(where)
  const isSome = applied > 0 || told.command === 'runs reconcile' // which need not send what it finds unsent
  if (exitCode === 6 && (!isSome || left === 0)) wrong(where)
  if (exitCode === 5 && refused === 0) wrong(where)
  const isOwn = fatesOf(told).some(({fate, code}) => fate === 'applied' && !code) // and not of an earlier run
  if ([4, 5].includes(exitCode) && isOwn) wrong(where)
}

/** The rejects beside an input are the rows to send again, all of them; results are all rows. */
export function judgeCopies(world: World, {exitCode, stderr}: Ending, told?: Told, hasResults = false): void {
  const {machine, faults, has, wrong} = world
  const fates = fatesOf(told)
  const isHarmed = 'disk full' in faults || 'disk fails' in faults || exitCode === undefined
  if (isHarmed || !has('rows.csv') || fates.length === 0) return
  const read = (path: string) => parse(readFileSync(machine.path(path)), {columns: true}) as Record<string, string>[]
  const results = hasResults ? read('results.csv').map((row) => row['_fate']) : []
  if (hasResults && results.join() !== fates.map(({fate}) => fate).join()) wrong(`results.csv has ${results}`)
  const isPartly = fates.some(({fate}) => fate === 'applied' || fate === 'inDoubt')
  const path = /rows\.rejects(-\d+)?\.csv(?=: \d+ rows?\b)/.exec(stderr)?.[0]
  const rows = path ? read(path) : []
  const left = fates.filter(({fate, code}) => notApplied.has(fate) && !(fate === 'unsent' && code === 'CONTINUED'))
  if (!isPartly && !fates.some(({fate}) => fate === 'refused')) return
  const [found, expected] = [rows.map((row) => row['_line']).join(), left.map(({line}) => line).join()]
  if (found !== expected) wrong(`${path} has the lines ${found}, and told was ${expected}`)
}

/** Requests that the service saw, as far as they can be counted: neither a disk lost some of them, nor a clock the day. */
export function countSeen({service, faults}: World): number {
  if (Object.keys(faults).some((kind) => /^(power|disk|clock|boot|ledger)/.test(kind))) return 0
  return [...service.seen.values()].reduce((sum, count) => sum + count, 0)
}

/** Requests are counted before they are sent: never fewer than the service saw. */
export async function judgeCount(world: World): Promise<void> {
  const seen = world.scheduler.now > 5 * 3_600_000 ? 0 : countSeen(world) // or the day of its quota has ended
  if (seen === 0) return
  let used = 0
  for (const on of world.machines.slice(0, world.shared['VENDORCTL_BUDGET'] ? 1 : 2)) {
    const told = readTold(await world.run(['quota', '--json'], {}, {on}))
    used += (told?.data as {used?: number} | undefined)?.used ?? 0
  }
  if (used < seen) world.wrong(`counted ${used} requests, and the service saw ${seen}`)
}

function look({service}: World, round: Round, {key, operation = round.operation}: Line, line: number, told: string) {
  const commits = service.commits.filter((one) => one.operation === operation && one.key === key)
  return {commits, where: `line ${line} (${key}): told ${told}, in the log ${commits.length} times`}
}

/** Whether a process worked for the run that is judged, and fates that were told of its rows before. */
type Known = {isOwn: (life: number) => boolean; acknowledged: Map<string, string>}

/** What a life told, against the log of the service at that moment. */
export function judgeTold(world: World, round: Round, told: Told | undefined, {isOwn, acknowledged}: Known): void {
  const {wrong} = world
  const isKept = !codesOf(told).includes('JOURNAL_LOST') // what no disk took is in doubt again later
  for (const [index, {line, fate, code}] of fatesOf(told).entries()) {
    const row = round.lines[round.header.length > 0 ? line - 2 : index]
    if (!row) {
      wrong(`line ${line} is told of and is not in the file`)
      continue
    }
    const {commits, where} = look(world, round, row, line, [fate, code].filter(Boolean).join(' '))
    if (fate === 'applied' && commits.length === 0) wrong(`${where}: lost`)
    const before = acknowledged.get(row.key)
    const isOurs = !elsewhere.has(code ?? '')
    if (before !== undefined && before !== fate && isOurs) wrong(`${where}: before ${before}`)
    if (isKept && (fate === 'applied' || fate === 'refused')) acknowledged.set(row.key, fate)
    if (isOurs && notApplied.has(fate) && commits.some(({by}) => isOwn(by))) wrong(`${where}: applied without a word`)
  }
}

/** The last report: one fate a row, fates that add up, each row applied exactly as often as it says. */
export function judgeEnd(world: World, round: Round, told: Told | undefined): void {
  const {wrong, faults} = world
  const fates = fatesOf(told)
  const sum = Object.values(told?.meta.rows ?? {}).reduce((all, one) => all + one, 0)
  if (sum !== round.lines.length) wrong(`the fates add up to ${sum} of ${round.lines.length}`)
  // Two runs at the same time may both set a record to the same values, each of them once.
  const isTwice = ['sites.update', 'selections.update'].includes(round.operation) && 'two at once' in faults
  const doubted: string[] = []
  for (const [index, row] of round.lines.entries()) {
    const own = round.header.length > 0 ? fates.filter(({line}) => line === index + 2) : fates.slice(index, index + 1)
    const list = own.map(({fate}) => fate).join(', ') || 'nothing'
    const {commits, where} = look(world, round, row, index + 2, list)
    const [{fate, code} = {fate: 'none'}] = own
    if (fate === 'inDoubt') doubted.push(row.key)
    if (own.length !== 1) wrong(where)
    const isByOthers = isTwice && new Set(commits.map(({by}) => by)).size === commits.length
    if (commits.length > 1 && !round.isRepeatable && !isByOthers) wrong(`${where}: applied twice`)
    if (fate === 'applied' && commits.length === 0) wrong(`${where}: lost`)
    const isBlocked = fates.some((one) => ['inDoubt', 'refused'].includes(one.fate))
    if (fate === 'unsent' && code !== 'UNCHANGED' && !isBlocked) wrong(where)
    for (const {sent} of commits)
      if (row.isRight?.(sent as never) === false) wrong(`${where}: sent ${JSON.stringify(sent)}`)
  }
  const isTimeLost =
    (round.operation === 'machines.provision' && ('power cut' in faults || 'boot' in faults)) ||
    (round.operation === 'selections.adjust' && 'slow' in faults) // the clock of the service was read long before
  const isSaid = !faults['names no row'] // else a refusal does not tell which of the records are there
  if (doubted.length > 0 && isSaid && !isTimeLost && !round.mayDoubt?.(doubted))
    wrong(`rows are in doubt that can be settled: ${doubted.join(' ')}`)
  const keys = new Set(round.lines.map(({key, operation = round.operation}) => `${operation} ${key}`))
  for (const {operation, key} of world.service.commits)
    if (!keys.has(`${operation} ${key}`)) wrong(`${operation} ${key} is in no file`)
  for (const text of round.check?.() ?? []) wrong(text)
}

/** The list of runs counts the fates of each. */
export async function judgeList(world: World, id: string, fates: readonly Fate[]): Promise<void> {
  const listed = readTold(await world.run(['runs', 'list', '--json']))?.data as Record<string, unknown>[] | undefined
  const own = listed?.find((run) => run['id'] === id) ?? {}
  for (const [fate, {length}] of [...Map.groupBy(fates, (one) => one.fate)])
    if (own[fate] !== length) world.wrong(`run ${id} is listed with ${own[fate]} ${fate} rows of ${length}`)
}

/** Nothing is sent behind rows that are in doubt, or behind a canary that is refused; all at once, or nothing, is atomic. */
export function judgeOrder({wrong}: World, told: Told | undefined, words: readonly string[]): void {
  const [hasCanary, isAtomic] = ['--canary', '--atomic'].map((flag) => words.includes(flag))
  const fates = fatesOf(told)
  const stop = fates.find(({fate}, at) => fate === 'inDoubt' || (hasCanary && at === 0 && fate === 'refused'))
  const sent = fates.slice(fates.indexOf(stop as Fate)).filter(({fate, code}) => fate === 'applied' && !code)
  const {sets} = (told?.data ?? {}) as {sets?: {sent: number}}
  if (isAtomic && (sets?.sent ?? 0) > 1) wrong(`an atomic set was sent in ${sets?.sent} parts`)
  if (stop && sent.length > 0) wrong(`line ${stop.line}: ${stop.fate}, and ${sent.length} rows were sent`)
}
