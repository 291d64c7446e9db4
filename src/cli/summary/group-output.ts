import {type Column, toColumn, toColumnNames} from '../../formats/columns.js'
import {isForPeople} from '../../formats/outputs/format-table.js'
import {selectRecords} from '../../formats/sort/select.js'
import {createText, openRows, type RowSink} from '../../reports/read/row-sink.js'
import {createSummary, toGroupRecords} from '../../reports/summary/count-lines.js'
import {keys, summaryColumns} from '../../reports/summary/summary-fields.js'
import type {SummaryKey} from '../../reports/summary/summary-keys.js'
import {counted} from '../../values/counted.js'
import {isNumber, type JsonRecord, type JsonValue, numberText, parseJson} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {formatOf, isOnTerminal} from '../read/format-of.js'
import {openSink} from '../read/open-sink.js'
import type {ReadFlags} from '../read/read-flags.js'
import {settleWhere} from '../read/read-to-output.js'
import type {TextTarget} from '../read/text-target.js'
import type {SummaryFlags, SummaryOutput} from './summary-output.js'

type Options = {isMixed: boolean; context: CommandContext}

/** What all groups add up to, once all rows were read. */
type Totals = {total?: JsonRecord}

/** The groups as records, in any format of records. */
export function openGroups(flags: SummaryFlags, {isMixed, context}: Options): SummaryOutput {
  const by = [...new Set(flags.by ?? ['day' as const])]
  const summary = createSummary([by], {isMixed})
  const columns = summaryColumns(by)
  const where = settleWhere(flags, columns, context)
  const order = {where, ...(flags.sort !== undefined && {sort: flags.sort}), limit: flags.limit}
  const totals: Totals = {}

  return {
    summary,
    isPage: false,
    unit: 'group',
    async open(target) {
      const sink = await openSummarySink(flags, target, by, {json: context.isJson, total: () => totals.total})
      return {
        context: withTotals(by, totals, context),
        async write() {
          const {records: groups, isCut} = selectRecords(toGroupRecords(summary.groupings().flat()), columns, order)
          totals.total = summary.total().toRecord()
          await sink.records(groups)
          await sink.end()
          if (isCut)
            context.messages.note(
              `showing ${counted(groups.length, 'group')}; --limit cut the rest off, the total is of all`,
            )
          return sink.written()
        },
      }
    },
  }
}

/** The groups are the data of the envelope, with what they add up to beside them. */
function withTotals(by: string[], totals: Totals, context: CommandContext): CommandContext {
  return {
    ...context,
    present(presented) {
      const {data} = presented
      const {total} = totals
      const isDone = total !== undefined && Array.isArray(data)
      return context.present(isDone ? {...presented, data: {by, groups: data, total}} : presented)
    },
  }
}

const barColumn = toColumn(['bar'], 'text')
/** The most wanted columns stand before those that may not fit the terminal. */
const firstCounts = ['totalPrice', 'bar', 'lines', 'batches', 'failedLines']

export type SummarySinkOptions = {
  json: boolean
  /** Known once all rows were read. */
  total: () => JsonRecord | undefined
}

/**
 * The sink of a summary: on a terminal with a bar beside each price, and for people with a last row of totals; all other
 * formats hold the groups alone.
 */
async function openSummarySink(
  flags: ReadFlags,
  target: TextTarget,
  by: readonly SummaryKey[],
  {json, total}: SummarySinkOptions,
): Promise<RowSink> {
  const format = formatOf(flags, target.path)
  const hasBars = format === 'table' && isOnTerminal(target.path)
  const columns = hasBars ? withBars(summaryColumns(by)) : summaryColumns(by)
  const key = by.map((name) => keys[name].columns[0]?.name ?? '')
  const table = {name: `summary_by_${by.join('_')}`, key}
  if (json && target.path === undefined) {
    return openKeeping(columns, flags.columns === undefined ? {} : {chosen: toColumnNames([flags.columns])})
  }
  const {where: _asked, sort: _order, limit: _most, ...shown} = flags // groups were selected before
  const sink = await openSink(shown, target, columns, {resource: 'summary', table})
  if (!isForPeople(format)) return sink

  let groups = 0
  return {
    ...sink,
    async records(records) {
      const rows = [...records]
      groups += rows.length
      await sink.records(hasBars ? drawBars(rows) : rows)
    },
    async end() {
      const last = total()
      if (last) await sink.records([{[key[0] ?? '']: 'total', ...last}])
      await sink.end()
    },
    written: () => ({...sink.written(), rows: groups}),
  }
}

/** Keeps the records, with the chosen columns only, for an envelope that shows more than them. */
function openKeeping(columns: readonly Column[], chosen: {chosen?: string[]}): Promise<RowSink> {
  const kept: JsonRecord[] = []
  const keep = async (bytes: Buffer) => {
    for (const line of bytes.toString().split('\n')) if (line !== '') kept.push(parseJson(line) as JsonRecord)
  }
  return openRows({open: (options) => createText(keep, 'ndjson', options), options: {columns, ...chosen}, data: kept})
}

function withBars(columns: readonly Column[]): Column[] {
  const all = [...columns, barColumn]
  const first = firstCounts.flatMap((name) => all.find((column) => column.name === name) ?? [])
  const counts = columns.findIndex(({name}) => name === 'batches')
  return [...columns.slice(0, counts), ...first, ...columns.slice(counts).filter((column) => !first.includes(column))]
}

/** No longer than what a table never cuts: a cut bar would lie. */
const longestBar = 12
/** From an eighth of a cell to a full one. */
const blocks = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'] as const

/** Adds a `bar` to each group, in proportion to the exact price beside it. */
export function drawBars(groups: readonly JsonRecord[]): JsonRecord[] {
  const sizes = groups.map(({totalPrice}) => toSize(totalPrice))
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0)
  return groups.map((group, place) => ({...group, bar: largest > 0 ? toBar((sizes[place] ?? 0) / largest) : ''}))
}

/** Any amount above zero is visible. */
function toBar(share: number): string {
  const eighths = share > 0 ? Math.max(1, Math.round(share * longestBar * blocks.length)) : 0
  const fullBlock = blocks[blocks.length - 1] as string
  return fullBlock.repeat(Math.floor(eighths / blocks.length)) + (blocks[(eighths % blocks.length) - 1] ?? '')
}

function toSize(value: JsonValue | undefined): number {
  return value !== undefined && isNumber(value) ? Math.max(0, Number(numberText(value))) : 0
}
