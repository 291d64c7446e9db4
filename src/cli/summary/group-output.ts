import {selectRecords} from '../../formats/sort/select.js'
import {createSummary, toGroupRecords} from '../../reports/summary/count-lines.js'
import {summaryColumns} from '../../reports/summary/summary-fields.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {settleWhere} from '../read/read-to-output.js'
import type {SummaryFlags, SummaryOutput} from './summary-output.js'
import {openSummarySink} from './summary-sink.js'

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
          return sink
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
