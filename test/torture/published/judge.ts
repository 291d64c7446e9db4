import type {Ran} from '../../support/run-binary.js'
import type {Tally} from './go-on.js'
import type {Round} from './rounds.js'
import type {Service} from './service.js'

type Fate = {line: number; fate: string; code?: string}
type Told = {
  data?: {rows?: Fate[]} | {_line: number; _fate: string}[] | null
  meta?: {rows?: Record<string, number>}
}
type Judged = {service: Service; round: Round; last: Ran; name: string}

/** How old a count may be that is sent beside other fields: documented as about a second, on a busy machine. */
const freshMilliseconds = 2_500

/** Row by row: what was told of it, and how often the ledger holds it. */
export function judge({service, round, last, name}: Judged, tally: Tally): void {
  const wrong = (text: string) => tally.wrong.push(`${name}: ${text}`)
  tally.exits[String(last.exitCode)] = (tally.exits[String(last.exitCode)] ?? 0) + 1
  const told = JSON.parse(last.stdout) as Told
  const rows = fatesOf(told)
  const isStuck = rows.some(({fate}) => fate === 'inDoubt') // what follows is not sent
  for (const [index, line] of round.lines.entries()) {
    const row = round.header.length > 0 ? rows.find((one) => one.line === index + 2) : rows[index]
    const fate = row?.fate ?? 'untold'
    const commits = service.ledger.filter(({key, operation}) => key === line.key && operation === round.operation)
    const where = `line ${index + 2} (${line.cells.join(' ') || line.key}): told ${fate}, in the ledger ${commits.length} times`
    tally.rows[fate] = (tally.rows[fate] ?? 0) + 1
    if (fate === 'inDoubt') tally.doubts[round.operation] = (tally.doubts[round.operation] ?? 0) + 1
    if (row?.code === 'UNCHANGED' && commits.length === 1) continue // by a run that was killed, as the next one saw
    if (commits.length > 1 && !round.isRepeatable) wrong(`${where}: applied twice`)
    else if (fate === 'applied' && commits.length === 0) wrong(`${where}: lost`)
    else if (fate !== 'applied' && fate !== 'inDoubt' && commits.length > 0) wrong(`${where}: applied without a word`)
    else if (fate === 'untold' || (fate === 'unsent' && !isStuck)) wrong(where)
    for (const {sent} of commits) if (!line.isRight(sent)) wrong(`${where}: sent ${JSON.stringify(sent)}`)
  }
  if (isStuck && !mayDoubt(service, round, rows)) wrong('rows are in doubt that can be settled')
  judgeCounts(service, round, wrong, tally)
  judgeSum(told, round, wrong)
  for (const text of round.check?.() ?? []) wrong(text)
  const keys = new Set(round.lines.map(({key}) => key))
  for (const {operation, key} of service.ledger)
    if (operation !== round.operation || !keys.has(key)) wrong(`${operation} ${key} is in no file`)
}

/** As the command tells them, or `runs results` afterwards. */
function fatesOf({data}: Told): Fate[] {
  return Array.isArray(data) ? data.map(({_line, _fate}) => ({line: _line, fate: _fate})) : (data?.rows ?? [])
}

/** Of a file that was refused before anything was sent. */
export function judgeNothing({ledger}: Service, name: string, tally: Tally): void {
  tally.exits['3'] = (tally.exits['3'] ?? 0) + 1
  if (ledger.length > 0) tally.wrong.push(`${name}: exit 3, but ${ledger.length} rows are in the ledger`)
}

/** By the contract: counts of the file that machines sold from, and stock that another person adjusted meanwhile. */
function mayDoubt({stock}: Service, {doubt, lines}: Round, rows: readonly Fate[]): boolean {
  const by = doubt === 'sold' ? 'sale' : doubt === 'adjusted' ? 'person' : undefined
  const keys = rows.flatMap(({line, fate}) => (fate === 'inDoubt' ? [lines[line - 2]?.key] : []))
  return stock.moves.some((move) => move.by === by && keys.includes(String(move.selection)))
}

/** Counts beside other fields are as they were read a moment before. */
function judgeCounts({ledger}: Service, {operation, header}: Round, wrong: (text: string) => void, tally: Tally): void {
  if (operation !== 'selections.update' || header.includes('count')) return
  for (const {key, sent, ageOfCount} of ledger) {
    tally.oldestCount = Math.max(tally.oldestCount, Math.round(ageOfCount ?? 0))
    if (ageOfCount === undefined) wrong(`${key}: the count ${JSON.stringify(sent['count'])} was never there`)
    else if (ageOfCount > freshMilliseconds) wrong(`${key}: the count was ${Math.round(ageOfCount)} ms old`)
  }
}

/** The fates add up to the rows of the file. */
function judgeSum({meta}: Told, {lines}: Round, wrong: (text: string) => void): void {
  const sum = Object.values(meta?.rows ?? {}).reduce((all, one) => all + one, 0)
  if (sum !== lines.length) wrong(`the fates add up to ${sum} of ${lines.length}: ${JSON.stringify(meta?.rows)}`)
}
