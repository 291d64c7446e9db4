import {ReadCommand} from '../../cli/read/read-command.js'
import {type ReadFlags, readFlags} from '../../cli/read/read-flags.js'

export default class OrganizationsList extends ReadCommand {
  static override summary = 'List organizations.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --columns id,name',
    "<%= config.bin %> <%= command.id %> --where 'timeZone~Pacific' -o csv",
  ]
  static override flags = readFlags('organizations.list')

  async run(): Promise<void> {
    const {flags} = await this.parse(OrganizationsList)
    await this.read('organizations.list', flags as ReadFlags)
  }
}
