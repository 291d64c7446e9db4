import {exitCodeOf, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, toEntries} from '../../core/errors.js'
import {countAppliedToday} from '../../runs/earlier-runs/read-runs.js'
import {withEarlierChange} from '../../runs/earlier-runs/related-runs.js'
import {nextStepOfReport, nextStepText} from '../../runs/report/next-step.js'
import {endedByQuota, exitOfRun, type RunReport, withEnding} from '../../runs/report/report.js'
import {type RowSource, write} from '../../runs/write/write.js'
import {thousands} from '../../values/counted.js'
import type {JsonValue} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {keepMemoryFlatFor} from '../read/flat-memory.js'
import {findStderrError, sayCommand} from '../terminal/error-output.js'
import {PipeClosed, resultPrinted} from '../terminal/signals.js'
import {type Annotations, openAnnotations} from './annotations.js'
import {runFolderOf, systemTimes} from './find-run.js'
import {givenInput} from './input-flags.js'
import {countShown, renderFirstChanges} from './notes.js'
import {openWrite, type WriteRequest, type WriteSession} from './open-write.js'
import {givenChanges} from './plan-file-out.js'
import {renderDiff, renderPlan, toPlanData} from './render-plan.js'
import {renderReport, toBulkData} from './render-report.js'
import type {Written} from './run-files.js'
import {checkSending, toSending} from './sending-flags.js'
import {shareRun} from './share-audit.js'
import type {WriteFlags} from './write-flags.js'

export type Judge = Parameters<typeof write>[0]['judge']

/** A write of rows, from its flags to its exit code. */
export async function writeRows(
  request: WriteRequest,
  rows: RowSource,
  finish: (report: RunReport) => RunReport = (report) => report,
  judge: Judge = (compared) => compared,
): Promise<void> {
  const asked = toAsked(request.flags, rows, judge)
  await runWrite(request, async ({needs}) => finish(await write(asked, needs)))
}

/** What is asked of a write by its flags. */
export function toAsked(flags: WriteFlags, rows: RowSource, judge: Judge = (compared) => compared) {
  return {
    rows,
    sending: toSending(flags),
    dryRun: flags['dry-run'] ?? false,
    sendUnchanged: flags['send-unchanged'] ?? false,
    maxRecords: flags['max-records'],
    detailedExit: flags['detailed-exitcode'] ?? false,
    judge,
  }
}

/**
 * A write from its flags to its exit code: everything it needs is opened, `work` makes the report of its run, and the
 * report is shown. Gives the files that were written; undefined where not all could be shown.
 */
export async function runWrite(
  request: WriteRequest,
  work: (session: WriteSession) => Promise<RunReport>,
): Promise<Written | undefined> {
  const {flags, context} = request
  keepMemoryFlatFor(flags.file)
  checkSending(flags)
  const annotations = await openAnnotations(flags, context.environment, sayCommand)
  let session: WriteSession | undefined
  try {
    session = await openWrite(request)
    const report = await work(session).finally(session.close)
    return await reportWrite(sentEarlier(session) ? {...report, sentEarlier: true} : report, session, annotations)
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    const failure = session && sentEarlier(session) ? withEarlierChange(error) : error
    const {groups} = failure
    await annotations.say(toEntries(failure), groups.length > 0 ? groups : undefined)
    throw failure
  } finally {
    await session?.discard()
    await annotations.discard()
  }
}

function sentEarlier({keepers}: WriteSession): boolean {
  return keepers.some((keeper) => keeper.sentEarlier)
}

/** Writes the files of a run and shows its report. What was written, if all of it was shown. */
async function reportWrite(
  made: RunReport,
  session: WriteSession,
  annotations: Annotations,
): Promise<Written | undefined> {
  const {flags, context, runFiles, planOut, pageOut, keepers, notes} = session
  const ended = withEnding(withToday(made, session), {
    isQuotaSpent: endedByQuota(made, flags['until-quota']),
    isEmpty: flags['fail-on-empty'] === true && made.outcomes.length === 0,
  })
  const files = await runFiles.write(ended)
  const kept = withUnwritten(ended, files.failures)
  const unsaid = await annotations.say(kept.entries, kept.groups)
  const annotated = withUnwritten(kept, unsaid)
  const unshown = (await pageOut?.write(annotated)) ?? []
  const report = withUnwritten(annotated, unshown)
  const pageNotes = pageOut && unshown.length === 0 ? [`${pageOut.path}: the page about this run`] : []
  const written = {...files, notes: [...files.notes, ...pageNotes]}

  const next = nextStepOfReport(report)
  const diff = context.environment['GITHUB_STEP_SUMMARY'] ? await summarizeChanges(report) : undefined
  const steps = [...written.notes, ...(next ? [nextStepText(next)] : [])]
  context.measure(() => ({file: report.file, next: steps, diff}))
  notes.tell({warnings: report.warnings, notices: report.notices, remarks: []})
  const {tell, note} = context.messages
  const say = context.isMailed && report.exit === 'ok' ? note : tell
  const {isBrief, lines} = await renderEnd(report, written, session)
  if (!report.dryRun) say(lines)
  for (const {message} of [...files.failures, ...unsaid, ...unshown]) context.messages.tell(`error: ${message}`)
  resultPrinted()
  for (const text of [...(planOut?.notes ?? []), ...(report.dryRun ? pageNotes : [])]) say(text)
  const isShown = await present(report, session, isBrief)
  if (report.dryRun) say(lines) // below a table that may be long
  const recipe = flags.file === undefined ? undefined : offerRecipe(session)
  if (recipe !== undefined) note(recipe)
  const isReported = isShown && (await findStderrError()) === undefined
  const reported = isReported ? written : undefined
  for (const keeper of keepers) keeper.close(reported)
  const ids = new Set([report.runId, ...keepers.map(({runId}) => runId)].filter((id) => id !== undefined))
  for (const id of ids) await shareRun(id, session.resolved.profile, context.environment)
  return reported
}

const mostSummarized = 1_000

/** The changes of a dry run for the summary of a workflow step, which has room for so many. */
async function summarizeChanges({dryRun, plan, comparison}: RunReport): Promise<string | undefined> {
  if (!dryRun || !comparison) return undefined
  const first = comparison.changes.slice(0, mostSummarized)
  const more = comparison.changes.length - first.length
  const table = await renderDiff({plan, comparison: {...comparison, changes: first}}, 'markdown')
  return more > 0 ? `${table}\n… and ${thousands(more)} more changes.\n` : table
}

/** So many flags of an input are worth a name. */
const manyFlags = 3

/** How to keep the flags of a file that a person will hardly type again. */
function offerRecipe({flags, context: {commandName, environment}}: WriteSession): string | undefined {
  const given = {...givenInput(flags), ...givenChanges(flags)}
  if (flags.recipe !== undefined || environment['VENDORCTL_JOB'] || Object.keys(given).length < manyFlags)
    return undefined
  const save = commandLine('import save', ['NAME'])
  return `→ Keep these flags under a name: ${save} -- ${commandLine(commandName, [], given).replace(/^vendorctl /, '')}`
}

/** Counted where the service has a daily limit for the operation itself. */
function withToday(report: RunReport, {operation, context, resolved}: WriteSession): RunReport {
  if (!writeOperation(operation).set.ownLimit) return report
  const {baseUrl, stage} = resolved.values
  const target = {operation, baseUrl: baseUrl.value ?? '', stage: stage.value ?? ''}
  return {...report, appliedToday: countAppliedToday(runFolderOf(context.environment), systemTimes, target)}
}

/** What a run did, or would do: for a person on a terminal, what the question shows. */
async function renderEnd(report: RunReport, {notes}: Written, {resolved, flags, context}: WriteSession) {
  if (!report.dryRun) return {isBrief: false, lines: await renderReport(report, notes)}
  const isAsked = flags.output !== undefined || flags.verbose === true || flags.quiet === true || context.isJson
  const isBrief = process.stdout.isTTY === true && !isAsked
  const table = isBrief ? await renderFirstChanges(report.comparison?.changes ?? [], '-v shows all') : []
  const plan = renderPlan(report, Number(resolved.values.dailyQuota.value), isBrief ? countShown() : undefined)
  return {isBrief, lines: [...table, ...plan]}
}

/** Files that could not be written; the exit code says so only when nothing graver happened to the rows. */
function withUnwritten(report: RunReport, failures: readonly CliFailure[]): RunReport {
  if (failures.length === 0) return report
  const {code: exit} = exitCodeOf('storage')
  const changed = report.rows.applied > 0 ? 'some' : 'none'
  const hint = report.runId === undefined ? {} : {hint: hintOfResults(report.runId)}
  const entries = failures.flatMap(toEntries).map((entry): ErrorEntry => ({...entry, ...hint, exit, changed}))
  return withEnding({...report, entries: [...report.entries, ...entries]}, {isUnwritten: true})
}

/** What a file or an output that could not be written would have shown; to run again would send the rows again. */
function hintOfResults(runId: string): string {
  return `Every row with its fate is kept: ${commandLine('runs results', [runId])}`
}

function toData(report: RunReport): JsonValue {
  return report.dryRun ? toPlanData(report) : toBulkData(report)
}

/** Rows by whether they make a record or change one; of a dry run, those that would be sent. */
function changesMeta({operation, dryRun, plan, changes}: RunReport, {commandName}: CommandContext) {
  const {created = 0} = plan
  const isBoth = writeOperation(operation).creates !== null && commandName.endsWith(' apply')
  if (created === 0 && !isBoth) return {}
  return {changes: dryRun ? {created, updated: plan.rows - created} : changes}
}

/** A reader that is gone, or a full disk, hides nothing of the rows: the exit code is theirs. False for a full disk. */
async function present(report: RunReport, {context, flags, lazy}: WriteSession, isBrief: boolean): Promise<boolean> {
  const {dryRun, rows, exit, entries, runId, ending} = report
  try {
    await context.present({
      data: context.isJson ? toData(report) : undefined,
      text: dryRun && !isBrief ? await renderDiff(report, flags.output ?? 'table') : undefined,
      meta: {...lazy.opened?.meta(), rows, ...changesMeta(report, context)},
      exit,
      errors: entries,
      ...(runId !== undefined && {runId}),
    })
  } catch (error) {
    if (error instanceof PipeClosed) return true
    if (dryRun || !(error instanceof CliFailure)) throw error
    context.messages.tell(`error: ${error.message}`)
    if (runId !== undefined) context.messages.tell(`→ ${hintOfResults(runId)}`)
    process.exitCode = exitCodeOf(exitOfRun({...ending, isUnwritten: true})).code
    return false
  }

  return true
}
