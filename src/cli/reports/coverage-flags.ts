import {Flags} from '@oclif/core'
import {reportIds, reportWordOf} from '../../contract/index.js'
import {grouped, viewFlag} from '../app/flags.js'

/** Flags of `reports coverage` that exports do not have, or that say something else there. */
export const coverageFlags = grouped('EXPORT', {
  report: Flags.string({
    options: reportIds.map(reportWordOf),
    description: 'The report whose days are shown; transactions by default.',
  }),
  fill: Flags.boolean({
    description:
      'Read the days that are not proven, one file per gap; skips days that have not ended on every machine.',
  }),
  'output-file': Flags.string({
    helpValue: 'PATH',
    description:
      'A page for a browser if it ends in .html; else files of --fill, {start} and {end} being the days of a gap.',
  }),
  output: viewFlag(['table', 'html']),
  html: Flags.string({
    helpGroup: 'OUTPUT',
    helpValue: 'FILE',
    description: 'The page as --output-file FILE.html writes it, together with files of --fill that are named.',
  }),
})
