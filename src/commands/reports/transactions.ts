import {Flags} from '@oclif/core'
import {environmentName as env} from '../../cli/app/flags.js'
import {type ReadFlags, readFlags} from '../../cli/read/read-flags.js'
import {cronFlags, exportFlags} from '../../cli/reports/export-flags.js'
import {ReportCommand} from '../../cli/reports/report-command.js'

export default class ReportsTransactions extends ReportCommand {
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
    rows: Flags.string({
      env: env('rows'),
      options: ['lines', 'batches'],
      helpGroup: 'OUTPUT',
      description: 'One row per line item (csv, tsv, table, markdown) or per batch (json, ndjson).',
    }),
    'no-split': Flags.boolean({
      env: env('no-split'),
      helpGroup: 'FILTER',
      description: 'Read one window only; a clamped range is reported and exits 10.',
    }),
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ReportsTransactions)
    await this.report(flags as ReadFlags)
  }
}
