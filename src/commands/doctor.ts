import {BaseCommand} from '../cli/base-command.js'
import {clientFlags} from '../cli/flags.js'

export default class Doctor extends BaseCommand {
  static override summary = 'Check everything between this machine and the service, and say how to mend it.'
  static override description = 'State folder, proxy, name, TLS, key, login, clock, read method, page ceiling.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --json',
  ]
  static override flags = clientFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(Doctor)
    const {examine} = await import('../cli/examine.js')
    await this.present(await examine(flags, this.environment, this.messages))
  }
}
