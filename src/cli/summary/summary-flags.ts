import {Flags} from '@oclif/core'
import {transactionReport} from '../../contract/index.js'
import {pictureFormats} from '../../formats/names.js'
import {recordFormats} from '../../formats/outputs/format-table.js'
import {pageCharts} from '../../formats/write/html/page-data.js'
import {summaryKeys} from '../../reports/summary/summary-keys.js'
import {grouped, repeatable} from '../app/flags.js'
import {readFlags} from '../read/read-flags.js'
import {noSplitFlag} from '../reports/export-flags.js'

const {'fail-on-truncate': _wholeAnyway, ...flags} = readFlags(transactionReport)
export const summaryFlags = grouped('OUTPUT', {
  ...flags,
  by: Flags.option({
    options: summaryKeys,
    ...repeatable,
    delimiter: ',',
    description: 'Group by this, day unless given; several with commas. hour is the hour of the day.',
  })(),
  output: Flags.option({
    char: 'o',
    options: [...recordFormats, ...pictureFormats],
    description: 'Output format; html is a page with charts, svg is one --chart. By default that of the file name.',
  })(),
  chart: Flags.option({options: pageCharts, description: 'The chart that -o svg draws.'})(),
  'no-split': noSplitFlag,
  deliver: Flags.string({
    helpGroup: 'CRON',
    helpValue: 'COMMAND',
    description: 'Run this for the complete file, without a shell; {file} and {name} are filled in.',
  }),
})
