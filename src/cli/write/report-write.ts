import {exitCodeOf} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, toEntries} from '../../core/errors.js'
import {entriesOf, nextStepOfReport, nextStepText} from '../../runs/report/next-step.js'
import {endedByQuota, exitOfRun, type RunReport, withEnding} from '../../runs/report/report.js'
import {defined} from '../../values/defined.js'
import {findStderrError} from '../terminal/error-output.js'
import {PipeClosed, resultPrinted} from '../terminal/signals.js'
import type {Annotations} from './annotations.js'
import {renderDiff} from './diff-view.js'
import {offerRecipe} from './input-flags.js'
import type {WriteSession} from './open-write.js'
import {changesMeta, renderEnd, summarizeChanges, toData} from './render-end.js'
import type {Written} from './run-files.js'
import {shareRun} from './share-audit.js'

/** Writes the files of a run and shows its report. Returns the files; undefined where not all could be shown. */
export async function reportWrite(
  made: RunReport,
  session: WriteSession,
  annotations: Annotations,
): Promise<Written | undefined> {
  const {flags, context, runFiles, planOut, pageOut, keepers, notes} = session
  const counted = {...made, ...defined({appliedToday: keepers[0]?.appliedToday()})}
  const ended = withEnding(counted, {
    isQuotaSpent: endedByQuota(made, flags['until-quota']),
    isEmpty: flags['fail-on-empty'] === true && made.outcomes.length === 0,
  })
  const runIds = new Set([made.runId, ...keepers.map(({runId}) => runId)].filter((id) => id !== undefined))
  const files = await runFiles.write(ended)
  const kept = withUnwritten(ended, files.failures)
  const unsaid = await annotations.say(kept.entries, kept.groups)
  const annotated = withUnwritten(kept, unsaid)
  const unshown = (await pageOut?.write(annotated, [...runIds])) ?? []
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
  const {isBrief, lines} = await renderEnd(report, written.notes, session)
  if (!report.dryRun) say(lines)
  for (const {message} of [...files.failures, ...unsaid, ...unshown]) context.messages.tell(`error: ${message}`)
  resultPrinted()
  for (const text of [...(planOut?.notes ?? []), ...(report.dryRun ? pageNotes : [])]) say(text)
  const isShown = await present(report, session, isBrief)
  if (report.dryRun) say(lines) // below a table that may be long
  const recipe = flags.file === undefined ? undefined : offerRecipe(flags, context)
  if (recipe !== undefined) note(recipe)
  const isReported = isShown && (await findStderrError()) === undefined
  const reported = isReported ? written : undefined
  for (const keeper of keepers) keeper.close(reported)
  for (const id of runIds) await shareRun(id, session.resolved.profile, context.environment)
  return reported
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

/** The command that shows results which could not be written; running the write again would send the rows again. */
function hintOfResults(runId: string): string {
  return `Every row with its fate is kept: ${commandLine('runs results', [runId])}`
}

/** Prints the result. False for a full disk; neither that nor a closed pipe hides the exit code of the rows. */
async function present(report: RunReport, {context, flags, lazy}: WriteSession, isBrief: boolean): Promise<boolean> {
  const {dryRun, rows, exit, runId, ending} = report
  try {
    await context.present({
      data: context.isJson ? toData(report) : undefined,
      text: dryRun && !isBrief ? await renderDiff(report, flags.output) : undefined,
      meta: {...lazy.opened?.meta(), rows, ...changesMeta(report, context)},
      exit,
      errors: entriesOf(report),
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
