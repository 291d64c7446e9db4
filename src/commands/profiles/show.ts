import {Args, Flags} from '@oclif/core'
import {environmentName, profileFlags} from '../../cli/flags.js'
import type {ReadFlags} from '../../cli/read-flags.js'
import {recordFlags} from '../../cli/record-flags.js'
import {RecordsCommand} from '../../cli/records-command.js'

export default class ProfilesShow extends RecordsCommand {
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
    ...recordFlags,
  }

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ProfilesShow)
    const {Profiles} = await import('../../cli/profiles.js')
    const {settingKeys, settingNames} = await import('../../cli/setting-keys.js')
    const {ownColumns} = await import('../../cli/run-columns.js')
    const {resolveSettings} = await import('../../cli/settings.js')
    const {simpleTable} = await import('../../cli/simple-table.js')
    const chosen = args.name === undefined ? flags : {...flags, profile: args.name}
    const {profile, values} = resolveSettings(chosen, this.environment, new Profiles(this.environment))
    const settings = settingNames.map((key) => ({...values[key], about: settingKeys[key].about}))

    this.messages.detail(`profile ${profile}`)
    const headers = flags.origin ? ['key', 'value', 'origin', 'meaning'] : ['key', 'value', 'meaning']
    const rows = settings.map(({key, value = '', origin, about}) =>
      flags.origin ? [key, value, origin, about] : [key, value, about],
    )
    const data = settings.map(({key, value, origin}) => ({key, value: value ?? null, origin}))
    await this.presentRecords(flags as ReadFlags, {
      resource: 'setting',
      columns: ownColumns(['key', 'value', 'origin', 'about']),
      records: data.map((row) => ({...row, about: settingKeys[row.key].about})),
      usual: {data: {profile, settings: data}, text: await simpleTable(headers, rows)},
    })
  }
}
