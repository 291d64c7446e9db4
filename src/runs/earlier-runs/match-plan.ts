import {writeOperation} from '../../contract/index.js'
import type {JsonRecord} from '../../values/json.js'
import {withJournal} from '../journal/read-journal.js'
import type {RowList} from '../plan/cut-sets.js'
import {mapRows} from '../plan/packed-rows.js'
import {saidBy} from '../plan/row-content.js'
import {loadRun} from '../resume/load-run.js'
import type {Batch, Checked, Matched} from '../rows/phases.js'
import {type Match, matchRows} from './match-rows.js'
import {describeApplied, describeDoubt, describeLeft, describeSame} from './notices.js'
import {refuseEqualChanges} from './other-files.js'
import {findRecentlyApplied} from './recent-rows.js'
import {changedRows, stillInDoubt} from './refusals.js'
import {
  type EarlierRuns,
  type FoundRuns,
  findRelated,
  type HeldRun,
  hasSharedDoubt,
  type RelatedRun,
  type Sending,
} from './related-runs.js'
import {indexKeys, type RowKey} from './row-keys.js'
import {type RowsOfRun, readDoubt, readRefused, readRows} from './rows-of-run.js'

export type MatchPlanOptions = Sending & {
  /** SHA-256 of the input in hex. */
  inputDigest?: string | undefined
  /** Take no lock, ask the service nothing, change nothing. */
  dryRun: boolean
  /** Leave rows out that finished runs applied, too. */
  skipsApplied?: boolean
}

/** A run that is locked until the plan has begun, without its loaded rows, which may be many. */
export type Holding = Pick<RelatedRun, 'id' | 'takesAll'> & Pick<HeldRun, 'journal' | 'close'>

export type MatchedPlan = {
  plan: Matched
  /** Earlier runs that share rows or their input with the plan; to be closed by their holder. */
  held: Holding[]
  /** Of the rows of the plan, where a run that is held leaves it only some of its rows. */
  keys: readonly RowKey[]
} & Pick<FoundRuns, 'seen'>

/**
 * Matches rows with earlier runs that are not finished. Rows that were applied there carry `skip`. Sets in doubt of such runs are reconciled first. Throws `inDoubt` while one stays in doubt,
 * `invalid` for rows whose record was written with other content, `locked` for a run that another process works on.
 */
export async function matchPlan(given: Checked, options: MatchPlanOptions): Promise<MatchedPlan> {
  const {earlier, dryRun, skipsApplied = false} = options
  const {related, keys, runs, seen, ...found} = await findRelated(given, options)
  const recent = findRecentlyApplied(given, runs, {earlier, skipsApplied})
  const plan: Matched = {...given, phase: 'matched', rows: leaveOut(given.rows, recent)}
  const notices = [
    ...found.notices,
    ...describeApplied(recent, {isJob: earlier.killedStart !== undefined}),
    ...(recent.size > 0 && !plan.merges ? [] : describeSame({related, runs}, plan, options)),
  ]
  if (related.length === 0) return {plan: withNotices(plan, notices), held: [], keys: [], seen}
  const held = dryRun ? [] : await holdSettled(related, earlier, keys)
  try {
    if (dryRun) notices.push(...related.filter(({doubt}) => doubt).map(describeDoubt))
    const [own, others] = skipsApplied ? [related, []] : splitByFile(plan, related)
    if (others.length > 0) refuseEqualChanges(plan, keys, others, earlier)
    const findsReworded = isLikeness(plan) && !own.some(({wroteInput}) => wroteInput)
    const rows = readRelated(own, earlier, !findsReworded)
    const match = matchRows(plan, keys, rows, {recordsOf: createRecordReader(earlier), findsReworded})
    if (match.changed.length > 0) throw changedRows(plan, match.changed)
    notices.push(...describeApplied(match.applied), ...describeLeft(own, keys, match.fresh, earlier))
    const kept = held.filter(({id}) => own.some((run) => run.id === id))
    for (const run of held) if (!kept.includes(run)) run.close()
    const left = kept.every(({takesAll}) => takesAll) ? [] : keys
    return {
      plan: withNotices(
        {...plan, rows: leaveOut(plan.rows, match.applied), last: findRefused(keys, own, earlier)},
        notices,
      ),
      held: kept,
      keys: left,
      seen,
    }
  } catch (error) {
    for (const run of held) run.close()
    throw error
  }
}

/** Runs whose rows a plan continues, and, where a row is a change by a number, those whose rows are other changes. */
function splitByFile({operation}: Batch, related: readonly RelatedRun[]): [RelatedRun[], RelatedRun[]] {
  const isOwn = ({takesAll}: RelatedRun) => takesAll || writeOperation(operation).difference === null
  return [related.filter(isOwn), related.filter((run) => !isOwn(run))]
}

/** Locks the related runs and resolves rows of the plan that are in doubt there. */
async function holdSettled(
  related: readonly RelatedRun[],
  earlier: EarlierRuns,
  keys: readonly RowKey[],
): Promise<Holding[]> {
  const opened: HeldRun[] = []
  try {
    for (const {id} of related) opened.push(earlier.open(id))
    for (const [place, run] of opened.entries()) await settleDoubt(run, related[place], earlier, keys)
    return opened.map(({journal, close}, place): Holding => {
      const {id = '', takesAll = false} = related[place] ?? {}
      return {id, takesAll, journal, close}
    })
  } catch (error) {
    for (const run of opened) run.close()
    throw error
  }
}

/** Resolves the doubt of a run whose rows are about to be sent again. Throws `inDoubt` while a row stays in doubt. */
async function settleDoubt(
  run: HeldRun,
  {settlesAll = false}: Partial<RelatedRun> = {},
  {reconcile}: EarlierRuns,
  keys: readonly RowKey[],
): Promise<void> {
  const isInDoubt = () => {
    const found = readDoubt(run.journal)
    return found.inDoubt.length > 0 && hasSharedDoubt(found, {settlesAll, index: indexKeys(keys)})
  }
  if (!isInDoubt()) return
  await reconcile(run)
  if (isInDoubt()) throw stillInDoubt(run.journal.facts().id)
}

/** Rows of the runs that share some with the plan, and of those that they took over; the oldest first. */
function readRelated(related: readonly RelatedRun[], {folder, times}: EarlierRuns, appliedOnly: boolean): RowsOfRun[] {
  const ids = new Set(related.filter(({sharesRows}) => sharesRows).flatMap(({id, before}) => [id, ...before]))
  return [...ids]
    .sort()
    .flatMap((id) => withJournal(folder, id, times, (journal) => readRows(journal, {appliedOnly})) ?? [])
}

/** Reads the records of runs as their input gave them, by place; each journal is read once. */
export function createRecordReader({folder, times}: Pick<EarlierRuns, 'folder' | 'times'>) {
  const known = new Map<string, readonly JsonRecord[]>()
  return (run: string): readonly JsonRecord[] => {
    const records =
      known.get(run) ?? withJournal(folder, run, times, (journal) => loadRun(journal).plan.rows.map(saidBy)) ?? []
    known.set(run, records)
    return records
  }
}

/** Places of rows that are as they were when the service refused them. */
function findRefused(keys: readonly RowKey[], related: readonly RelatedRun[], {folder, times}: EarlierRuns) {
  const refused = new Set(
    related.flatMap(({id}) => withJournal(folder, id, times, (journal) => [...readRefused(journal)]) ?? []),
  )
  return new Set(keys.flatMap(({place, digest}) => (refused.has(digest) ? [place] : [])))
}

/** Whether records of a write without a natural key are found by their likeness. */
function isLikeness({operation}: Batch): boolean {
  return writeOperation(operation).probe.kind === 'likeness'
}

function leaveOut(rows: RowList, applied: Match['applied']): RowList {
  if (applied.size === 0) return rows
  return mapRows(rows, (row, place) => {
    const before = applied.get(place)
    if (!before) return row
    const made = before.id === null ? {} : {madeId: JSON.parse(before.id)}
    return {...row, skip: 'appliedBefore' as const, by: before.run, ...made}
  })
}

function withNotices(plan: Matched, notices: readonly string[]): Matched {
  return notices.length === 0 ? plan : {...plan, notices: [...plan.notices, ...notices]}
}
