import {Args, Flags} from '@oclif/core'
import {named, profileFlags} from '../../cli/app/flags.js'
import {recordFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ProfilesShow extends BaseCommand {
  static override summary = 'Show the effective settings.'
  static override description = 'Precedence: flag, environment, own profile, profile in /etc/vendorctl, default.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> sandbox --origin',
  ]
  static override args = {name: Args.string({ignoreStdin: true, description: 'Profile; the current one by default.'})}
  static override flags = named({
    ...profileFlags,
    origin: Flags.boolean({description: 'Show where each value comes from.'}),
    ...recordFlags,
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(ProfilesShow)
    const {presentRecords} = await import('../../cli/read/present-records.js')
    const {ownColumns} = await import('../../cli/read/own-columns.js')
    const {listSettings, resolveSettings} = await import('../../settings/settings.js')
    const {simpleTable} = await import('../../cli/terminal/simple-table.js')
    const chosen = args.name === undefined ? flags : {...flags, profile: args.name}
    const resolved = resolveSettings(chosen, this.environment)
    const {profile} = resolved
    const records = listSettings(resolved)

    this.messages.detail(`profile ${profile}`)
    const all = ['key', 'value', 'origin', 'about'] as const
    const columns = flags.origin ? all : all.filter((name) => name !== 'origin')
    const headers = columns.map((name) => (name === 'about' ? 'meaning' : name))
    const rows = records.map((record) => columns.map((name) => record[name] ?? ''))
    const text = await simpleTable(headers, rows)
    const usual = {data: {profile, settings: records.map(({about, ...setting}) => setting)}, text}
    await presentRecords(flags, this.context, {resource: 'setting', columns: ownColumns(all), records, usual})
  }
}
