import {BaseCommand} from '../../../cli/start/base-command.js'

export default class SandboxFaultsClear extends BaseCommand {
  static override summary = 'Clear all faults.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --quiet']

  async run(): Promise<void> {
    await this.parse(SandboxFaultsClear)
    const {requireSandbox} = await import('../../../cli/sandbox/sandbox-state.js')
    const {askControl, presentFaults} = await import('../../../cli/sandbox/control-client.js')
    await this.present(await presentFaults(await askControl(requireSandbox(this.environment), 'DELETE', 'faults')))
  }
}
