import {allFieldsOf, dateClockOf, type ReportId, reportOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {type Column, columnsOf, toColumnNames} from '../../formats/columns.js'
import {settleConditions} from '../../formats/conditions.js'
import {type LineNames, lineColumns, lineNamesOf} from '../../formats/lines.js'
import {isNested, isPageFormat, type PageFormat} from '../../formats/outputs/format-table.js'
import type {ExportAsk, ExportLayout} from '../../reports/export/export-types.js'
import type {RowKind} from '../../reports/export/manifest.js'
import {latestTime} from '../../reports/read/report-range.js'
import type {Window} from '../../reports/read/windows.js'
import {isRelative} from '../../values/relative-date.js'
import {formatOf} from '../read/format-of.js'
import type {ExportFlags} from './export-flags.js'

/** Flags that only an export to a file of complete pages can obey. */
const onlyForExports = [
  'gzip',
  'fresh',
  'time-basis',
  'require-grade',
  'spread',
  'since-last',
  'append',
  'max-duration',
  'heartbeat-file',
  'deliver',
  'keep-for',
  'skip-empty',
] as const

/**
 * The layout of an export that can be resumed; undefined when the flags ask for another kind of output. Throws
 * `usage` when they ask for both.
 */
export function findLayout(report: ReportId, flags: ExportFlags, range: Window): ExportLayout | undefined {
  const needs = onlyForExports.find((name) => flags[name] !== undefined && flags[name] !== false)
  if (needs !== undefined) return requireLayout(needs, report, flags, range)
  return whyNot(flags, range) === undefined ? toLayout(report, flags) : undefined
}

/** The layout of an export that the flag `needs` cannot do without. Throws `usage` when other flags exclude it. */
export function requireLayout(needs: string, report: ReportId, flags: ExportFlags, range: Window): ExportLayout {
  const why = whyNot(flags, range)
  if (why === undefined) return toLayout(report, flags)
  throw new CliFailure(`--${needs} needs an export: ${why}`, {
    code: 'NO_EXPORT',
    hints: ['An export has --start and --output-file, of csv, tsv, json or ndjson, and is neither sorted nor limited.'],
  })
}

function whyNot(flags: ExportFlags, {start, end}: Window): string | undefined {
  const path = flags['output-file']
  if (path === undefined || path === '-') return 'it does not go to a file'
  const format = formatOf(flags, uncompressed(path))
  if (!isPageFormat(format)) return `its format is ${format}`
  if (flags.sort !== undefined) return 'it is sorted'
  if (flags.limit !== undefined) return 'it is limited'
  if (flags['no-split'] === true) return 'it may not be split'
  if (start === undefined) return 'it has no --start'
  return end === undefined ? 'its --start is in the future' : undefined
}

/** The name without `.gz`. */
function uncompressed(path: string): string {
  return path.replace(/\.gz$/i, '')
}

function toLayout(report: ReportId, flags: ExportFlags): ExportLayout {
  const path = flags['output-file'] ?? ''
  const named = {...flags, 'output-file': uncompressed(path)}
  const format = formatOf(named, named['output-file']) as PageFormat
  const {rows, columns, lines} = toRowKind(report, named, false)
  const {'csv-dialect': dialect, delimiter, columns: names, where} = flags
  return {
    format,
    gzip: flags.gzip === true || /\.gz$/i.test(path),
    rows,
    columns,
    where: settleConditions(where ?? [], columns, systemClock.now()),
    ...(lines && {lines}),
    ...(names !== undefined && {chosen: toColumnNames([names])}),
    ...(dialect !== undefined && {dialect}),
    ...(delimiter !== undefined && {delimiter}),
  }
}

/**
 * The range of an export. With --since-last, its start is found later, and its end is at most the latest time to read.
 */
export function toExportRange(
  report: ReportId,
  flags: ExportFlags,
  {asked, range}: Record<'asked' | 'range', Window>,
  now: number,
): Window {
  if (flags['since-last'] === undefined) return range
  const latest = latestTime[dateClockOf(report)](now)
  return {start: asked.start ?? '', end: asked.end !== undefined && asked.end < latest ? asked.end : latest}
}

/** Throws `usage` at an open range, whose windows cannot be counted. */
export function requireRange({start, end}: Window): Window {
  if (start !== undefined && end !== undefined) return {start, end}
  const missing = start === undefined ? '--start' : '--end where --start is in the future'
  throw new CliFailure(`--estimate needs ${missing}`, {code: 'NO_RANGE', hints: ['Add it.']})
}

/** The ask of an export. Edges that move with the time are kept as they were typed, so that the same command is recognised. */
export function toAsk(
  report: ReportId,
  flags: ExportFlags,
  filters: ExportAsk['filters'],
  range: Window,
  layout?: ExportLayout | undefined,
): ExportAsk {
  const movingEdge = (text: string | undefined, open: string) =>
    text === undefined ? open : isRelative(text) ? text.trim().toLowerCase() : undefined
  const {where = []} = flags
  const isSettled = where.some((text, place) => text !== (layout?.where[place] ?? text))
  const [start, end] = [movingEdge(flags.start, ''), movingEdge(flags.end, 'open')]
  return {
    report,
    filters,
    start: range.start ?? '',
    end: range.end ?? '',
    moving: {...(start !== undefined && {start}), ...(end !== undefined && {end}), ...(isSettled && {where})},
    timeBasis: flags['time-basis'] ?? dateClockOf(report),
  }
}

export type Rows = {
  rows: RowKind
  /** Given when a batch becomes one row for each line item. */
  lines?: LineNames
  columns: readonly Column[]
}

/** One row per line item or per batch: by `--rows`, else lines in tables and batches in JSON. */
export function toRowKind(report: ReportId, flags: ExportFlags, json: boolean): Rows {
  const fields = allFieldsOf(reportOperation(report).resource)
  const path = flags['output-file']
  const format = formatOf(flags, path === '-' ? undefined : path)
  const isJson = isNested(format) || (json && path === undefined)
  const names = lineNamesOf(fields)
  const rows = names ? (flags.rows ?? (isJson ? 'batches' : 'lines')) : 'records'
  if (!names || rows !== 'lines') return {rows, columns: columnsOf(fields)}
  return {rows, lines: names, columns: lineColumns(fields, names)}
}

type Named = {'output-file'?: string | undefined; 'since-last'?: string | undefined}

/** The flags with the name of their file filled in, as an export fills in that of its own. */
export async function fillName<Flags extends Named>(flags: Flags, {start, end}: Window, now: number): Promise<Flags> {
  const {'output-file': path, 'since-last': name} = flags
  if (path === undefined) return flags
  const {fillTemplate} = await import('../../reports/run/export-target.js')
  return {...flags, 'output-file': fillTemplate(path, {now, start, end, name})}
}
