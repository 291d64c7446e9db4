import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class RolesList extends BaseCommand {
  static override summary = 'List roles.'
  static override description = 'The roles of every organization that you may access.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --organization 2 -o table',
    "<%= config.bin %> <%= command.id %> --where 'name~driver'",
  ]
  static override flags = readFlags('roles.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(RolesList)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('roles.list', flags, this.context)
  }
}
