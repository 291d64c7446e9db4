import {BaseCommand} from '../../../cli/base-command.js'
import {presentFaults} from '../../../cli/fault-list.js'
import {requireSandbox} from '../../../cli/sandbox-state.js'
import {askControl} from '../../../sandbox/control-client.js'

export default class SandboxFaultsClear extends BaseCommand {
  static override summary = 'Take all faults away.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --quiet']

  async run(): Promise<void> {
    await this.parse(SandboxFaultsClear)
    await this.present(await presentFaults(await askControl(requireSandbox(this.environment), 'DELETE', 'faults')))
  }
}
