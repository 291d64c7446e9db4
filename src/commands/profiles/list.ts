import {recordFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

const columns = ['current', 'name', 'baseUrl', 'stage'] as const

export default class ProfilesList extends BaseCommand {
  static override summary = 'List the profiles of this machine.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> -o csv']
  static override flags = recordFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(ProfilesList)
    const {Profiles} = await import('../../settings/profiles.js')
    const {presentRecords} = await import('../../cli/read/present-records.js')
    const {ownColumns} = await import('../../cli/read/own-columns.js')
    const {simpleTable} = await import('../../cli/terminal/simple-table.js')
    const profiles = new Profiles(this.environment)
    const rows = profiles.names().map((name) => {
      const {baseUrl = '', stage = ''} = profiles.find(name) ?? {}
      return {name, current: name === profiles.inUse, baseUrl, stage}
    })

    if (rows.length === 0) this.messages.note('No profiles yet. Make one: vendorctl profiles set NAME baseUrl=URL')
    const lines = rows.map(({name, current, baseUrl, stage}) => [current ? '*' : '', name, baseUrl, stage])
    const text = rows.length > 0 ? await simpleTable(columns, lines) : undefined
    const shown = {resource: 'profile', columns: ownColumns(columns), records: rows, usual: {text, data: rows}}
    await presentRecords(flags, this.context, shown)
  }
}
