import {writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {RunFolder} from '../../core/run-id.js'
import {type Problem, quoteValue} from '../../validate/problem.js'
import {counted} from '../../values/counted.js'
import {placeIn} from '../../values/place.js'
import {idText, isDeletion} from '../../values/record-key.js'
import {invalidRows} from '../check/invalid-input.js'
import type {Journal} from '../journal/journal.js'
import {type HeldRun, loadRun} from '../journal/load-run.js'
import {withJournal} from '../journal/open-journal.js'
import type {PlannedRow} from '../rows/cut-sets.js'
import type {FieldChange} from '../rows/merge-fields.js'
import {mapRows} from '../rows/packed-rows.js'
import type {Batch, Uncut} from '../rows/phases.js'
import {
  digestOfRows,
  idOf,
  indexKeys,
  isAmong,
  type KeyIndex,
  naturalKeyOf,
  type RowKey,
  toRowKeys,
} from '../rows/row-content.js'
import type {ChangedRow} from './match-rows.js'
import {
  type EarlierRun,
  hasTarget,
  isOpen,
  readDoubt,
  readRows,
  readRuns,
  refuseUnreadable,
  type Target,
} from './read-runs.js'
import {withoutUndone} from './undone.js'

/** The earlier runs of this user. */
export type EarlierRuns = {
  folder: RunFolder
  target: Omit<Target, 'keyFingerprint'>
  /** Fingerprint of the key that this write is sent with; undefined where it is not known. */
  fingerprint(): Promise<string | undefined>
  /** Age up to which finished runs are kept. */
  keptMilliseconds: number
  /** When a start of the job that writes began which was killed before it reported, in milliseconds since 1970. */
  killedStart?: number | undefined
  /** Resolves the sets of a run that are in doubt, as far as that is possible. True when rows were sent again and applied. */
  reconcile(run: HeldRun, sends: 'noDeletions' | 'nothing'): Promise<boolean>
}

/** A run that is not finished and shares its file or its rows with a plan. */
export type RelatedRun = {
  id: string
  /** It read the same file, or wrote it as its rejects: the plan takes over all of it. */
  takesAll: boolean
  /** It wrote the input of the plan as its rejects, which contain nothing that it applied. */
  wroteInput: boolean
  /** Rows that it applied are not sent again. */
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
export type InputContext = {earlier: EarlierRuns; path?: string | undefined}

/** Finds the open runs that share their file or rows with a plan. Throws `storage` where one of them cannot be read. */
export async function findRelated(
  plan: Batch,
  {earlier, path, dryRun}: InputContext & {dryRun: boolean},
): Promise<FoundRuns> {
  const {folder, target} = earlier
  const {runs: near, unreadable, seen} = readRuns(folder, {target})
  if (!dryRun) refuseUnreadable(unreadable, {takesFresh: true})
  const notices = unreadable.map(
    ({id}) => `the journal of run ${id} cannot be read, so a run would be refused: ${commandLine('runs show', [id])}`,
  )
  if (near.length === 0) return {related: [], keys: [], runs: [], notices, seen}
  const keyFingerprint = await earlier.fingerprint()
  const ofKey = near.filter((run) => hasTarget(run, {...target, keyFingerprint}))
  const runs = withoutUndone(ofKey, folder)
  const wrote = path === undefined ? undefined : runs.findLast(({facts}) => facts.rejects === path)
  const open = runs.filter((run) => isOpen(run) || (run === wrote && run.facts.continuedBy === undefined))
  // A run that was killed before it left a mark in the one that it continues, and was resumed, is finished.
  const ids = new Set(open.map(({facts}) => facts.id))
  open.push(...runs.filter((run) => !open.includes(run) && run.facts.continues?.some((id) => ids.has(id))))
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
  const found = withJournal(earlier.folder, id, (journal) => {
    const sharesRows = takesAll || sharesContent(journal, index)
    const settlesAll = takesAll || (sharesRows && index.naturalKeys.size === 0)
    return {sharesRows, settlesAll, doubt: hasSharedDoubt(readDoubt(journal), {settlesAll, index})}
  })
  if (!found || !(found.sharesRows || found.doubt)) return []
  return [{id, takesAll, wroteInput: run === wrote, ...found, before: runsBefore(id, runs)}]
}

export function sharesContent(journal: Journal, {digests}: KeyIndex): boolean {
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

const fieldsShown = 3

/** Rows whose record an earlier run wrote with other content: each of them is an entry. */
export function changedRows(plan: Batch, changed: readonly ChangedRow[]): CliFailure {
  const {operation, rows, columns} = plan
  const errors = changed.map(({place, applied, changes = []}): Problem => {
    const [first] = changes
    const column = first && columns.get(first.field)
    return {
      ...{...placeIn(plan, rows.at(place)?.line ?? 0), code: 'APPLIED_DIFFERENTLY', severity: 'error'},
      ...(column !== undefined && {column}),
      ...(first && {columnName: first.field}),
      message: `applied with other content by run ${applied.run}${describeChanges(changes)}`,
    }
  })
  const failure = invalidRows(plan, errors, 'this write was not sent') // an earlier one may have been, to settle it
  failure.hints.unshift(
    'Take these rows out, or make them as they were applied; to change records that were created, update them.',
    ...(writeOperation(operation).identity.length > 0 ? [] : ['Put rows that are new into a file of their own.']),
    'To ignore earlier runs: --fresh',
  )
  return failure
}

function describeChanges(changes: readonly FieldChange[]): string {
  if (changes.length === 0) return ''
  const shown = changes.slice(0, fieldsShown).map(({field, from, to}, index) => {
    return `${index === 0 ? '' : `${field} `}${quoteValue(from)} there, ${quoteValue(to)} here`
  })
  const left = changes.length - fieldsShown
  const more = left > 0 ? [`and ${counted(left, 'more field')}`] : []
  return `: ${[...shown, ...more].join('; ')}`
}

export function stillInDoubt(id: string): CliFailure {
  return new CliFailure(
    `Rows of this write are in doubt in run ${id}: they may have been applied. This write was not sent.`,
    {
      code: 'EARLIER_IN_DOUBT',
      retry: 'reconcile-first',
      hints: [
        `Find out what became of them: ${commandLine('runs reconcile', [id])}`,
        'To ignore earlier runs, which may write rows twice: --fresh',
      ],
    },
  )
}

/** The failure of a write that sent rows of an earlier run before it failed: those records were changed. */
export function withEarlierChange({message, code, exit, hints, retry, entries, cause}: CliFailure): CliFailure {
  const changed = entries.map((entry) => ({...entry, changed: 'some' as const}))
  return new CliFailure(message, {code, exit, hints, retry, changed: 'some', entries: changed, cause})
}

/**
 * The plan without rows that delete what an earlier run deleted, finished or not: only the journal of that run tells
 * that a record missing in all lists is gone and was not misspelled.
 */
export async function leaveOutDeleted(plan: Uncut, earlier: EarlierRuns): Promise<Uncut> {
  const {operation, comparison} = plan
  const write = writeOperation(operation)
  if (write.deletes === 'none' || !comparison || comparison.missing.length === 0) return plan
  const missing = new Set(comparison.missing.map(({id}) => idText(id)))
  const keyOf = (row: PlannedRow) =>
    missing.has(idText(idOf(row, write))) && isDeletion(write, row.record) ? naturalKeyOf(operation, row.record) : null
  const found = await findDeleted(new Set(plan.rows.map(keyOf)), write, earlier)
  if (found.size === 0) return plan
  const rows = mapRows(plan.rows, (row) => {
    const by = found.get(keyOf(row))
    if (by === undefined) return row
    missing.delete(idText(idOf(row, write)))
    return {...row, skip: 'appliedBefore' as const, by}
  })
  const runs = Map.groupBy(found.values(), (run) => run)
  const notices = [...runs].map(([run, {length}]) => {
    const was = length === 1 ? 'was' : 'were'
    return `${counted(length, write.words.noun)} ${was} deleted by run ${run}, and nothing is sent for them (--fresh ignores earlier runs)`
  })
  return {
    ...plan,
    rows,
    comparison: {...comparison, missing: comparison.missing.filter(({id}) => missing.has(idText(id)))},
    notices: [...plan.notices, ...notices],
  }
}

/** The runs that deleted some of the records, by their natural keys. */
async function findDeleted(
  wanted: ReadonlySet<string | null>,
  write: ReturnType<typeof writeOperation>,
  {folder, target, fingerprint}: EarlierRuns,
): Promise<Map<string | null, string>> {
  const found = new Map<string | null, string>()
  const {runs} = readRuns(folder, {target})
  const keyFingerprint = await fingerprint()
  for (const {facts} of runs.filter((run) => hasTarget(run, {...target, keyFingerprint}))) {
    const keys = withJournal(folder, facts.id, (journal) => {
      const {applied} = readRows(journal, {appliedOnly: true})
      const rows = applied.filter(({naturalKey}) => naturalKey !== null && wanted.has(naturalKey))
      if (write.deletes === 'all' || rows.length === 0) return rows
      const {plan} = loadRun(journal)
      return rows.filter(({place}) => isDeletion(write, plan.rows.at(place)?.record ?? {}))
    })
    for (const {naturalKey} of keys ?? []) found.set(naturalKey, facts.id)
  }

  return found
}
