import {Args, Flags} from '@oclif/core'
import {BaseCommand} from '../../cli/base-command.js'
import {environmentName, profileFlags} from '../../cli/flags.js'
import {Profiles} from '../../cli/profiles.js'
import {settingKeys, settingNames} from '../../cli/setting-keys.js'
import {resolveSettings} from '../../cli/settings.js'
import {simpleTable} from '../../cli/simple-table.js'

export default class ProfilesShow extends BaseCommand {
  static override summary = 'Show the settings in force.'
  static override description = 'A flag wins over the environment, that over the profile, that over the default.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> sandbox --origin',
  ]
  static override args = {
    name: Args.string({ignoreStdin: true, description: 'Profile; the current one when left out.'}),
  }
  static override flags = {
    ...profileFlags,
    origin: Flags.boolean({env: environmentName('origin'), description: 'Say where each value came from.'}),
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ProfilesShow)
    const chosen = args.name === undefined ? flags : {...flags, profile: args.name}
    const {profile, values} = resolveSettings(chosen, this.environment, new Profiles(this.environment))
    const settings = settingNames.map((key) => ({...values[key], about: settingKeys[key].about}))

    this.messages.detail(`profile ${profile}`)
    const headers = flags.origin ? ['key', 'value', 'origin', 'meaning'] : ['key', 'value', 'meaning']
    const rows = settings.map(({key, value = '', origin, about}) =>
      flags.origin ? [key, value, origin, about] : [key, value, about],
    )
    const data = settings.map(({key, value, origin}) => ({key, value: value ?? null, origin}))
    await this.present({data: {profile, settings: data}, text: await simpleTable(headers, rows)})
  }
}
