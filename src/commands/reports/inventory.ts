import {BaseCommand} from '../../cli/app/base-command.js'
import {readFlags} from '../../cli/read/read-flags.js'

export default class ReportsInventory extends BaseCommand {
  static override summary = 'Read every change of stock.'
  static override description = 'Sales have the user 0.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --start 2024-07 --end 2024-07 -o csv',
    '<%= config.bin %> <%= command.id %> --machine PRS100001 --start -7d',
  ]
  static override flags = readFlags('reports.inventory')

  async run(): Promise<void> {
    const {flags} = await this.parse(ReportsInventory)
    const {listRecords} = await import('../../cli/read/list-records.js')
    await listRecords('reports.inventory', flags, this.context)
  }
}
