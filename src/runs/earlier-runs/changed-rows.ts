import {writeOperation} from '../../contract/index.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import type {Journal} from '../journal/journal.js'
import type {Plan} from '../plan/plan.js'
import {loadRun} from '../resume/load-run.js'
import type {EarlierRuns} from './earlier-runs.js'
import type {RecognisedRows} from './recognise-rows.js'
import {digestText, type RowKey} from './row-keys.js'
import type {AppliedRow} from './rows-of-run.js'
import {withJournal} from './run-summaries.js'

/** What nobody changes in an alert by mending its words. */
const lastingFields = ['machineId', 'code', 'raisedAt']

type Rows = {
  /** The rows of the plan that are meant to be sent, and those of them that were found. */
  given: readonly RowKey[]
  found: RecognisedRows['found']
  /** What earlier runs applied. */
  applied: readonly AppliedRow[]
}

/**
 * Rows of records that nothing names, each of which is like one that an earlier run applied and that is not among the
 * rows any more: the same alert with another message. A row that a mended one of that run could be is none of them, and
 * rows that have nothing in common with that run are other alerts.
 */
export function findChangedRows(
  {operation, rows}: Pick<Plan, 'operation' | 'rows'>,
  {given, found, applied}: Rows,
  earlier: Pick<EarlierRuns, 'folder' | 'times'>,
): RecognisedRows['conflicts'] {
  const {identity, body} = writeOperation(operation)
  if (identity.length > 0 || body !== 'create' || found.size === given.length) return []
  const again = new Set(found.values())
  const missing = applied.filter((row) => !again.has(row))
  const digests = new Set(given.map(({digest}) => digest))
  return [...Map.groupBy(missing, ({run}) => run)].flatMap(([run, lost]) => {
    const find = (journal: Journal) => {
      const own = new Set(journal.digests())
      if (!given.some(({digest}) => own.has(digest))) return []
      const others = given.filter(({place, digest}) => !found.has(place) && !own.has(digest))
      return others.length === 0 ? [] : pair(others, rows, lost, readRows(journal, digests))
    }
    return withJournal(earlier.folder, run, earlier.times, find) ?? []
  })
}

type Known = {
  /** The records of all rows of a run, by their places. */
  records: JsonRecord[]
  /** How many of a kind were not applied, and are not among the rows as they were. */
  mendable: Map<string, number>
}

function pair(fresh: readonly RowKey[], rows: Plan['rows'], applied: readonly AppliedRow[], known: Known) {
  const {records, mendable} = known
  const lost = Map.groupBy(applied, ({place}) => likenessOf(records[place] ?? {}))
  return fresh.flatMap(({place}) => {
    const {record = {}, given = record} = rows[place] ?? {}
    const likeness = likenessOf(given)
    const before = takeOne(mendable, likeness) ? undefined : lost.get(likeness)?.shift()
    return before ? [{place, applied: before}] : []
  })
}

function readRows(journal: Journal, given: ReadonlySet<string>): Known {
  const {plan, parts} = loadRun(journal)
  const records = plan.rows.map(({given, record}) => given ?? record)
  const applied = new Set(parts.flatMap(({part}) => (part.state === 'confirmed' ? part.places : [])))
  const mendable = new Map<string, number>()
  for (const {place, digest, skip} of journal.rows()) {
    if (applied.has(place) || skip !== null || given.has(digestText(digest))) continue
    const likeness = likenessOf(records[place] ?? {})
    mendable.set(likeness, (mendable.get(likeness) ?? 0) + 1)
  }

  return {records, mendable}
}

function likenessOf(record: JsonRecord): string {
  return printJson(lastingFields.map((name) => record[name] ?? null))
}

function takeOne(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0
  if (count > 0) counts.set(text, count - 1)
  return count > 0
}
