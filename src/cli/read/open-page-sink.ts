import {type Column, findColumn, findColumns} from '../../formats/columns.js'
import {toSortKeys} from '../../formats/conditions.js'
import {isFileFormat} from '../../formats/names.js'
import type {PageRendererOptions} from '../../formats/scan/page-renderer.js'
import {toNarrowed} from '../../reports/export/export-renderer.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import {dataOutput} from '../terminal/output.js'
import {formatOf} from './format-of.js'
import {type SinkOptions, tableOf, toNames} from './open-sink.js'
import {
  createEnvelopePages,
  createFilePages,
  createTextPages,
  type Order,
  type PagedRows,
  type PageSink,
} from './page-sink.js'
import type {RecordFlags} from './read-flags.js'
import {createSortedFilePages} from './sorted-file-pages.js'
import type {TextTarget} from './text-target.js'

/** Records that are looked at for unknown fields before the first is written. */
const defaultLookAhead = 10_000

type PageSinkOptions = SinkOptions & {
  paged: PagedRows
  /** Settled conditions. */
  where: readonly string[]
  environment: Environment
}

/** The sink of pages that the flags ask for; undefined for people, and with names that the contract does not know. */
export async function openPageSink(
  {columns: names, delimiter, 'csv-dialect': dialect, ...flags}: RecordFlags,
  target: TextTarget,
  columns: readonly Column[],
  {resource, envelope, lookAhead = defaultLookAhead, table, paged: {look, lines}, where, environment}: PageSinkOptions,
): Promise<PageSink | undefined> {
  const chosen = names === undefined ? undefined : await toNames(names)
  const isKnown = chosen?.every((name) => findColumns(columns, name).length > 0) ?? true
  const narrowed = toNarrowed({where, columns, ...(lines && {lines})}, look)
  const order = flags.sort === undefined ? undefined : toOrder(flags, columns, environment)
  if (!isKnown || !narrowed || order === 'unknown') return undefined
  const options: PageRendererOptions = {
    ...{columns, lookAhead, ...narrowed},
    ...(lines && {lines}),
    ...(chosen && {chosen}),
    ...(dialect !== undefined && {dialect}),
    ...(delimiter !== undefined && {delimiter}),
  }
  if (envelope && target.path === undefined) return createEnvelopePages(envelope, dataOutput, options, order)
  const format = formatOf(flags, target.path)
  if (format === 'table' || format === 'markdown') return undefined
  if (isFileFormat(format)) {
    const ofFile = {...options, table: table ?? tableOf(resource, columns)}
    return order
      ? createSortedFilePages(format, target, {...ofFile, ...order})
      : createFilePages(format, target, ofFile)
  }
  return createTextPages(target.path === undefined ? dataOutput : target, format, options, order)
}

function toOrder(
  {sort = '', limit}: Pick<RecordFlags, 'sort' | 'limit'>,
  columns: readonly Column[],
  environment: Environment,
): Order | 'unknown' {
  const keys = toSortKeys(sort)
  const by = keys.flatMap(({name, descending}) => {
    const column = findColumn(columns, name)
    return column ? [{column, descending}] : []
  })
  if (by.length < keys.length) return 'unknown'
  return {by, ...(limit !== undefined && {limit}), folder: () => stateFolder(environment)}
}
