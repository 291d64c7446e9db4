import {type Column, toColumnNames} from '../../formats/columns.js'
import {isForPeople} from '../../formats/outputs/format-table.js'
import {createTextOutput} from '../../formats/outputs/text-output.js'
import {selectRecords} from '../../formats/sort/sort-key.js'
import {type RowSink, toSink, type Written} from '../../reports/read/row-sink.js'
import {createSummary, describeMissing, toGroupRecords} from '../../reports/summary/count-lines.js'
import {drawBars, keys, summaryColumns, withBars} from '../../reports/summary/summary-fields.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, parseJson} from '../../values/json.js'
import {settleWhere} from '../read/filter-values.js'
import {formatOf, isOnTerminal} from '../read/format-of.js'
import {openSink} from '../read/open-sink.js'
import {writeRecords} from '../read/present-records.js'
import type {OutputOptions, SummaryFlags, SummaryOutput, SummaryWork} from './summary-output.js'

/** The groups as records, in any format of records. */
export function openGroups(flags: SummaryFlags, {isMixed, context}: OutputOptions): SummaryOutput {
  const by = [...new Set(flags.by ?? ['day' as const])]
  const summary = createSummary([by], {isMixed})
  const columns = summaryColumns(by)
  const order = {where: settleWhere(flags, columns, context), sort: flags.sort, limit: flags.limit}

  return {
    summary,
    isPage: false,
    unit: 'group',
    async open(target) {
      const write = await openTable(flags, target, by, context.isJson)
      return async () => {
        for (const text of describeMissing(summary)) context.caution(text)
        const {records: groups, isCut} = selectRecords(toGroupRecords(summary.groupings().flat()), columns, order)
        const total = summary.total().toRecord()
        const written = await write(groups, total)
        const cut = `showing ${counted(groups.length, 'group')}; --limit cut the rest off, the total is of all`
        if (isCut) context.messages.note(cut)
        return Array.isArray(written.data) ? {...written, data: {by, groups: written.data, total}} : written
      }
    },
  }
}

/**
 * The writer of groups: on a terminal with a bar beside each price, and for people with a last row of totals; all other
 * formats have the groups alone.
 */
async function openTable(
  flags: SummaryFlags,
  target: SummaryWork['target'],
  by: NonNullable<SummaryFlags['by']>,
  isJson: boolean,
): Promise<(groups: readonly JsonRecord[], total: JsonRecord) => Promise<Written>> {
  const format = formatOf(flags, target.path)
  const hasBars = format === 'table' && isOnTerminal(target.path)
  const columns = hasBars ? withBars(summaryColumns(by)) : summaryColumns(by)
  const key = by.map((name) => keys[name].columns[0]?.name ?? '')
  const table = {name: `summary_by_${by.join('_')}`, key}
  if (isJson && target.path === undefined) {
    const sink = await openKeeping(columns, flags.columns)
    return (groups) => writeRecords(groups, sink)
  }
  const {where: _asked, sort: _order, limit: _most, ...shown} = flags // groups were selected before
  const sink = await openSink(shown, target, columns, {resource: 'summary', table})
  return async (groups, total) => {
    await sink.records(hasBars ? drawBars(groups) : groups)
    if (isForPeople(format)) await sink.records([{[key[0] ?? '']: 'total', ...total}])
    await sink.end()
    return {...sink.written(), rows: groups.length}
  }
}

/** Keeps the records, with the chosen columns only, for an envelope that shows more than them. */
async function openKeeping(columns: readonly Column[], names: string | undefined): Promise<RowSink> {
  const chosen = names === undefined ? undefined : toColumnNames([names])
  const kept: JsonRecord[] = []
  const keep = async (bytes: Buffer) => {
    for (const line of bytes.toString().split('\n')) if (line !== '') kept.push(parseJson(line) as JsonRecord)
  }
  return toSink(await createTextOutput(keep, 'ndjson', {columns, chosen}), kept)
}
