import {profileFlags} from '../../cli/app/flags.js'
import {recordFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class Quota extends BaseCommand {
  static override summary = 'Show requests used and left today, and by which runs.'
  static override description =
    'Counts the requests of all runs on this machine, per service and API key, and with the setting budget those of all machines that share it. Requests of other machines are otherwise unknown until the service refuses. Sends no request. -o json and ndjson contain all of this as one record; other formats list the runs of this machine, as any format does with --columns, --where, --sort or --limit.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --json',
  ]
  static override flags = {...profileFlags, ...recordFlags}

  async run(): Promise<void> {
    const {flags} = await this.parse(Quota)
    const {renderQuota, reportQuota} = await import('../../cli/info/show-quota.js')
    const report = await reportQuota(flags, this.context)
    if (report.key === null)
      this.messages.note('No key is set up yet, so nothing was counted. See: vendorctl auth login')
    else if (report.runs.length === 0) this.messages.note('No requests yet.')
    const {formatOf} = await import('../../cli/read/format-of.js')
    const {presentRecords} = await import('../../cli/read/present-records.js')
    const {ownColumns, toTimeColumn} = await import('../../cli/read/own-columns.js')
    const usual = {data: report, text: await renderQuota(report)}
    const {columns, where, sort, limit, 'output-file': path} = flags
    const isChosen = [columns, where, sort, limit].some((one) => one !== undefined)
    if (!isChosen && ['json', 'ndjson'].includes(formatOf(flags, path)))
      return presentRecords(flags, this.context, {resource: 'quota', columns: [], records: [report], usual})
    await presentRecords(flags, this.context, {
      resource: 'run',
      columns: [...ownColumns(['requests', 'command', 'runId', 'pid'], ['requests', 'pid']), toTimeColumn('startedAt')],
      records: report.runs,
      usual,
    })
  }
}
