import {profileFlags} from '../../cli/app/flags.js'
import type {ReadFlags} from '../../cli/read/read-flags.js'
import {recordFlags} from '../../cli/read/record-flags.js'
import {RecordsCommand} from '../../cli/read/records-command.js'

export default class Quota extends RecordsCommand {
  static override summary = 'Show the requests of the key used and left today, and by which runs.'
  static override description =
    'Every run of this machine is counted, per service and API key, before its requests are sent. Requests of other machines with the same key are not seen until the service refuses. Sends no request. With -o, the runs are listed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --json',
  ]
  static override flags = {...profileFlags, ...recordFlags}

  async run(): Promise<void> {
    const {flags} = await this.parse(Quota)
    const {reportQuota} = await import('../../cli/info/quota-report.js')
    const report = await reportQuota(flags, this.environment, this.messages)
    if (report.key === null)
      this.messages.note('No key is set up yet, so nothing was counted. See: vendorctl auth login')
    const {renderQuota} = await import('../../cli/info/render-quota.js')
    const {ownColumns} = await import('../../cli/runs/run-columns.js')
    await this.presentRecords(flags as ReadFlags, {
      resource: 'run',
      columns: ownColumns(['requests', 'command', 'runId', 'pid', 'startedAt'], ['requests', 'pid']),
      records: report.runs,
      usual: {data: report, text: await renderQuota(report)},
    })
  }
}
