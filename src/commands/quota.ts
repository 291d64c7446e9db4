import {BaseCommand} from '../cli/base-command.js'
import {profileFlags} from '../cli/flags.js'
import {Profiles} from '../cli/profiles.js'
import {resolveSettings} from '../cli/settings.js'
import {simpleTable} from '../cli/simple-table.js'

export default class Quota extends BaseCommand {
  static override summary = 'Show the daily quota and what this run knows of its use.'
  static override description =
    'Counts the requests of one run only: other runs and machines with the same key are not seen.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --json',
  ]
  static override flags = profileFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(Quota)
    const {profile, values} = resolveSettings(flags, this.environment, new Profiles(this.environment))
    const perDay = Number(values.dailyQuota.value)
    const data = {
      profile,
      perDay,
      perSecond: Number(values.rate.value),
      burst: Number(values.burst.value),
      used: 0,
      left: perDay,
      leftIs: 'estimated',
    }
    const rows = Object.entries(data).map(([key, value]) => [key, String(value)])
    this.messages.note('Estimated: only the requests of this run are counted, and it sent none.')
    await this.present({data, text: await simpleTable(['what', 'value'], rows)})
  }
}
