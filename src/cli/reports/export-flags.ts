import {Flags} from '@oclif/core'
import type {Grade} from '../../reports/export/grade.js'
import {environmentName as env} from '../app/flags.js'
import type {ReadFlags} from '../read/read-flags.js'

const helpGroup = 'EXPORT'

/** Flags of everything that reads windows of the report to a file. */
export const exportFlags = {
  gzip: Flags.boolean({
    env: env('gzip'),
    helpGroup,
    description: 'Compress the file; so does a name that ends in .gz.',
  }),
  fresh: Flags.boolean({
    env: env('fresh'),
    helpGroup,
    description: 'Start over: neither go on with an unfinished export nor trust a finished one.',
  }),
  'time-basis': Flags.string({
    env: env('time-basis'),
    options: ['local', 'utc'],
    helpGroup,
    description:
      'Dates are local times of the machines, as the service takes them, or UTC, looked at record by record.',
  }),
  'pages-in-flight': Flags.integer({
    env: env('pages-in-flight'),
    min: 1,
    max: 16,
    helpGroup,
    helpValue: 'N',
    description: 'Pages that are asked for at once; 4 unless given. The file is the same whatever it is.',
  }),
  'no-seam-probes': Flags.boolean({
    env: env('no-seam-probes'),
    helpGroup,
    description: 'Do not look once more at the boundaries between pages: half the requests, and grade C.',
  }),
  'require-grade': Flags.string({
    env: env('require-grade'),
    options: ['A', 'B', 'C', 'D'],
    helpGroup,
    description:
      'Exit 10 when the export proved less: A one page a window, B boundaries proven, C not proven, D drifted.',
  }),
  estimate: Flags.boolean({
    env: env('estimate'),
    helpGroup,
    description: 'Say how many requests it takes, how long, and what share of the day, and stop.',
  }),
  spread: Flags.integer({
    env: env('spread'),
    min: 1,
    max: 31,
    helpGroup,
    helpValue: 'DAYS',
    description: 'Send the requests evenly over so many days.',
  }),
}

/** Flags of exports that run by themselves. */
export const cronFlags = {
  'since-last': Flags.string({
    env: env('since-last'),
    helpGroup: 'CRON',
    helpValue: 'NAME',
    description:
      'Go on where the last whole export of this name ended; the first one needs --start. Quiet when all is well.',
  }),
  late: Flags.string({
    env: env('late'),
    helpGroup: 'CRON',
    helpValue: 'TIME',
    dependsOn: ['since-last'],
    description:
      'Machines may report so late, such as 7d or 36h: go back so far each time, and leave out what is known.',
  }),
  append: Flags.boolean({
    env: env('append'),
    helpGroup: 'CRON',
    description: 'Add to the csv, tsv or ndjson file that an earlier export wrote.',
  }),
  'max-duration': Flags.string({
    env: env('max-duration'),
    helpGroup: 'CRON',
    helpValue: 'TIME',
    description: 'Stop after so long, such as 90s, 30m or 2h, with exit 8; the same command goes on.',
  }),
  'heartbeat-file': Flags.string({
    env: env('heartbeat-file'),
    helpGroup: 'CRON',
    helpValue: 'PATH',
    description: 'Write here every 10 seconds, and at the end, how far the export is.',
  }),
}

export type ExportFlags = ReadFlags & {
  gzip?: boolean
  fresh?: boolean
  start?: string
  end?: string
  'time-basis'?: 'local' | 'utc'
  'pages-in-flight'?: number
  'no-seam-probes'?: boolean
  'require-grade'?: Grade
  estimate?: boolean
  spread?: number
  'since-last'?: string
  late?: string
  append?: boolean
  'max-duration'?: string
  'heartbeat-file'?: string
}

export const defaultPagesInFlight = 4
