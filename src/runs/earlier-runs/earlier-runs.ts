import {commandLine} from '../../core/command-line.js'
import type {Journal, Times} from '../journal/journal.js'
import type {RunFolder} from '../journal/run-folder.js'
import type {Plan} from '../plan/plan.js'
import type {LoadedRun} from '../resume/load-run.js'
import {indexKeys, type KeyIndex, type RowKey, toRowKeys} from './row-keys.js'
import {type RowsOfRun, readRows} from './rows-of-run.js'
import {
  hasTarget,
  isOpen,
  type RunSummary,
  readSummaries,
  refuseUnreadable,
  type Target,
  withJournal,
} from './run-summaries.js'

/** A run that is held, so that nobody else works on it. */
export type HeldRun = {journal: Journal; loaded: LoadedRun; close(): void}

/** The earlier runs of this user. */
export type EarlierRuns = {
  folder: RunFolder
  times: Times
  target: Omit<Target, 'keyFingerprint'>
  /** Fingerprint of the key that this write is sent with; undefined where it is not known. */
  fingerprint(): Promise<string | undefined>
  /** How long runs that are over are kept. */
  keptMilliseconds: number
  /** Holds a run. Throws `locked` when another process works on it. */
  open(id: string): HeldRun
  /** Finds out what became of the sets of a run that are in doubt, as far as that is possible. */
  reconcile(run: HeldRun): Promise<void>
}

/** An earlier run that is not complete and has to do with a plan. */
export type Earlier = {
  id: string
  /** It read the same file, or wrote it as its rejects: the plan takes all of it over. */
  isWhole: boolean
  /** Every doubt of it matters: a changed row may be one in doubt, where nothing names the records of rows. */
  settlesAll: boolean
  /** It wrote the input of the plan as its rejects, which hold nothing that it applied. */
  wroteInput: boolean
  /** What it applied is not sent again. */
  isSource: boolean
  /** Rows in doubt of it are rows of the plan. */
  doubt: boolean
  /** Runs that it took over itself, and those that these did. */
  before: string[]
}

/** A run that is held until the plan has begun; what was loaded of it is given up, because it may be large. */
export type Holding = Pick<Earlier, 'id' | 'isWhole'> & {run: Pick<HeldRun, 'journal' | 'close'>}

export type FoundEarlier = {
  runs: Earlier[]
  summaries: readonly RunSummary[]
  notices: string[]
  seen: ReadonlySet<string>
}

/** Finds the open runs with the target of a plan that share its file or its rows. Throws `storage` where one may be unreadable. */
export async function findEarlier(
  plan: Plan,
  {earlier, path, dryRun}: {earlier: EarlierRuns; path?: string | undefined; dryRun: boolean},
): Promise<FoundEarlier> {
  const {folder, times, target} = earlier
  const {runs: near, unreadable, seen} = readSummaries(folder, times, {target})
  if (!dryRun) refuseUnreadable(unreadable, {takesFresh: true})
  const notices = unreadable.map(
    ({id}) =>
      `the journal of run ${id} cannot be read: a run would be refused for that (${commandLine('runs show', [id])})`,
  )
  if (near.length === 0) return {runs: [], summaries: [], notices, seen}
  const keyFingerprint = await earlier.fingerprint()
  const summaries = near.filter((run) => hasTarget(run, {...target, keyFingerprint}))
  const wrote = path === undefined ? undefined : summaries.findLast(({facts}) => facts.rejects === path)
  const open = summaries.filter((run) => isOpen(run) || (run === wrote && run.facts.continuedBy === undefined))
  if (open.length === 0) return {runs: [], summaries, notices, seen}
  const index = indexKeys(toRowKeys(plan.operation, plan.rows))
  const found = open.flatMap((run) => relate(run, {earlier, path, index, summaries, wrote}))
  return {runs: found, summaries, notices, seen}
}

type Relating = {
  earlier: EarlierRuns
  path: string | undefined
  index: KeyIndex
  summaries: readonly RunSummary[]
  /** The run that wrote the input as its rejects. */
  wrote: RunSummary | undefined
}

function relate(run: RunSummary, {earlier, path, index, summaries, wrote}: Relating): Earlier[] {
  const {facts} = run
  const {id} = facts
  const isWhole = run === wrote || (path !== undefined && facts.path === path)
  const found = withJournal(earlier.folder, id, earlier.times, (journal) => {
    const isSource = isWhole || sharesContent(journal, index)
    const settlesAll = isWhole || (isSource && index.naturalKeys.size === 0)
    return {isSource, settlesAll, doubt: hasSharedDoubt(readDoubt(journal), {settlesAll, index})}
  })
  if (!found || !(found.isSource || found.doubt)) return []
  return [{id, isWhole, wroteInput: run === wrote, ...found, before: runsBefore(id, summaries)}]
}

export function sharesContent(journal: Journal, {digests}: KeyIndex): boolean {
  for (const digest of journal.digests()) if (digests.has(digest)) return true
  return false
}

/** The rows of a run without a doubt need not be read to know that. */
function readDoubt(journal: Journal): Pick<RowsOfRun, 'inDoubt'> {
  const hasDoubt = journal.partStates().some(({state}) => state === 'sent' || state === 'inDoubt')
  return hasDoubt ? readRows(journal) : {inDoubt: []}
}

export function hasSharedDoubt(
  {inDoubt}: Pick<RowsOfRun, 'inDoubt'>,
  {settlesAll, index}: {settlesAll: boolean; index: KeyIndex},
): boolean {
  return settlesAll ? inDoubt.length > 0 : inDoubt.some((key) => isAmong(key, index))
}

export function isAmong({digest, naturalKey}: RowKey, {digests, naturalKeys}: KeyIndex): boolean {
  return digests.has(digest) || (naturalKey !== null && naturalKeys.has(naturalKey))
}

/** Every run that a run took over, and those that these took over. */
function runsBefore(id: string, summaries: readonly RunSummary[], seen = new Set([id])): string[] {
  const direct = summaries.find(({facts}) => facts.id === id)?.facts.continues ?? []
  const fresh = direct.filter((before) => !seen.has(before))
  for (const before of fresh) seen.add(before)
  return fresh.flatMap((before) => [before, ...runsBefore(before, summaries, seen)])
}
