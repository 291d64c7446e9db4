import {Flags} from '@oclif/core'
import {clientFlags, environmentName as env, outputFlags} from '../../cli/app/flags.js'
import {filterFlags} from '../../cli/read/filter-flags.js'
import {CoverageCommand} from '../../cli/reports/coverage-command.js'
import type {CoverageFlags} from '../../cli/reports/coverage-work.js'
import {exportFlags} from '../../cli/reports/export-flags.js'

const {gzip, 'pages-in-flight': inFlight, 'no-seam-probes': noProbes, 'require-grade': grade} = exportFlags

export default class ReportsCoverage extends CoverageCommand {
  static override summary = 'Show which days of the transaction report are proven read, and read the others.'
  static override description =
    'Looks at the exports of this machine with the same key and filters. A day counts as proven when grade A or B holds all of it and it had passed on every machine; that it was read stays true when its file is taken away, which is shown. Without --fill no request is sent.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --start 2024-01',
    "<%= config.bin %> <%= command.id %> --start 2024-01 --end yesterday --fill --output-file 'tx-{start}-{end}.csv'",
  ]
  static override flags = {
    ...filterFlags('reports.transactions'),
    fill: Flags.boolean({
      env: env('fill'),
      helpGroup: 'EXPORT',
      description:
        'Read the days that are not proven, one file for each hole; days that are not over everywhere are left.',
    }),
    'output-file': Flags.string({
      env: env('output-file'),
      helpGroup: 'EXPORT',
      helpValue: 'PATH',
      description: 'Files of --fill; {start} and {end} stand for the days of a hole.',
    }),
    overwrite: outputFlags.overwrite,
    gzip,
    'pages-in-flight': inFlight,
    'no-seam-probes': noProbes,
    'require-grade': grade,
    ...clientFlags,
  }

  async run(): Promise<void> {
    const {flags} = await this.parse(ReportsCoverage)
    await this.coverage(flags as CoverageFlags)
  }
}
