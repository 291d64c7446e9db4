import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {Plan} from '../plan/plan.js'
import {findChangedRows} from './changed-rows.js'
import {conflictsOf} from './conflicts.js'
import {findContradictions} from './contradictions.js'
import {
  type Earlier,
  type EarlierRuns,
  findEarlier,
  type HeldRun,
  type Holding,
  hasSharedDoubt,
} from './earlier-runs.js'
import {describeApplied, describeDoubt, describeLeft, describeSame} from './notices.js'
import {type RecognisedRows, recogniseRows} from './recognise-rows.js'
import {indexKeys, type KeyIndex, type RowKey, toRowKeys} from './row-keys.js'
import {type AppliedRow, readRows} from './rows-of-run.js'
import {withJournal} from './run-summaries.js'

export type RecogniseOptions = {
  earlier: EarlierRuns
  /** Where the input lies, when it is a file; and SHA-256 of it in hex. */
  path?: string | undefined
  inputDigest?: string | undefined
  /** Take no lock, ask the service nothing, change nothing. */
  dryRun: boolean
}

export type Recognised = {
  plan: Plan
  /** Earlier runs that share rows or their input with the plan; to be closed by their holder. */
  held: Holding[]
  /** Runs that were there. */
  seen: ReadonlySet<string>
}

/**
 * Looks for rows of a plan among those of earlier runs that are not complete. Rows that were applied there carry `skip`;
 * the plan has no sets then and is to be cut anew. Sets in doubt of such runs are reconciled first. Throws `inDoubt`
 * while one stays in doubt, `invalid` for rows whose record was written with other content, `locked` for a run that
 * another process works on; nothing was sent then for this plan.
 */
export async function recognisePlan(plan: Plan, options: RecogniseOptions): Promise<Recognised> {
  const {earlier, dryRun} = options
  const found = await findEarlier(plan, options)
  const {seen} = found
  const notices = [...found.notices, ...describeSame(found, plan, options)]
  if (found.runs.length === 0) return {plan: withNotices(plan, notices), held: [], seen}
  const keys = toRowKeys(plan.operation, plan.rows)
  const held = dryRun ? [] : await holdSettled(found.runs, earlier, keys)
  try {
    if (dryRun) notices.push(...found.runs.filter(({doubt}) => doubt).map(describeDoubt))
    const known = recogniseAmong(found.runs, plan, keys, earlier)
    const contrary = findContradictions(plan, known.conflicts, earlier)
    if (contrary.length > 0) throw conflictsOf(plan, contrary)
    const toSend = keys.filter(({place}) => !known.found.has(place) && plan.rows[place]?.skip === undefined)
    notices.push(...describeApplied(known.found), ...describeLeft(found.runs, keys, toSend, earlier))
    return {plan: withNotices(leaveOut(plan, known), notices), held, seen}
  } catch (error) {
    for (const {run} of held) run.close()
    throw error
  }
}

/** Holds runs of which no row of the plan is in doubt any more; none when that cannot be. */
async function holdSettled(runs: readonly Earlier[], earlier: EarlierRuns, keys: readonly RowKey[]) {
  const opened: HeldRun[] = []
  try {
    for (const {id} of runs) opened.push(earlier.open(id))
    const index = indexKeys(keys)
    for (const [place, run] of opened.entries()) await settleDoubt(run, earlier, runs[place], index)
    return opened.map(({journal, close}, place): Holding => {
      const {id = '', isWhole = false} = runs[place] ?? {}
      return {id, isWhole, run: {journal, close}}
    })
  } catch (error) {
    for (const run of opened) run.close()
    throw error
  }
}

/** Sets in doubt of a run whose rows are about to be sent again. Throws `inDoubt` while they stay so. */
async function settleDoubt(
  run: HeldRun,
  {reconcile}: EarlierRuns,
  {settlesAll = false}: Partial<Earlier> = {},
  index: KeyIndex,
): Promise<void> {
  const isOpen = () => hasSharedDoubt(readRows(run.journal), {settlesAll, index})
  if (!isOpen()) return
  await reconcile(run)
  if (isOpen()) throw stillInDoubt(run.journal.facts().id)
}

function stillInDoubt(id: string): CliFailure {
  return new CliFailure(`Rows of this write are in doubt in run ${id}: they may have been applied. Nothing was sent.`, {
    code: 'EARLIER_IN_DOUBT',
    exit: 'inDoubt',
    retry: 'reconcile-first',
    hints: [
      commandLine('runs reconcile', [id]),
      `To take no notice of earlier runs, which may write rows twice: --fresh`,
    ],
  })
}

function recogniseAmong(
  runs: readonly Earlier[],
  plan: Plan,
  keys: readonly RowKey[],
  earlier: EarlierRuns,
): RecognisedRows {
  const {folder, times} = earlier
  const ids = new Set(runs.filter(({isSource}) => isSource).flatMap(({id, before}) => [id, ...before]))
  const applied: AppliedRow[] = []
  for (const id of [...ids].sort()) {
    const found = withJournal(folder, id, times, (journal) => readRows(journal))
    applied.push(...(found?.applied ?? []), ...(found?.appliedElsewhere ?? []).filter(({run}) => !ids.has(run)))
  }

  const given = keys.filter(({place}) => plan.rows[place]?.skip === undefined)
  const {found, conflicts} = recogniseRows(given, applied)
  if (runs.some(({wroteInput}) => wroteInput)) return {found, conflicts}
  return {found, conflicts: [...conflicts, ...findChangedRows(plan, {given, found, applied}, earlier)]}
}

function leaveOut(plan: Plan, {found}: RecognisedRows): Plan {
  if (found.size === 0) return plan
  const rows = plan.rows.map((row, place) => {
    const before = found.get(place)
    if (!before) return row
    const made = before.id === null ? {} : {madeId: JSON.parse(before.id)}
    return {...row, skip: 'appliedBefore' as const, by: before.run, ...made}
  })
  return {...plan, rows, sets: []}
}

function withNotices(plan: Plan, notices: readonly string[]): Plan {
  return notices.length === 0 ? plan : {...plan, notices: [...plan.notices, ...notices]}
}
