import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../../cli/app/base-command.js'
import {environmentName as env} from '../../cli/app/flags.js'
import {readFlags} from '../../cli/read/read-flags.js'
import {noSplitFlag} from '../../cli/reports/export-flags.js'
import {summaryKeys} from '../../reports/summary/summary-keys.js'

const {'fail-on-truncate': _wholeAnyway, ...flags} = readFlags('reports.transactions')

export default class ReportsSummary extends BaseCommand {
  static override summary = 'Summarize transactions by day, hour, site, machine or product.'
  static override description =
    'Reads the service, or an exported FILE without any request. A FILE is csv, tsv, json or ndjson, plain or .gz. The column lines counts every line item; failed vends are also counted separately and add to failedPrice only. Days and hours are machine-local time.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --by site --start 2024-07 --end 2024-07',
    '<%= config.bin %> <%= command.id %> july.csv --by product --sort -totalPrice --limit 10',
    '<%= config.bin %> <%= command.id %> july.ndjson.gz --by day --by hour -o csv',
  ]
  static override args = {file: Args.string({ignoreStdin: true, description: 'Exported report; - is standard input.'})}
  static override flags = {
    ...flags,
    by: Flags.option({
      env: env('by'),
      options: summaryKeys,
      multiple: true,
      multipleNonGreedy: true,
      default: ['day'],
      helpGroup: 'OUTPUT',
      description: 'Group by this; repeatable. hour is the hour of the day.',
    })(),
    'no-split': noSplitFlag,
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ReportsSummary)
    const {summarizeReport} = await import('../../cli/summary/summarize.js')
    await summarizeReport(args.file, flags, this.context)
  }
}
