import {notifyFlags} from '../../cli/jobs/jobs-flags.js'
import {readFlags} from '../../cli/read/read-flags.js'
import {cronFlags, deliveryFlags, exportFlags, reportFlags} from '../../cli/reports/export-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

export default class ReportsTransactions extends BaseCommand {
  static override summary = 'Read the transaction report over any date range.'
  static override description =
    'A range longer than the service allows is split into windows and read completely. Dates are machine-local time.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --start yesterday --end yesterday -o csv --output-file yesterday.csv',
    '<%= config.bin %> <%= command.id %> --start 2024-01 --end 2024-06 --site 12 -o ndjson > half-year.ndjson',
    '<%= config.bin %> <%= command.id %> --since-last nightly --start 2024-01-01 --output-file all.csv --append',
  ]
  static override flags = {
    ...readFlags('reports.transactions'),
    ...exportFlags,
    ...cronFlags,
    ...deliveryFlags,
    ...reportFlags,
    ...notifyFlags,
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ReportsTransactions)
    const {readAsAsked} = await import('../../cli/reports/read-as-asked.js')
    await readAsAsked('reports.transactions', flags, this.context)
  }
}
