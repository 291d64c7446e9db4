import {BaseCommand} from '../../../cli/base-command.js'
import {presentFaults} from '../../../cli/fault-list.js'
import {requireSandbox} from '../../../cli/sandbox-state.js'
import {askControl} from '../../../sandbox/control-client.js'

export default class SandboxFaults extends BaseCommand {
  static override summary = 'Show the faults that are set and how often each fired.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']

  async run(): Promise<void> {
    await this.parse(SandboxFaults)
    await this.present(await presentFaults(await askControl(requireSandbox(this.environment), 'GET', 'faults')))
  }
}
