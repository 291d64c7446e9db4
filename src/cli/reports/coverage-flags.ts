import {Flags} from '@oclif/core'
import {reportIds, reportWordOf} from '../../contract/index.js'
import {environmentName as env} from '../app/flags.js'

/** Flags of `reports coverage` that exports do not have, or that say something else there. */
export const coverageFlags = {
  report: Flags.string({
    env: env('report'),
    options: reportIds.map(reportWordOf),
    helpGroup: 'EXPORT',
    description: 'The report whose days are shown; transactions by default.',
  }),
  fill: Flags.boolean({
    env: env('fill'),
    helpGroup: 'EXPORT',
    description:
      'Read the days that are not proven, one file per gap; skips days that have not ended on every machine.',
  }),
  'output-file': Flags.string({
    env: env('output-file'),
    helpGroup: 'EXPORT',
    helpValue: 'PATH',
    description: 'Files of --fill; {start} and {end} stand for the days of a gap.',
  }),
  html: Flags.string({
    env: env('html'),
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
    description: 'Also write the days as a page of one file for a browser: a calendar, the gaps, files that are gone.',
  }),
}
