import {Args, Flags} from '@oclif/core'
import {reportIds, reportWordOf, type transactionReport} from '../../contract/index.js'
import {environmentName as env, type FlagValues, grouped, named, viewFlag} from '../app/flags.js'
import {metricsFlags} from '../jobs/jobs-flags.js'
import type {FilterFlags} from '../read/filter-flags.js'
import type {ReadFlags} from '../read/read-flags.js'

/** Flags of everything that reads windows of the report to a file. */
export const exportFlags = grouped('EXPORT', {
  gzip: Flags.boolean({description: 'Compress the file; implied by a name that ends in .gz.'}),
  fresh: Flags.boolean({description: 'Start over: ignore an unfinished or finished export to this file.'}),
  'time-basis': Flags.option({
    options: ['local', 'utc'] as const,
    description: 'Dates are local times of the machines, as the service takes them, or UTC, checked record by record.',
  })(),
  'pages-in-flight': Flags.integer({
    min: 1,
    max: 16,
    helpValue: 'N',
    description: 'Pages to request in parallel; 4 by default. The file is the same for any number.',
  }),
  'no-boundary-checks': Flags.boolean({
    ...{aliases: ['no-seam-probes'], deprecateAliases: true},
    description: 'Do not check the boundaries between pages: half the requests, but grade C.',
  }),
  'require-grade': Flags.option({
    options: ['A', 'B', 'C', 'D'] as const,
    description:
      'Exit 10 if the grade is lower: A one page per window, B boundaries checked, C not checked, D data kept changing.',
  })(),
  estimate: Flags.boolean({
    description: 'Show the requests, time and share of the daily quota that it takes, and stop.',
  }),
  spread: Flags.integer({
    min: 1,
    max: 31,
    helpValue: 'DAYS',
    description: 'Spread the requests evenly over this many days.',
  }),
})

/** Flags of scheduled exports. */
export const cronFlags = grouped('CRON', {
  'since-last': Flags.string({
    helpValue: 'NAME',
    description: 'Continue where the last complete export of this name ended; the first one needs --start.',
  }),
  late: Flags.string({
    helpValue: 'TIME',
    dependsOn: ['since-last'],
    description: 'How late machines may report, e.g. 7d or 36h: goes back this far each time and skips known records.',
  }),
  append: Flags.boolean({description: 'Append to the csv, tsv or ndjson file of an earlier export.'}),
  'max-duration': Flags.string({
    helpValue: 'TIME',
    description: 'Stop after this time, e.g. 90s, 30m or 2h, with exit 8; the same command resumes.',
  }),
  'heartbeat-file': Flags.string({
    helpValue: 'PATH',
    description: 'Write the progress to this file every 10 seconds and at the end.',
  }),
  ...metricsFlags,
})

/** Flags for the files of an export once they are complete. */
export const deliveryFlags = grouped('CRON', {
  deliver: Flags.string({
    helpValue: 'COMMAND',
    description:
      'Run this for each complete file, without a shell; {file}, {manifest} and {name} are filled in. Must be safe to repeat.',
  }),
  'keep-for': Flags.string({
    helpValue: 'TIME',
    dependsOn: ['deliver', 'since-last'],
    exclusive: ['append'],
    description: 'Remove files of this name that were delivered longer ago, e.g. 90d, and have not changed since.',
  }),
  'skip-empty': Flags.boolean({description: 'Write and deliver no file when there are no rows.'}),
})

/** A flag that reads one window only, as far as the service serves it. */
export const noSplitFlag = Flags.boolean({
  env: env('no-split'),
  helpGroup: 'FILTER',
  description: 'Read one window only; exits 10 if the range is clamped.',
})

/** Flags of the transaction report alone. */
export const reportFlags = named({
  rows: Flags.option({
    options: ['lines', 'batches'] as const,
    helpGroup: 'OUTPUT',
    description: 'One row per line item (csv, tsv, table, markdown) or per batch (json, ndjson).',
  })(),
  'no-split': noSplitFlag,
})

type Known = FilterFlags<typeof transactionReport> &
  typeof exportFlags &
  typeof cronFlags &
  typeof deliveryFlags &
  typeof reportFlags

/** The parsed flags of an export. */
export type ExportFlags = ReadFlags & FlagValues<Known>

export const nameArgument = Args.string({required: true, ignoreStdin: true, description: 'A name of --since-last.'})

export const scopeFlag = Flags.string({
  env: env('scope'),
  helpValue: 'ID',
  description:
    'The filters and columns that are meant, where the name was used with several; as `exports list` shows it.',
})

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
