import {BaseCommand} from '../../cli/start/base-command.js'
import type {JsonRecord} from '../../values/json.js'

export default class SandboxStatus extends BaseCommand {
  static override summary = 'Show the running sandbox: its address, contents and requests.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']

  async run(): Promise<void> {
    await this.parse(SandboxStatus)
    const {requireSandbox} = await import('../../cli/sandbox/sandbox-state.js')
    const {sayValue, simpleTable} = await import('../../cli/terminal/simple-table.js')
    const {askControl} = await import('../../cli/sandbox/control-client.js')
    const {url, pid, startedAt, adminToken} = requireSandbox(this.environment)
    const status = await askControl({url, adminToken}, 'GET', 'status')
    const data: JsonRecord = {pid, startedAt, ...(status as JsonRecord)}
    const rows = Object.entries(data).map(([name, value]) => [name, sayValue(value)])
    await this.present({data, text: await simpleTable(['what', 'value'], rows)})
  }
}
