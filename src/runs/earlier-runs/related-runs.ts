import {writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import type {Journal, Times} from '../journal/journal.js'
import {withJournal} from '../journal/read-journal.js'
import {isLocked, lockRun, type RunFolder} from '../journal/run-folder.js'
import type {Batch} from '../rows/phases.js'
import {digestOfRows, indexKeys, isAmong, type KeyIndex, type RowKey, toRowKeys} from '../rows/row-keys.js'
import {
  type EarlierRun,
  hasTarget,
  isOpen,
  readRuns,
  refuseUnreadable,
  type Target,
  withoutUndone,
} from './read-runs.js'
import {sentMeanwhile, stillInDoubt} from './refusals.js'
import {readDoubt} from './rows-of-run.js'

/** A run that is locked until it is closed. */
export type HeldRun = {journal: Journal; close(): void}

/** The earlier runs of this user. */
export type EarlierRuns = {
  folder: RunFolder
  times: Times
  target: Omit<Target, 'keyFingerprint'>
  /** Fingerprint of the key that this write is sent with; undefined where it is not known. */
  fingerprint(): Promise<string | undefined>
  /** How long finished runs are kept. */
  keptMilliseconds: number
  /** When a start of the job that writes began which was killed before it reported, in milliseconds since 1970. */
  killedStart?: number | undefined
  /** Holds a run. Throws `locked` when another process works on it. */
  open(id: string): HeldRun
  /** Resolves the sets of a run that are in doubt, as far as that is possible. */
  reconcile(run: HeldRun): Promise<void>
}

/** A run that is not finished and shares its file or its rows with a plan. */
export type RelatedRun = {
  id: string
  /** It read the same file, or wrote it as its rejects: the plan takes over all of it. */
  takesAll: boolean
  /** It wrote the input of the plan as its rejects, which hold nothing that it applied. */
  wroteInput: boolean
  /** What it applied is not sent again. */
  sharesRows: boolean
  /** Every doubt of it matters: a changed row may be one in doubt, where records have no natural key. */
  settlesAll: boolean
  /** Rows of the plan are in doubt there. */
  doubt: boolean
  /** Runs that it took over, directly or through another one. */
  before: string[]
}

export type FoundRuns = {
  related: RelatedRun[]
  /** Keys of the rows of the plan; none where no run is related. */
  keys: readonly RowKey[]
  /** All runs with the target of the plan. */
  runs: readonly EarlierRun[]
  notices: string[]
  /** Ids of all runs that were there. */
  seen: ReadonlySet<string>
}

/** The earlier runs, and the path of the input of the plan when it is a file. */
export type Sending = {earlier: EarlierRuns; path?: string | undefined}

/** Finds the open runs that share their file or rows with a plan. Throws `storage` where one of them cannot be read. */
export async function findRelated(
  plan: Batch,
  {earlier, path, dryRun}: Sending & {dryRun: boolean},
): Promise<FoundRuns> {
  const {folder, times, target} = earlier
  const {runs: near, unreadable, seen} = readRuns(folder, times, {target})
  if (!dryRun) refuseUnreadable(unreadable, {takesFresh: true})
  const notices = unreadable.map(
    ({id}) => `the journal of run ${id} cannot be read, so a run would be refused: ${commandLine('runs show', [id])}`,
  )
  if (near.length === 0) return {related: [], keys: [], runs: [], notices, seen}
  const keyFingerprint = await earlier.fingerprint()
  const runs = withoutUndone(
    near.filter((run) => hasTarget(run, {...target, keyFingerprint})),
    earlier,
  )
  const wrote = path === undefined ? undefined : runs.findLast(({facts}) => facts.rejects === path)
  const open = runs.filter((run) => isOpen(run) || (run === wrote && run.facts.continuedBy === undefined))
  if (open.length === 0) return {related: [], keys: [], runs, notices, seen}
  const keys = toRowKeys(plan.operation, plan.rows)
  const index = indexKeys(keys)
  const content = writeOperation(plan.operation).difference ? digestOfRows(plan) : undefined
  const relating = {earlier, path, index, runs, wrote, content}
  return {related: open.flatMap((run) => relate(run, relating)), keys, runs, notices, seen}
}

type Relating = {
  earlier: EarlierRuns
  path: string | undefined
  index: KeyIndex
  runs: readonly EarlierRun[]
  wrote: EarlierRun | undefined
  /** Digest of rows that change their records by a number: another file at the same path is another change. */
  content: string | undefined
}

function relate(run: EarlierRun, {earlier, path, index, runs, wrote, content}: Relating): RelatedRun[] {
  const {id, path: itsPath} = run.facts
  const isSame = content === undefined ? path !== undefined && itsPath === path : run.facts.content === content
  const takesAll = run === wrote || isSame
  const found = withJournal(earlier.folder, id, earlier.times, (journal) => {
    const sharesRows = takesAll || sharesContent(journal, index)
    const settlesAll = takesAll || (sharesRows && index.naturalKeys.size === 0)
    return {sharesRows, settlesAll, doubt: hasSharedDoubt(readDoubt(journal), {settlesAll, index})}
  })
  if (!found || !(found.sharesRows || found.doubt)) return []
  return [{id, takesAll, wroteInput: run === wrote, ...found, before: runsBefore(id, runs)}]
}

function sharesContent(journal: Journal, {digests}: KeyIndex): boolean {
  for (const digest of journal.digests()) if (digests.has(digest)) return true
  return false
}

export function hasSharedDoubt(
  {inDoubt}: {inDoubt: readonly RowKey[]},
  {settlesAll, index}: {settlesAll: boolean; index: KeyIndex},
): boolean {
  return settlesAll ? inDoubt.length > 0 : inDoubt.some((key) => isAmong(key, index))
}

/** Every run that a run took over, and those that these took over. */
function runsBefore(id: string, runs: readonly EarlierRun[], seen = new Set([id])): string[] {
  const direct = runs.find(({facts}) => facts.id === id)?.facts.continues ?? []
  const fresh = direct.filter((before) => !seen.has(before))
  for (const before of fresh) seen.add(before)
  return fresh.flatMap((before) => [before, ...runsBefore(before, runs, seen)])
}

/**
 * Throws `locked` when another process began to send rows of a plan since the runs of `seen` were there, also when it has
 * ended by now. To be called under the lock under which runs begin.
 */
export function refuseAnother(plan: Batch, {earlier, path, seen}: Sending & {seen: ReadonlySet<string>}): void {
  const {folder, times, target} = earlier
  const {runs, unreadable} = readRuns(folder, times, {target, known: seen})
  refuseUnreadable(unreadable, {takesFresh: true})
  for (const {facts} of runs) {
    const {id} = facts
    const index = indexKeys(toRowKeys(plan.operation, plan.rows))
    const isSame = path !== undefined && facts.path === path
    if (!isSame && !withJournal(folder, id, times, (journal) => sharesContent(journal, index))) continue
    if (isLocked(folder, id)) lockRun(folder, id).release() // throws, and says who
    throw sentMeanwhile(id)
  }
}

type Runs = {folder: RunFolder; times: Times; target: Target; self?: string | undefined}

/**
 * Throws `inDoubt` where another run may have changed the same records by a number, also for plans that are not matched
 * with earlier runs: what such a run left would be taken for theirs.
 */
export function refuseOpenDoubt(plan: Batch, {folder, times, target, self = ''}: Runs): void {
  if (!writeOperation(plan.operation).difference) return
  const {runs} = readRuns(folder, times, {target, known: new Set([self])})
  const index = indexKeys(toRowKeys(plan.operation, plan.rows))
  const doubtful = runs
    .filter(isOpen)
    .find(({facts}) =>
      withJournal(folder, facts.id, times, (journal) => hasSharedDoubt(readDoubt(journal), {settlesAll: false, index})),
    )
  if (doubtful) throw stillInDoubt(doubtful.facts.id)
}
