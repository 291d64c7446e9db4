import {profileFlags} from '../../cli/app/flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class QuotaForget extends BaseCommand {
  static override summary = 'Forget that the service refused this key for today, and send requests again.'
  static override description =
    'After a refusal nothing is sent until the daily reset. Use this when the service accepts requests sooner, e.g. after the quota was raised. Counted requests stay counted. Sends no request.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --json',
  ]
  static override flags = profileFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(QuotaForget)
    const {forgetRefusal} = await import('../../cli/info/show-quota.js')
    const forgotten = await forgetRefusal(flags, this.context)
    this.messages.note(forgotten ? 'The refusal is forgotten; requests are sent again.' : 'No refusal is remembered.')
    await this.present({data: {forgotten}})
  }
}
