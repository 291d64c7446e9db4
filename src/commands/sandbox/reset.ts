import {BaseCommand} from '../../cli/start/base-command.js'

export default class SandboxReset extends BaseCommand {
  static override summary = 'Restore the seed data and the clock; clear faults, counters, limits and the log.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --quiet']

  async run(): Promise<void> {
    await this.parse(SandboxReset)
    const {forgetRequests} = await import('../../cli/client/key-ledger.js')
    const {requireSandbox} = await import('../../cli/sandbox/sandbox-state.js')
    const {askControl} = await import('../../cli/sandbox/control-client.js')
    const sandbox = requireSandbox(this.environment)
    await askControl(sandbox, 'POST', 'reset')
    await forgetRequests(this.environment, sandbox.url, (text) => this.caution(text))
    this.messages.note(`The sandbox at ${sandbox.url} has the seed world again.`)
    await this.present({data: {reset: sandbox.url}})
  }
}
