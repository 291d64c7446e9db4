import {BaseCommand} from '../../cli/app/base-command.js'
import {profileFlags} from '../../cli/app/flags.js'
import {recordFlags} from '../../cli/read/read-flags.js'

export default class Quota extends BaseCommand {
  static override summary = 'Show the requests used and left today, and which runs used them.'
  static override description =
    'Counts the requests of all runs on this machine, per service and API key, and with the setting budget those of all machines that share it. Requests of other machines are otherwise unknown until the service refuses. Sends no request. With -o, lists the runs of this machine.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --json',
  ]
  static override flags = {...profileFlags, ...recordFlags}

  async run(): Promise<void> {
    const {flags} = await this.parse(Quota)
    const {reportQuota} = await import('../../cli/info/quota-report.js')
    const report = await reportQuota(flags, this.context)
    if (report.key === null)
      this.messages.note('No key is set up yet, so nothing was counted. See: vendorctl auth login')
    else if (report.runs.length === 0) this.messages.note('No requests yet.')
    const {renderQuota} = await import('../../cli/info/render-quota.js')
    const {presentRecords} = await import('../../cli/read/present-records.js')
    const {ownColumns, toTimeColumn} = await import('../../cli/runs/run-columns.js')
    await presentRecords(flags, this.context, {
      resource: 'run',
      columns: [...ownColumns(['requests', 'command', 'runId', 'pid'], ['requests', 'pid']), toTimeColumn('startedAt')],
      records: report.runs,
      usual: {data: report, text: await renderQuota(report)},
    })
  }
}
