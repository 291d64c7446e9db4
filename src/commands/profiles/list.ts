import type {ReadFlags} from '../../cli/read/read-flags.js'
import {recordFlags} from '../../cli/read/record-flags.js'
import {RecordsCommand} from '../../cli/read/records-command.js'

const columns = ['current', 'name', 'baseUrl', 'stage'] as const

export default class ProfilesList extends RecordsCommand {
  static override summary = 'List the profiles of this machine.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> -o csv']
  static override flags = recordFlags

  async run(): Promise<void> {
    const {flags} = await this.parse(ProfilesList)
    const {Profiles} = await import('../../cli/settings/profiles.js')
    const {ownColumns} = await import('../../cli/runs/run-columns.js')
    const {simpleTable} = await import('../../cli/terminal/simple-table.js')
    const profiles = new Profiles(this.environment)
    const rows = profiles.names().map((name) => {
      const {baseUrl = '', stage = ''} = profiles.find(name) ?? {}
      return {name, current: name === (profiles.current ?? 'default'), baseUrl, stage}
    })

    if (rows.length === 0) this.messages.note('No profiles yet. Make one: vendorctl profiles set NAME baseUrl=URL')
    const lines = rows.map(({name, current, baseUrl, stage}) => [current ? '*' : '', name, baseUrl, stage])
    const text = rows.length > 0 ? await simpleTable(columns, lines) : undefined
    const shown = {resource: 'profile', columns: ownColumns(columns), records: rows, usual: {text, data: rows}}
    await this.presentRecords(flags as ReadFlags, shown)
  }
}
