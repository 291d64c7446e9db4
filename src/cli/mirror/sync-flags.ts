import {Flags} from '@oclif/core'
import {clientFlags, type FlagValues, type globalFlags, grouped, pageSizeFlag, untilQuotaFlag} from '../app/flags.js'
import {metricsFlags, notifyFlags} from '../jobs/cron-flags.js'
import {cronFlags, exportFlags} from '../reports/export-flags.js'
import {dbFlag} from './db-flags.js'

/** Flags of `sync`. */
export const syncFlags = {
  db: dbFlag,
  ...grouped('SYNC', {
    'with-transactions': Flags.boolean({description: 'Also every transaction batch and line item.'}),
    start: Flags.string({
      helpValue: 'DATE',
      description: 'From when on alerts and transactions are mirrored; an earlier one adds what came before.',
    }),
    late: Flags.string({
      helpValue: 'TIME',
      dependsOn: ['with-transactions'],
      description: 'How late machines may report, e.g. 7d or 36h: goes back this far each time.',
    }),
    skip: Flags.string({
      helpValue: 'LIST',
      multiple: true,
      multipleNonGreedy: true,
      description: 'Leave these tables as they are, e.g. machine_rights,role_rights.',
    }),
    'dry-run': Flags.boolean({char: 'n', description: 'Show the requests that it takes, at a few requests, and stop.'}),
    'page-size': pageSizeFlag,
    'pages-in-flight': exportFlags['pages-in-flight'],
    'no-boundary-checks': exportFlags['no-boundary-checks'],
    'require-grade': exportFlags['require-grade'],
    'max-duration': cronFlags['max-duration'],
    'until-quota': untilQuotaFlag,
    ...metricsFlags,
    ...clientFlags,
    ...notifyFlags,
  }),
}

export type SyncFlags = FlagValues<typeof syncFlags & typeof globalFlags>
