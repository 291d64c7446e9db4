import {Flags} from '@oclif/core'
import {named, profileFlags} from '../../cli/app/flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class AuthLogout extends BaseCommand {
  static override summary = 'Delete the stored secrets of a profile and stage.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --all']
  static override flags = named({
    ...profileFlags,
    all: Flags.boolean({description: 'Delete those of every profile and stage; not with -p or --stage.'}),
  })

  async run(): Promise<void> {
    const {flags, raw} = await this.parse(AuthLogout)
    const {logOut, refuseNarrowed} = await import('../../cli/login/log-out.js')
    if (flags.all) refuseNarrowed(raw.flatMap((token) => (token.type === 'flag' ? token.flag : [])))
    const removed = await logOut(flags, this.environment)
    this.messages.note(removed.length > 0 ? `Deleted the secrets of ${removed.join(', ')}.` : 'Nothing was stored.')
    await this.present({data: {removed}})
  }
}
