import {loginFlags} from '../../cli/login/login-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class AuthLogin extends BaseCommand {
  static override summary = 'Log in and store the key and token for a profile and stage.'
  static override description =
    'Asks for what is not given. The password is stored only with --save-password, which unattended token renewal needs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --username ops@example.com --api-key-file key.txt',
  ]
  static override flags = loginFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(AuthLogin)
    const {logIn} = await import('../../cli/login/log-in.js')
    const {text, data} = await logIn(flags, this.context)
    this.messages.note(text)
    await this.present({data})
  }
}
