import {Flags} from '@oclif/core'
import {BaseCommand} from '../../cli/base-command.js'
import {clientFlags, environmentName as env} from '../../cli/flags.js'
import {logIn} from '../../cli/log-in.js'

export default class AuthLogin extends BaseCommand {
  static override summary = 'Log in and keep key and token for this profile and stage.'
  static override description =
    'Asks for what is not given. The password is kept only with --save-password, which renewal without you needs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --username ops@example.com --api-key-file key.txt',
  ]
  static override flags = {
    ...clientFlags,
    username: Flags.string({env: env('username'), helpGroup: 'LOGIN', description: 'User name (e-mail).'}),
    'api-key-file': Flags.string({
      env: env('api-key-file'),
      helpGroup: 'LOGIN',
      helpValue: 'FILE',
      description: 'File that holds the API key.',
    }),
    'password-file': Flags.string({
      env: env('password-file'),
      helpGroup: 'LOGIN',
      helpValue: 'FILE',
      description: 'File that holds the password.',
    }),
    'password-stdin': Flags.boolean({
      env: env('password-stdin'),
      helpGroup: 'LOGIN',
      description: 'Read the password from standard input.',
    }),
    'save-password': Flags.boolean({
      env: env('save-password'),
      helpGroup: 'LOGIN',
      description: 'Keep the password too, so that the token renews itself.',
    }),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(AuthLogin)
    const {text, data} = await logIn(flags, this.environment, this.messages)
    this.messages.note(text)
    await this.present({data})
  }
}
