import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {toSafeText} from '../../formats/safe-text.js'
import {
  type Difference,
  deletionsLeft,
  isUncounted,
  type ReconciledSet,
  type ReconcileOptions,
  type ReconcileReport,
} from '../../runs/reconcile/judgement.js'
import {openPartsOf} from '../../runs/reconcile/reconcile.js'
import {hasRowsLeft} from '../../runs/report/next-step.js'
import {describeFates} from '../../runs/rows/phases.js'
import {counted} from '../../values/counted.js'
import {type JsonValue, printJson} from '../../values/json.js'
import {type LaidOut, lineText, placeIn, placeText, spanPlace} from '../../values/place.js'
import type {CommandContext} from '../app/command-context.js'
import type {Messages} from '../app/messages.js'
import type {OpenedClient} from '../client/open-client.js'
import {foldFor} from '../terminal/fold-text.js'
import {startProgress} from '../terminal/progress.js'
import {askConfirmation, canAsk} from '../terminal/prompt.js'
import {onSecondSignal} from '../terminal/signals.js'
import {simpleTable} from '../terminal/simple-table.js'
import {askConsent, checkCount, countFlag, unanswered} from '../write/consent.js'
import {type OpenedRun, openClientOfRun, openRun} from '../write/open-run.js'
import {settleAsAsked} from '../write/open-store.js'
import {describeEqualChanges} from '../write/render-report.js'
import {shareRun} from '../write/share-audit.js'
import type {ReconcileFlags} from './recover-flags.js'

/** Finds out what became of the sets of a run that are in doubt. */
export async function reconcileRun(text: string, flags: ReconcileFlags, context: CommandContext): Promise<void> {
  const run = openRun(context.environment, text)
  const {assume, 'dry-run': dryRun = false} = flags
  try {
    const open = openPartsOf(run.loaded)
    const isOpen = open.length > 0
    if (assume !== undefined && isOpen && !dryRun) await confirmAssumption(run, open.length, flags)
    const {messages} = context
    const isAsked = isOpen && assume === undefined
    const opened = isAsked ? await openClientOfRun(run.loaded.facts, flags, context) : undefined
    const reconciled = await settleCounted(run, flags, {opened, messages})
    const view = {reconciled, dryRun, requests: opened?.client.requestsUsed ?? 0}
    opened?.client.close()
    const {report, exit} = reconciled
    await context.present({
      data: toReconcileData(view),
      text: foldFor(process.stdout, await renderReconcile(view)),
      meta: {...opened?.meta(), rows: report.rows},
      exit,
      errors: report.entries,
      runId: run.id,
    })
    if (!dryRun) await shareRun(run.id, run.loaded.facts.profile, context.environment)
  } finally {
    run.close()
  }
}

type Tools = {opened: OpenedClient | undefined; messages: Messages}

/** Deletions are sent again only when their number was confirmed; until then they stay in doubt. */
async function settleCounted(run: OpenedRun, flags: ReconcileFlags, tools: Tools): Promise<ReconcileReport> {
  const looked = await settle(run, flags, tools)
  const {loaded} = looked
  const plan = {...loaded.plan, sets: openPartsOf(loaded).map(({set}) => set)}
  if (flags['dry-run'] || !isUncounted(looked) || plan.sets.length === 0) return looked
  if (flags['confirm-count'] === undefined && !canAsk(flags)) return looked
  checkCount(plan, flags)
  const above = `Run ${run.id} was to delete these, and they are still there.`
  const {profile} = loaded.facts
  const isAgreed = await askConsent(plan, {...flags, yes: true}, {profile}, () => ({above}))
  if (!isAgreed) throw new CliFailure('Cancelled; nothing was deleted.', {code: 'NOT_CONFIRMED'})
  return settle({...run, loaded}, flags, tools, 'all')
}

async function settle(
  run: OpenedRun,
  flags: ReconcileFlags,
  {opened, messages}: Tools,
  sends: ReconcileOptions['sends'] = 'noDeletions',
): Promise<ReconcileReport> {
  const {quiet = false, verbose = false, 'dry-run': dryRun = false} = flags
  const progress = await startProgress({
    ...{quiet, verbose, sharesTerminal: true},
    clock: systemClock,
    print: messages.detail,
  })
  onSecondSignal(
    () => `Stopped immediately; what is known so far is kept.\n→ Resume: ${commandLine('runs reconcile', [run.id])}`,
  )
  try {
    const {update: onProgress} = progress
    const assume = toAssumed(flags)
    return await settleAsAsked(run, {
      client: opened?.client,
      flags,
      onProgress,
      onWait: messages.note,
      assume,
      sends,
      dryRun,
    })
  } finally {
    progress.end()
  }
}

function toAssumed({assume}: ReconcileFlags): 'applied' | 'notApplied' | undefined {
  if (assume === undefined) return undefined
  return assume === 'applied' ? 'applied' : 'notApplied'
}

/** Confirms what a person says, because it is recorded for good. Throws `usage` where nobody can be asked. */
async function confirmAssumption({loaded, id}: OpenedRun, sets: number, flags: ReconcileFlags): Promise<void> {
  if (flags.yes) return
  if (!canAsk(flags)) throw unanswered(flags)
  const rows = openPartsOf(loaded).reduce((sum, {set}) => sum + set.places.length, 0)
  const what = `${counted(rows, 'row')} in ${sets === 1 ? 'one set' : `${sets} sets`} of run ${id}`
  const were = `${rows === 1 ? 'was' : 'were'} ${flags.assume === 'applied' ? 'applied' : 'not applied'}`
  if (await askConfirmation(`Do you know that ${what} ${were}?`)) return
  throw new CliFailure('Cancelled; nothing was recorded.', {code: 'NOT_CONFIRMED', retry: 'safe'})
}

const linesShown = 50
const longestText = 120

type ReconcileView = {reconciled: ReconcileReport; dryRun: boolean; requests: number}

/** What became of each set in doubt, how that is known, and what to do next. */
async function renderReconcile({reconciled, dryRun, requests}: ReconcileView): Promise<string> {
  const {sets, loaded, report} = reconciled
  const {id, file} = loaded.facts
  const parts = await Promise.all(sets.map((set) => renderSet(set, reconciled, dryRun)))
  return [
    ...(sets.length === 0 ? [`Run ${id}: nothing is in doubt.`] : parts.flat()),
    toSafeText(`${file}: ${describeFates(report.rows)}`),
    ...[describeEqualChanges(report)].filter(Boolean),
    `Requests: ${requests}.${dryRun ? ' Nothing was sent or changed.' : ''}`,
    ...nextSteps(reconciled, dryRun),
    '',
  ].join('\n')
}

const words = {
  applied: 'applied',
  refused: 'refused, nothing of it was applied',
  notApplied: 'not applied; its rows may be sent',
  inDoubt: 'still in doubt',
} as const

async function renderSet(set: ReconciledSet, {loaded}: ReconcileReport, dryRun: boolean): Promise<string[]> {
  const {lines, rows, fate, evidence, unclear, differences, look, probes} = set
  const place = spanPlace(loaded.facts, lines)
  const looks = probes.good + probes.void
  const where = `set ${set.set} of ${loaded.plan.sets.length} (${place}, ${counted(rows, 'row')})`
  const how = `${counted(looks, 'look')}${set.sent > 0 ? `, sent again ${set.sent} times` : ''}`
  return [
    toSafeText(`${where}: ${dryRun ? 'so far: ' : ''}${words[fate]} (${how.replace(' 1 times', ' once')})`),
    ...evidence.map((text) => toSafeText(`  ${text}`)),
    ...(fate === 'inDoubt' && unclear.length > 0 ? [toSafeText(`  check: ${toPlaces(unclear, loaded.facts)}`)] : []),
    ...(await renderDifferences(differences, loaded.facts)),
    ...(fate === 'inDoubt' && look ? [toSafeText(`  → Look at the records: ${look}`)] : []),
  ]
}

function toPlaces(unclear: ReconciledSet['unclear'], input: LaidOut): string {
  const shown = unclear.slice(0, linesShown)
  const places = shown.map(({line, id}) => {
    const place = lineText(placeIn(input, line))
    return id === null ? place : `${place} (id ${printJson(id)})`
  })
  const more = unclear.length > shown.length ? [`and ${unclear.length - shown.length} more`] : []
  return [...places, ...more].join(', ')
}

async function renderDifferences(differences: readonly Difference[], input: LaidOut): Promise<string[]> {
  if (differences.length === 0) return []
  const shown = differences.slice(0, linesShown)
  const cells = shown.map(({line, id, field, expected, before, found}) => [
    placeText({line, row: placeIn(input, line).row}),
    toText(id),
    field,
    toText(expected),
    before === undefined ? '' : toText(before),
    toText(found),
  ])
  const table = await simpleTable(['line', 'id', 'field', 'sent', 'before', 'found'], cells)
  const more = differences.length > shown.length ? [`  … and ${differences.length - shown.length} more (--json)`] : []
  return [
    ...table
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    ...more,
  ]
}

function toText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : printJson(value)
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text
}

function nextSteps(reconciled: ReconcileReport, dryRun: boolean): string[] {
  const {loaded, report, stopped, sets} = reconciled
  const {id} = loaded.facts
  const go = commandLine('runs reconcile', [id])
  const deletions = deletionsLeft(reconciled)
  const counted = deletions > 0 ? ` ${countFlag(deletions)}` : ''
  if (dryRun && sets.length > 0) return [`→ To do it: ${go}${counted}`]
  if (stopped) return [`→ Stopped early. Resume: ${go}`]
  const steps: string[] = []
  if (openPartsOf(loaded).length > 0) {
    steps.push(deletions > 0 ? `→ Delete what is still there: ${go}${counted}` : `→ Look again later: ${go}`)
    steps.push(`→ If you know the result: ${go} --assume applied, or ${go} --assume not-applied`)
  }
  if (hasRowsLeft(report)) steps.push(`→ Send the rows that were not sent: ${commandLine('runs resume', [id])}`)
  return steps
}

/** The report as data. */
function toReconcileData({reconciled, dryRun}: ReconcileView): JsonValue {
  const {sets, solved, stopped, loaded} = reconciled
  const {id, file, operation} = loaded.facts
  return {
    runId: id,
    operation,
    file,
    dryRun,
    solved,
    stopped,
    sets: sets.map((set) => ({...set}) as unknown as JsonValue),
  }
}
