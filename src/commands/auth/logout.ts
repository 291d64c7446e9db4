import {Flags} from '@oclif/core'
import {BaseCommand} from '../../cli/base-command.js'
import {environmentName, profileFlags} from '../../cli/flags.js'

export default class AuthLogout extends BaseCommand {
  static override summary = 'Delete every stored secret of this profile and stage.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --all']
  static override flags = {
    ...profileFlags,
    all: Flags.boolean({env: environmentName('all'), description: 'Of every profile and stage.'}),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(AuthLogout)
    const {logOut} = await import('../../cli/log-out.js')
    const removed = await logOut(flags, this.environment)
    this.messages.note(removed.length > 0 ? `Deleted the secrets of ${removed.join(', ')}.` : 'Nothing was stored.')
    await this.present({data: {removed}})
  }
}
