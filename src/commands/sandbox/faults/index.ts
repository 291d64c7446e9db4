import {recordFlags} from '../../../cli/read/read-flags.js'
import {BaseCommand} from '../../../cli/start/base-command.js'

export default class SandboxFaults extends BaseCommand {
  static override summary = 'Show the faults that are set and how often each fired.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']

  static override flags = recordFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(SandboxFaults)
    const {presentRecords} = await import('../../../cli/read/present-records.js')
    const {ownColumns} = await import('../../../cli/read/own-columns.js')
    const {requireSandbox} = await import('../../../cli/sandbox/sandbox-state.js')
    const {askControl, presentFaults} = await import('../../../cli/sandbox/control-client.js')
    const usual = await presentFaults(await askControl(requireSandbox(this.environment), 'GET', 'faults'))
    const columns = ownColumns(['fault', 'seen', 'fired'], ['seen', 'fired'])
    await presentRecords(flags, this.context, {resource: 'fault', columns, records: usual.data, usual})
  }
}
