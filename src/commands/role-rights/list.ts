import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class RoleRightsList extends BaseCommand {
  static override summary = 'List what roles allow.'
  static override description = 'One row for each role and right, with its three flags.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --role 3 -o table',
    '<%= config.bin %> <%= command.id %> --role 3 -o csv --output-file rights.csv',
  ]
  static override flags = readFlags('role-rights.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(RoleRightsList)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('role-rights.list', flags, this.context)
  }
}
