import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class OrganizationsList extends BaseCommand {
  static override summary = 'List organizations.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --columns id,name',
    "<%= config.bin %> <%= command.id %> --where 'timeZone~Pacific' -o csv",
  ]
  static override flags = readFlags('organizations.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(OrganizationsList)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('organizations.list', flags, this.context)
  }
}
