import {BaseCommand} from '../../cli/start/base-command.js'

export default class SandboxStop extends BaseCommand {
  static override summary = 'Stop the sandbox.'
  static override description = 'Also succeeds when none is running.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']

  async run(): Promise<void> {
    await this.parse(SandboxStop)
    const {findSandbox, untilGone} = await import('../../cli/sandbox/sandbox-state.js')
    const {stopSandbox} = await import('../../cli/sandbox/control-client.js')
    const sandbox = findSandbox(this.environment)
    if (!(sandbox && (await stopSandbox(sandbox)))) {
      this.messages.note('No sandbox is running; nothing to stop.')
      return this.present({data: {stopped: null}})
    }
    await untilGone(this.environment, sandbox)
    this.messages.note(`Stopped the sandbox at ${sandbox.url}.`)
    await this.present({data: {stopped: sandbox.url}})
  }
}
