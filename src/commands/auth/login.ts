import {Flags} from '@oclif/core'
import {clientFlags, grouped} from '../../cli/app/flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class AuthLogin extends BaseCommand {
  static override summary = 'Log in and store the key and token for a profile and stage.'
  static override description =
    'Asks for what is not given. The password is stored only with --save-password, which unattended token renewal needs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --username ops@example.com --api-key-file key.txt',
  ]
  /** No flag takes a secret itself. */
  static override flags = grouped('LOGIN', {
    ...clientFlags,
    username: Flags.string({description: 'User name (e-mail).'}),
    'api-key-file': Flags.string({helpValue: 'FILE', description: 'File with the API key.'}),
    'password-file': Flags.string({helpValue: 'FILE', description: 'File with the password.'}),
    'password-stdin': Flags.boolean({description: 'Read the password from standard input.'}),
    'save-password': Flags.boolean({
      description: 'Also store the password, so that the token can be renewed unattended.',
    }),
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(AuthLogin)
    const {logIn} = await import('../../cli/login/log-in.js')
    const {text, data} = await logIn(flags, this.context)
    this.messages.note(text)
    await this.present({data})
  }
}
