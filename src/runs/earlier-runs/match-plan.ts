import {writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import type {RunFolder} from '../../core/run-id.js'
import type {Problem} from '../../validate/problem.js'
import {counted, thousands} from '../../values/counted.js'
import {type JsonRecord, parseJson} from '../../values/json.js'
import {placeIn} from '../../values/place.js'
import {invalidRows} from '../check/invalid-input.js'
import {type HeldRun, holdRun, loadRun} from '../journal/load-run.js'
import {withJournal} from '../journal/open-journal.js'
import type {RowList} from '../rows/cut-sets.js'
import {mapRows} from '../rows/packed-rows.js'
import {type Batch, type Checked, type Matched, unmatchedRows} from '../rows/phases.js'
import {findShared, indexKeys, keysOfSame, type RowKey, saidBy, writesAgain} from '../rows/row-content.js'
import {type Match, matchRows} from './match-rows.js'
import {
  type AppliedRow,
  isFinished,
  type RowsOfRun,
  readDoubt,
  readPlanned,
  readRefused,
  readRows,
  withoutSuperseded,
} from './read-runs.js'
import {
  changedRows,
  type EarlierRuns,
  type FoundRuns,
  findRelated,
  hasSharedDoubt,
  type InputContext,
  type RelatedRun,
  stillInDoubt,
} from './related-runs.js'
import {describeForecast, findOverlap, findRecentlyApplied, findRepeated} from './repeated.js'
import {withoutUndoneRows} from './undone.js'

export type MatchPlanOptions = InputContext & {
  /** SHA-256 of the input in hex. */
  inputDigest?: string | undefined
  /** Take no lock, ask the service nothing, change nothing. */
  dryRun: boolean
  /** Leave rows out that finished runs applied, too. */
  skipsApplied: boolean
}

/** A run that is locked until the plan has begun, without its loaded rows, which may be many. */
export type LockedRun = Pick<RelatedRun, 'id' | 'takesAll'> & Pick<HeldRun, 'journal' | 'close'>

export type MatchedPlan = {
  plan: Matched
  /** Earlier runs that share rows or their input with the plan; to be closed by their holder. */
  lockedRuns: LockedRun[]
  /** Keys of rows of the plan, where a locked run leaves it only some of its rows. */
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
  const plan: Matched = {...unmatchedRows(given), rows: leaveOut(given.rows, recent)}
  const notices = [
    ...found.notices,
    ...describeApplied(recent, {isJob: earlier.killedStart !== undefined}),
    ...(recent.size > 0 && !plan.merges ? [] : describeSame({related, runs}, plan, options)),
  ]
  if (related.length === 0) return {plan: withNotices(plan, notices), lockedRuns: [], keys: [], seen}
  const lockedRuns = dryRun ? [] : await holdSettled(related, earlier, keys)
  try {
    if (dryRun) notices.push(...related.filter(({doubt}) => doubt).map(describeDoubt))
    const [own, others] = skipsApplied ? [related, []] : splitByFile(plan, related)
    refuseEqualChanges(plan, keys, others, earlier)
    const findsReworded =
      writeOperation(plan.operation).probe.kind === 'likeness' && !own.some(({wroteInput}) => wroteInput)
    const rows = withoutSuperseded(readRelated(own, earlier, !findsReworded), given, {runs, ...earlier})
    const match = matchRows(plan, keys, rows, {recordsOf: createRecordReader(earlier.folder), findsReworded})
    if (match.changed.length > 0) throw changedRows(plan, match.changed)
    const applied = new Map([...recent, ...match.applied])
    notices.push(
      ...describeApplied(match.applied),
      ...describeLeft(own, keysOfSame(plan.operation, keys), applied, {plan, earlier}),
    )
    const kept = lockedRuns.filter(({id}) => own.some((run) => run.id === id))
    for (const run of lockedRuns) if (!kept.includes(run)) run.close()
    const left = kept.every(({takesAll}) => takesAll) ? [] : keys
    return {
      plan: withNotices(
        {...plan, rows: leaveOut(plan.rows, match.applied), last: findRefused(keys, own, earlier)},
        notices,
      ),
      lockedRuns: kept,
      keys: left,
      seen,
    }
  } catch (error) {
    for (const run of lockedRuns) run.close()
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
): Promise<LockedRun[]> {
  const opened: HeldRun[] = []
  try {
    for (const {id} of related) opened.push(holdRun(earlier.folder, id))
    for (const [place, run] of opened.entries()) await settleDoubt(run, related[place], earlier, keys)
    return opened.map(({journal, close}, place): LockedRun => {
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
  const {digests} = indexKeys(keys)
  const {operation} = loadRun(run.journal).plan
  const isGiven = readDoubt(run.journal).inDoubt.every(({digest}) => digests.has(digest))
  const isShown = writeOperation(operation).probe.kind !== 'resend' // else only a second sending shows what became of it
  await reconcile(run, isShown && !isGiven ? 'nothing' : 'noDeletions') // rows that were corrected or taken out stay unsent
  if (isInDoubt()) throw stillInDoubt(run.journal.facts().id)
}

/** Rows of the runs that share some with the plan, and of those that they took over; the oldest first. */
function readRelated(related: readonly RelatedRun[], {folder}: EarlierRuns, appliedOnly: boolean): RowsOfRun[] {
  const ids = new Set(related.filter(({sharesRows}) => sharesRows).flatMap(({id, before}) => [id, ...before]))
  const rows = [...ids]
    .sort()
    .flatMap((id) => withJournal(folder, id, (journal) => readRows(journal, {appliedOnly})) ?? [])
  return rows.map((one) => withoutUndoneRows(one, folder))
}

/** Reads the records of runs as their input gave them, by place; each journal is read once. */
export function createRecordReader(folder: RunFolder) {
  const known = new Map<string, readonly JsonRecord[]>()
  return (run: string): readonly JsonRecord[] => {
    const records =
      known.get(run) ?? withJournal(folder, run, (journal) => loadRun(journal).plan.rows.map(saidBy)) ?? []
    known.set(run, records)
    return records
  }
}

/** Places of rows that are as they were when the service refused them. */
function findRefused(keys: readonly RowKey[], related: readonly RelatedRun[], {folder}: EarlierRuns) {
  const refused = new Set(
    related.flatMap(({id}) => withJournal(folder, id, (journal) => [...readRefused(journal)]) ?? []),
  )
  return new Set(keys.flatMap(({place, digest}) => (refused.has(digest) ? [place] : [])))
}

function leaveOut(rows: RowList, applied: Match['applied']): RowList {
  if (applied.size === 0) return rows
  return mapRows(rows, (row, place) => {
    const before = applied.get(place)
    if (!before) return row
    const made = before.id === null ? {} : {madeId: parseJson(before.id)}
    return {...row, skip: 'appliedBefore' as const, by: before.run, ...made}
  })
}

function withNotices(plan: Matched, notices: readonly string[]): Matched {
  return notices.length === 0 ? plan : {...plan, notices: [...plan.notices, ...notices]}
}

const day = 86_400_000
const minute = 60_000

/** Rows that each earlier run applied, in words; with that, a job killed before it reported is done. */
function describeApplied(found: ReadonlyMap<number, AppliedRow>, {isJob = false} = {}): string[] {
  const counts = new Map<string, number>()
  for (const {run} of found.values()) counts.set(run, (counts.get(run) ?? 0) + 1)
  return [...counts].map(([run, count]) => {
    const [was, is] = count === 1 ? ['was', 'is'] : ['were', 'are']
    return `${isJob ? "the job's " : ''}${counted(count, 'row')} ${was} applied by run ${run} and ${is} not sent again (--fresh ignores earlier runs)`
  })
}

/** Rows that earlier runs did not send, and that are none of the plan that it sends, or that other runs applied. */
function describeLeft(
  runs: readonly RelatedRun[],
  all: readonly RowKey[],
  applied: ReadonlyMap<number, AppliedRow>,
  {plan, earlier: {folder}}: {plan: Batch; earlier: EarlierRuns},
): string[] {
  const {naturalKeys} = indexKeys(all)
  return runs.flatMap(({id, takesAll, sharesRows}) => {
    if (!sharesRows) return []
    const index = {...indexKeys(all.filter(({place}) => applied.get(place)?.run !== id)), naturalKeys}
    const planned = keysOfSame(plan.operation, withJournal(folder, id, readPlanned) ?? [])
    const count = planned.length - findShared(planned, index).length
    return count === 0 ? [] : [describeCount(count, id, takesAll)]
  })
}

function describeCount(count: number, id: string, takesAll: boolean): string {
  const [was, is, they, stay] = count === 1 ? ['was', 'is', 'it', 'stays'] : ['were', 'are', 'they', 'stay']
  const left = `${counted(count, 'row')} of run ${id} ${was} not sent and ${is} not among these rows`
  return takesAll
    ? `${left}: ${they} ${stay} unsent`
    : `${left}: ${they} can still be sent by ${commandLine('runs resume', [id])}`
}

function describeDoubt({id}: RelatedRun): string {
  return `rows of this write are in doubt in run ${id}: a run would look for them first`
}

/** The same file was applied within a day, and nothing of that is open: it is sent again. */
function describeSame(
  {related, runs}: Pick<FoundRuns, 'related' | 'runs'>,
  plan: Batch,
  {inputDigest, earlier, dryRun}: {inputDigest?: string | undefined; earlier: EarlierRuns; dryRun: boolean},
): string[] {
  const isNew = writeOperation(plan.operation).body === 'create' || writesAgain(plan)
  if (!isNew) return []
  if (related.some(({sharesRows}) => sharesRows)) return [] // notices about rows that are left out report it
  const now = systemClock.now()
  if (writesAgain(plan)) {
    if (!dryRun) return [] // the run is refused, or told about it, once it is certain that it would send
    const repeated = findRepeated(plan, runs, now - earlier.keptMilliseconds) ?? findOverlap(plan, runs, {earlier})
    return repeated ? [describeForecast(repeated)] : []
  }

  if (inputDigest === undefined) return []
  const same = runs.findLast(
    ({facts, outcome}) =>
      facts.inputDigest === inputDigest &&
      outcome !== undefined &&
      !outcome.untold &&
      (outcome.rows['applied'] ?? 0) > 0 &&
      now - outcome.endedAt < day,
  )
  if (!same?.outcome) return []
  const {facts, outcome} = same
  const [applied = 0, ago] = [outcome.rows['applied'], describeAgo(now - outcome.endedAt)]
  if (applied === facts.rows)
    return [`the same file was applied completely ${ago} by run ${facts.id}: its rows are sent again`]
  const rows = `${thousands(applied)} of ${thousands(facts.rows)} rows of the same file`
  return [
    `${rows} ${applied === 1 ? 'was' : 'were'} applied ${ago} by run ${facts.id}, which has ended: all are sent again`,
  ]
}

function describeAgo(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / minute))
  if (minutes < 1) return 'less than a minute ago'
  if (minutes < 60) return `${counted(minutes, 'minute')} ago`
  return `${counted(Math.round(minutes / 60), 'hour')} ago`
}

/**
 * Throws `invalid` for rows that change their record by the same number as rows of another file that an unfinished run
 * applied: they may be those given again, or meant once more, and only a person knows.
 */
function refuseEqualChanges(
  plan: Batch,
  keys: readonly RowKey[],
  others: readonly RelatedRun[],
  {folder}: Pick<EarlierRuns, 'folder'>,
): void {
  const applied = new Map<string, string>()
  for (const {id} of others) {
    const rows = withJournal(folder, id, (journal) =>
      isFinished(journal.outcome()) ? undefined : readRows(journal, {appliedOnly: true}).applied,
    )
    for (const {digest} of rows ?? []) applied.set(digest, id)
  }
  const again = keys.filter(({digest}) => applied.has(digest))
  if (again.length > 0) throw equalChanges(plan, again, applied)
}

function equalChanges(plan: Batch, again: readonly RowKey[], applied: ReadonlyMap<string, string>) {
  const errors = again.map(
    ({place, digest}): Problem => ({
      ...placeIn(plan, plan.rows.at(place)?.line ?? 0),
      code: 'APPLIED_BY_OTHER_FILE',
      severity: 'error',
      message: `the same change was applied by run ${applied.get(digest)}, which read another file`,
    }),
  )
  const failure = invalidRows(plan, errors, 'this write was not sent')
  const id = applied.get(again[0]?.digest ?? '') ?? ''
  failure.hints.unshift(
    `If these rows are those given again, finish that run (${commandLine('runs resume', [id])}), or send the other rows only: --skip-applied`,
    'To send them anyway: --fresh',
  )
  return failure
}
