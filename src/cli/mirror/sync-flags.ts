import {Flags} from '@oclif/core'
import {
  clientFlags,
  environmentName as env,
  type FlagValues,
  type globalFlags,
  grouped,
  named,
  pageSizeFlag,
  repeatable,
  untilQuotaFlag,
} from '../app/flags.js'
import {metricsFlags, notifyFlags} from '../jobs/jobs-flags.js'
import {recordFlags} from '../read/read-flags.js'
import {cronFlags, exportFlags} from '../reports/export-flags.js'

/** The database of `sync` and `sql`. */
const dbFlag = Flags.string({
  env: env('db'),
  helpValue: 'FILE.db|URL',
  description: 'SQLite file, or postgres:// URL without password.',
})

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
      ...repeatable,
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

const {where: _narrowed, sort: _sorted, ...ofOutput} = recordFlags

/** Flags of `sql`: the query itself narrows and sorts rows. */
export const sqlFlags = named({
  db: dbFlag,
  list: Flags.boolean({description: 'List the queries that are shipped, or print one by its name.'}),
  timeout: Flags.integer({
    min: 1,
    max: 86_400,
    helpValue: 'SECONDS',
    description: 'Longest time (SQLite: checked between rows).',
  }),
  ...ofOutput,
  profile: Flags.string({char: 'p', description: 'Profile whose credentialCommand prints the password.'}),
})

export type SqlFlags = FlagValues<typeof sqlFlags>
