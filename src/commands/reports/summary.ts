import {Args} from '@oclif/core'
import {BaseCommand} from '../../cli/start/base-command.js'
import {summaryFlags} from '../../cli/summary/summary-flags.js'

export default class ReportsSummary extends BaseCommand {
  static override summary = 'Summarize transactions by day, hour, site, machine or product.'
  static override description =
    'Reads the service, or an exported FILE without any request. A FILE is csv, tsv, json or ndjson, plain or .gz. The column lines counts every line item; failed vends are also counted separately and add to failedPrice only. Days and hours are machine-local time.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --by site --start 2024-07 --end 2024-07',
    '<%= config.bin %> <%= command.id %> july.csv --by product --sort -totalPrice --limit 10',
    '<%= config.bin %> <%= command.id %> july.ndjson.gz --by day --by hour -o csv',
    '<%= config.bin %> <%= command.id %> --start -7d --output-file week.html',
  ]
  static override args = {file: Args.string({ignoreStdin: true, description: 'Exported report; - is standard input.'})}
  static override flags = summaryFlags

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ReportsSummary)
    const {summarizeReport} = await import('../../cli/summary/summarize.js')
    await summarizeReport(args.file, flags, this.context)
  }
}
