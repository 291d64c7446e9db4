import {BaseCommand} from '../../cli/base-command.js'

export default class SandboxStop extends BaseCommand {
  static override summary = 'Stop the sandbox.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']

  async run(): Promise<void> {
    await this.parse(SandboxStop)
    const {requireSandbox} = await import('../../cli/sandbox-state.js')
    const {askControl} = await import('../../sandbox/control-client.js')
    const sandbox = requireSandbox(this.environment)
    await askControl(sandbox, 'POST', 'stop')
    this.messages.note(`Stopped the sandbox at ${sandbox.url}.`)
    await this.present({data: {stopped: sandbox.url}})
  }
}
