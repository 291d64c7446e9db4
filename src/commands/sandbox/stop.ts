import {BaseCommand} from '../../cli/base-command.js'
import {requireSandbox} from '../../cli/sandbox-state.js'
import {askControl} from '../../sandbox/control-client.js'

export default class SandboxStop extends BaseCommand {
  static override summary = 'Stop the sandbox.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']

  async run(): Promise<void> {
    await this.parse(SandboxStop)
    const sandbox = requireSandbox(this.environment)
    await askControl(sandbox, 'POST', 'stop')
    this.messages.note(`Stopped the sandbox at ${sandbox.url}.`)
    await this.present({data: {stopped: sandbox.url}})
  }
}
