import {notifyFlags} from '../../cli/jobs/jobs-flags.js'
import {readFlags} from '../../cli/read/read-flags.js'
import {cronFlags, deliveryFlags, exportFlags, noSplitFlag} from '../../cli/reports/export-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

const {'time-basis': _onlyUtc, ...ofExports} = exportFlags

export default class ReportsInventory extends BaseCommand {
  static override summary = 'Read every change of stock over any date range.'
  static override description =
    'A range longer than the service allows is split into windows and read completely. Dates are UTC. Sales have the user 0.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --start yesterday --end yesterday --output-file stock.csv',
    '<%= config.bin %> <%= command.id %> --machine PRS100001 --start -7d --where "userId!=0"',
    '<%= config.bin %> <%= command.id %> --since-last stock --start 2024-01-01 --output-file stock.csv --append',
  ]
  static override flags = {
    ...readFlags('reports.inventory'),
    ...ofExports,
    ...cronFlags,
    ...deliveryFlags,
    'no-split': noSplitFlag,
    ...notifyFlags,
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ReportsInventory)
    const {readAsAsked} = await import('../../cli/reports/read-as-asked.js')
    await readAsAsked('reports.inventory', flags, this.context)
  }
}
