import {clientFlags, resultFlags} from '../../cli/app/flags.js'
import {metricsFlags, notifyFlags} from '../../cli/jobs/jobs-flags.js'
import {filterFlags} from '../../cli/read/filter-flags.js'
import {coverageFlags, exportFlags} from '../../cli/reports/export-flags.js'
import {BaseCommand} from '../../cli/start/base-command.js'

const {gzip, 'pages-in-flight': inFlight, 'no-boundary-checks': noChecks, 'require-grade': grade} = exportFlags

export default class ReportsCoverage extends BaseCommand {
  static override summary = 'Show which days of a report are proven complete, and read the others.'
  static override description =
    'Uses the exports of this machine, or of all that share a budget, with the same key and filters. A day is proven when an export of grade A or B contains all of it and was made after the day had ended on every machine. It stays proven when the file is removed, which is shown. Without --fill no request is sent.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --start 2024-01',
    "<%= config.bin %> <%= command.id %> --start 2024-01 --end yesterday --fill --output-file 'tx-{start}-{end}.csv'",
    '<%= config.bin %> <%= command.id %> --start 2024-01 --output-file coverage.html',
    '<%= config.bin %> <%= command.id %> --report inventory --start -30d',
  ]
  static override flags = {
    ...filterFlags('reports.transactions'),
    ...coverageFlags,
    overwrite: resultFlags.overwrite,
    ...{gzip, 'pages-in-flight': inFlight, 'no-boundary-checks': noChecks, 'require-grade': grade},
    ...metricsFlags,
    ...notifyFlags,
    ...clientFlags,
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ReportsCoverage)
    const {coverReport} = await import('../../cli/reports/coverage.js')
    await coverReport(flags, this.context)
  }
}
