import {type Column, chooseColumns, findColumns} from '../../../src/formats/columns.js'
import type {Lost} from '../../../src/formats/flatten.js'
import type {Format} from '../../../src/formats/outputs/format-table.js'
import type {PageRendererOptions} from '../../../src/formats/scan/page-renderer.js'
import {unknownColumns} from '../../../src/formats/unknown-columns.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {findWriter, type Writer} from './writers.js'

/** Turns pages of records into text: what the renderer of pages is compared with. */
export type Renderer = {
  /** What stands before the first page. */
  start(): string
  /**
   * One page as chunks, none while columns are still being learnt. The renderer moves on only once the last chunk was
   * taken: take them all before one is written, and a page that fails in its middle leaves nothing behind.
   */
  page(records: Iterable<JsonRecord>): Iterable<string>
  /** What stands after the last page, held records included. */
  end(): string
  /** Values of unknown fields that came after the header and that no column could show: how many, by name. */
  readonly lost: ReadonlyMap<string, number>
  /** What a person should know about the output, such as columns that did not fit. Complete after `end`. */
  readonly notes: readonly string[]
}

const defaultLookAhead = 10_000
/** A table needs records to find its widths, also when its columns are known. */
const widthsLookAhead = 1_000

/**
 * A renderer of one format. Columns are those of the contract in order, then unknown fields by name. Throws a
 * `CliFailure` immediately for a bad delimiter, and when the columns are settled for a chosen name that does not exist.
 */
export function createRenderer(format: Format, options: PageRendererOptions): Renderer {
  const createWriter = findWriter(format, options)
  const lookAhead = lookAheadOf(format, options)
  const lost: Lost = new Map()
  const countsLost = options.chosen === undefined
  let held: JsonRecord[] = []
  let writer: Writer | undefined

  return {
    start: () => (lookAhead === 0 ? open([]).header : ''),
    page: (records) => (writer ? write(writer, records) : hold(records)),
    end() {
      if (writer) return writer.footer()
      const last = open(held)
      return [last.header, ...write(last, held), last.footer()].join('')
    },
    lost,
    get notes() {
      return writer?.notes ?? []
    },
  }

  function open(records: readonly JsonRecord[]): Writer {
    writer = createWriter(settleColumns(options, records))
    return writer
  }

  function* hold(records: Iterable<JsonRecord>): Generator<string, void, void> {
    const all = [...held, ...records]
    if (all.length < lookAhead) {
      held = all
      return
    }

    const opened = createWriter(settleColumns(options, all))
    yield opened.header
    yield* write(opened, all)
    held = []
    writer = opened
  }

  function* write(to: Writer, records: Iterable<JsonRecord>): Generator<string, void, void> {
    const lostHere: Lost = new Map()
    yield* countsLost ? to.records(records, lostHere) : to.records(records)
    for (const [name, count] of lostHere) lost.set(name, (lost.get(name) ?? 0) + count)
  }
}

/** The columns of the contract and those of unknown fields, narrowed to the chosen ones. */
export function settleColumns(
  {columns, chosen}: Pick<PageRendererOptions, 'columns' | 'chosen'>,
  records: readonly JsonRecord[],
): Column[] {
  const all = [...columns, ...unknownColumns(records, columns)]
  return chosen ? chooseColumns(all, chosen) : all
}

/** Nothing is held when the contract alone says what is shown. */
function lookAheadOf(format: Format, {columns, chosen, lookAhead = defaultLookAhead}: PageRendererOptions): number {
  const isJson = format === 'json' || format === 'ndjson'
  const isSettled = chosen ? chosen.every((name) => findColumns(columns, name).length > 0) : isJson
  if (!isSettled) return lookAhead
  return format === 'table' ? Math.min(lookAhead, widthsLookAhead) : 0
}
