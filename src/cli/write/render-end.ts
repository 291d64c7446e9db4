import {writeOperation} from '../../contract/index.js'
import type {RunReport} from '../../runs/report/report.js'
import {thousands} from '../../values/counted.js'
import type {JsonValue} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {renderDiff} from './diff-view.js'
import {countShown, renderFirstChanges} from './notes.js'
import type {WriteSession} from './open-write.js'
import {renderPlan, toPlanData} from './render-plan.js'
import {renderReport, toBulkData} from './render-report.js'

/** The end of a run, or of a dry run: for a person on a terminal, the text of the question. */
export async function renderEnd(report: RunReport, notes: readonly string[], {resolved, flags, context}: WriteSession) {
  if (!report.dryRun) return {isBrief: false, lines: await renderReport(report, notes)}
  const isAsked = flags.output !== undefined || flags.verbose === true || flags.quiet === true || context.isJson
  const isBrief = process.stdout.isTTY === true && !isAsked
  const table = isBrief ? await renderFirstChanges(report.comparison?.changes ?? [], '-v shows all') : []
  const plan = renderPlan(report, Number(resolved.values.dailyQuota.value), isBrief ? countShown() : undefined)
  return {isBrief, lines: [...table, ...plan]}
}

const mostSummarized = 1_000

/** The changes of a dry run for the summary of a workflow step, cut to its room. */
export async function summarizeChanges({dryRun, plan, comparison}: RunReport): Promise<string | undefined> {
  if (!dryRun || !comparison) return undefined
  const first = comparison.changes.slice(0, mostSummarized)
  const more = comparison.changes.length - first.length
  const table = await renderDiff({plan, comparison: {...comparison, changes: first}}, 'markdown')
  return more > 0 ? `${table}\n… and ${thousands(more)} more changes.\n` : table
}

export function toData(report: RunReport): JsonValue {
  return report.dryRun ? toPlanData(report) : toBulkData(report)
}

/** Rows by whether they make a record or change one; of a dry run, those that would be sent. */
export function changesMeta({operation, dryRun, plan, changes}: RunReport, {commandName}: CommandContext) {
  const {created = 0} = plan
  const isBoth = writeOperation(operation).creates !== null && commandName.endsWith(' apply')
  if (created === 0 && !isBoth) return {}
  return {changes: dryRun ? {created, updated: plan.rows - created} : changes}
}
