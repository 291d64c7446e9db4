import {BaseCommand} from '../../../cli/base-command.js'

export default class SandboxFaults extends BaseCommand {
  static override summary = 'Show the faults that are set and how often each fired.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']

  async run(): Promise<void> {
    await this.parse(SandboxFaults)
    const {presentFaults} = await import('../../../cli/fault-list.js')
    const {requireSandbox} = await import('../../../cli/sandbox-state.js')
    const {askControl} = await import('../../../sandbox/control-client.js')
    await this.present(await presentFaults(await askControl(requireSandbox(this.environment), 'GET', 'faults')))
  }
}
