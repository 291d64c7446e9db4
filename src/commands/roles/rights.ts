import {readFlags} from '../../cli/read/read-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class RolesRights extends BaseCommand {
  static override summary = 'List the rights of roles at machines.'
  static override description = 'One row for each machine and right.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --machine PRS100001 -o table',
    '<%= config.bin %> <%= command.id %> --role 3 --machine @route7.txt -o csv',
  ]
  static override flags = readFlags('roles.rights')

  async run(): Promise<void> {
    const {flags} = await this.parse(RolesRights)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('roles.rights', flags, this.context)
  }
}
