import {limits, type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure, toHint} from '../../core/errors.js'
import {checkRows} from '../../runs/check/check-file.js'
import {leaveOutDeleted} from '../../runs/deletions/deleted-before.js'
import {withUnseen} from '../../runs/deletions/deletions.js'
import {compareWithRecords} from '../../runs/plan/compare-plan.js'
import {type CutOptions, cutSets} from '../../runs/plan/cut-sets.js'
import {knownOf, type Plan, planRows} from '../../runs/plan/plan.js'
import type {RunReport} from '../../runs/report/report.js'
import type {CommandContext} from '../app/command-context.js'
import {stopSignal} from '../app/signals.js'
import {applyPlanFile} from '../plans/apply-plan-file.js'
import {toInputOptions} from './input-options.js'
import {lintHints} from './lint-hints.js'
import {runWrite} from './run-write.js'
import {sendPlan} from './send-plan.js'
import type {WriteFlags} from './write-flags.js'
import type {WriteSession} from './write-session.js'

/**
 * A bulk write from a file: read rows → check → match earlier runs → compare with current records → confirm → record →
 * send → report. Rows that an earlier run applied are neither compared nor sent: they are matched first.
 */
export async function writeFromFile(operation: WriteId, flags: WriteFlags, context: CommandContext): Promise<void> {
  const {'apply-plan': planPath} = flags
  if (planPath !== undefined) return applyPlanFile({operation, flags, context}, planPath)
  const input = await toInputOptions(operation, flags)
  await runWrite({operation, flags, context}, async (session) => {
    const checked = await readPlan({operation, flags, input}, session)
    const matched = await matchEarlierRuns(checked, session)
    const options = toCompareOptions(session, flags)
    const compared = await compareWithRecords(matched, options)
    const plan = withUnseen(await leaveOutDeleted(compared, session.keeper.earlier, options))
    const {file = '-'} = flags
    const hints = () => lintHints({operation, file, flags, problems: plan.doubts ?? []})
    return withHints(hints, () => sendPlan(plan, session))
  })
}

export type FromFile = {operation: WriteId; flags: WriteFlags; input: Awaited<ReturnType<typeof toInputOptions>>}

/** A step whose failure for invalid rows has hints in front; the report of a dry run has them on its first entry. */
async function withHints(hintsOf: () => string[], step: () => Promise<RunReport>): Promise<RunReport> {
  try {
    const report = await step()
    const {dryRun, entries} = report
    const [first, ...others] = entries
    const hints = dryRun && first ? hintsOf() : []
    return first && hints.length > 0 ? {...report, entries: [{...first, hint: toHint(hints)}, ...others]} : report
  } catch (error) {
    if (error instanceof CliFailure && error.exit === 'invalid') error.hints.unshift(...hintsOf())
    throw error
  }
}

/** Reads and checks all rows. Throws `invalid` for a file with problems, once its warnings were shown as well. */
export async function readPlan(
  {operation, flags, input}: FromFile,
  {files, notes, client}: WriteSession,
): Promise<Plan> {
  const {file = '-', 'send-unchanged': sendUnchanged, replace = false} = flags
  const merges = writeOperation(operation).merge === 'full-replace' && !replace
  const {through} = files.source
  const checked = await checkRows(operation, {...input, file, merges, through, signal: stopSignal})
  try {
    const {names} = input
    const later = () => import('../../runs/names/resolve-names.js')
    const named = names && (await (await later()).resolveNames(operation, checked, names, client))
    return planRows(operation, checked, {
      ...toCutOptions(operation, flags),
      merges,
      sendUnchanged,
      named,
      changes: input.changes,
    })
  } catch (error) {
    notes.tell(knownOf(checked))
    const {problems} = checked.checker
    if (error instanceof CliFailure && error.exit === 'invalid' && !checked.broken)
      error.hints.unshift(...lintHints({operation, file, flags, problems}))
    throw error
  }
}

/** The plan without the rows that earlier runs applied; its sets are cut again when there are some. */
export async function matchEarlierRuns(plan: Plan, {keeper, flags}: WriteSession): Promise<Plan> {
  const known = (await keeper.match?.(plan)) ?? plan
  if (plan.merges || known.sets === plan.sets) return known
  return {...known, sets: cutSets(known.rows, toCutOptions(plan.operation, flags))}
}

export function toCompareOptions(
  {client, operation, flags}: WriteSession,
  {'send-unchanged': sendUnchanged}: WriteFlags,
) {
  return {client, cut: toCutOptions(operation, flags), sendUnchanged, dryRun: flags['dry-run']}
}

/** How rows are cut into sets. */
export function toCutOptions(operation: WriteId, flags: WriteFlags): CutOptions {
  const {'set-size': setSize = limits.defaultSetSize, atomic, canary} = flags
  return {setSize, atomic, canary, rule: writeOperation(operation).set}
}
