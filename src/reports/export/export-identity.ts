import {createHash} from 'node:crypto'
import {realpathSync} from 'node:fs'
import {basename, dirname, join, resolve} from 'node:path'
import {defined} from '../../values/defined.js'
import {type JsonValue, printJson, sortNames} from '../../values/json.js'
import type {ServiceSource} from '../../values/service.js'
import type {ExportAsk, ExportLayout} from './export-types.js'

/** Changes when the same records would be written as other bytes. */
export const serializerVersion = 1

/** The parts of a command that decide which bytes it makes; equal parts, equal export. */
export type Identity = Record<string, JsonValue>

type Parts = {source: ServiceSource; layout: ExportLayout; ask: ExportAsk; append: boolean}

export function toIdentity({source, layout, ask, append}: Parts): Identity {
  const {baseUrl, stage, keyFingerprint} = source
  return {
    route: ask.report,
    serializer: serializerVersion,
    baseUrl,
    stage,
    keyFingerprint,
    filters: sortFilters(ask.filters),
    range: [ask.moving.start ?? ask.start, ask.moving.end ?? ask.end],
    timeBasis: ask.timeBasis,
    ...describeLayout(layout),
    ...(ask.moving.where && {where: [...ask.moving.where]}),
    ...(append && {append}),
  }
}

export function describeLayout(layout: ExportLayout): Identity {
  const {format, gzip, rows, chosen, where, dialect = 'rfc4180', delimiter} = layout
  const isCsv = format === 'csv' || format === 'tsv'
  return {
    format,
    gzip,
    rows,
    columns: chosen ? [...chosen] : null,
    where: [...where],
    dialect: isCsv ? dialect : null,
    delimiter: isCsv ? (delimiter ?? null) : null,
  }
}

/** One digest for all parts. */
export function identityDigest(identity: Identity): string {
  return createHash('sha256').update(printJson(identity)).digest('hex')
}

/** Lists of a filter mean the same in any order. */
function sortFilters(filters: ExportAsk['filters']): JsonValue {
  const sorted = Object.entries<JsonValue>(sortNames(defined(filters)))
  return Object.fromEntries(
    sorted.map(([key, value]) => [key, Array.isArray(value) ? value.map((part) => printJson(part)).sort() : value]),
  )
}

/** Filters as text; equal for filters that mean the same. */
export function printFilters(filters: ExportAsk['filters']): string {
  return printJson(sortFilters(filters))
}

/** The parts of a command, as the end of a sentence that begins with "another". */
const partNames: Readonly<Record<string, string>> = {
  route: 'report',
  baseUrl: 'service',
  keyFingerprint: 'API key',
  filters: 'filter',
  timeBasis: 'time basis',
  gzip: 'compression',
  rows: 'kind of rows (--rows)',
  columns: 'choice of columns',
  where: 'condition (--where)',
  append: 'choice of --append',
  serializer: 'version of vendorctl',
}

/** In another report everything else may differ, too. */
export function namesOf(parts: readonly string[]): string {
  const named = parts.includes('route') ? ['route'] : parts
  return named.map((part) => partNames[part] ?? part).join(', ')
}

/** The parts in which two commands differ, by name. */
export function differences(one: Identity, other: Identity): string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.filter((name) => printJson(one[name] ?? null) !== printJson(other[name] ?? null))
}

/** The name under which the checkpoint of an output file is kept; one per path, however the path is written. */
export function stateNameOf(path: string): string {
  const absolute = resolve(path)
  return createHash('sha256')
    .update(join(realFolder(dirname(absolute)), basename(absolute)))
    .digest('hex')
    .slice(0, 32)
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
