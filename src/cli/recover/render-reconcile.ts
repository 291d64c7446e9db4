import {commandLine} from '../../core/command-line.js'
import type {ErrorEntry} from '../../core/errors.js'
import {toSafeText} from '../../formats/safe-text.js'
import type {Difference, ReconciledSet, ReconcileReport} from '../../runs/reconcile/judgement.js'
import {openPartsOf} from '../../runs/reconcile/reconcile.js'
import {entriesOf, hasRowsLeft} from '../../runs/report/next-step.js'
import {describeFates} from '../../runs/rows/phases.js'
import {counted, sum} from '../../values/counted.js'
import {type JsonValue, printJson, valueText} from '../../values/json.js'
import {beginningOf} from '../../values/message-text.js'
import {type LaidOut, lineText, placeIn, placeText, spanPlace} from '../../values/place.js'
import {foldFor} from '../terminal/fold-text.js'
import {simpleTable} from '../terminal/simple-table.js'
import {countFlag} from '../write/consent.js'
import {describeEqualChanges} from '../write/render-report.js'

const linesShown = 50
const longestText = 120

export type ReconcileView = {reconciled: ReconcileReport; dryRun: boolean; requests: number}

/** The fate of each set in doubt, its evidence, and what to do next. */
export async function renderReconcile({reconciled, dryRun, requests}: ReconcileView): Promise<string> {
  const {sets, loaded, report} = reconciled
  const {id, file} = loaded.facts
  const parts = await Promise.all(sets.map((set) => renderSet(set, reconciled, dryRun)))
  const lines = [
    ...(sets.length === 0 ? [`Run ${id}: nothing is in doubt.`] : parts.flat()),
    toSafeText(`${file}: ${describeFates(report.rows)}`),
    ...[describeEqualChanges(report)].filter(Boolean),
    `Requests: ${requests}.${dryRun ? ' Nothing was sent or changed.' : ''}`,
    ...nextSteps(reconciled, dryRun),
    '',
  ]
  return foldFor(process.stdout, lines.join('\n'))
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

export function toReconcileEntries({loaded, report, exit}: ReconcileReport): ErrorEntry[] {
  return entriesOf({...report, runId: loaded.facts.id, exit})
}

function toText(value: JsonValue): string {
  return beginningOf(valueText(value), longestText)
}

function nextSteps(reconciled: ReconcileReport, dryRun: boolean): string[] {
  const {loaded, report, stopped, sets} = reconciled
  const {id} = loaded.facts
  const go = commandLine('runs reconcile', [id])
  const deletions = sum(sets.map(({deletions = 0}) => deletions))
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
export function toReconcileData({reconciled, dryRun}: ReconcileView): JsonValue {
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
