import {Flags} from '@oclif/core'
import {environmentName as env, type FlagValues} from '../app/flags.js'
import {recordFlags} from '../read/read-flags.js'
import {dbFlag} from './db-flags.js'

const {output, 'output-file': outputFile, overwrite, columns, limit} = recordFlags
const {'csv-dialect': dialect, delimiter, 'fail-on-empty': failOnEmpty} = recordFlags

/** Flags of `sql`: what narrows and sorts rows stands in the query. */
export const sqlFlags = {
  db: dbFlag,
  list: Flags.boolean({env: env('list'), description: 'List the queries that are shipped, or print one by its name.'}),
  timeout: Flags.integer({
    env: env('timeout'),
    min: 1,
    max: 86_400,
    helpValue: 'SECONDS',
    description: 'Longest time (SQLite: checked between rows).',
  }),
  output,
  'output-file': outputFile,
  overwrite,
  columns,
  limit,
  'csv-dialect': dialect,
  delimiter,
  'fail-on-empty': failOnEmpty,
  profile: Flags.string({
    char: 'p',
    env: env('profile'),
    description: 'Profile whose credentialCommand prints the password.',
  }),
}

export type SqlFlags = FlagValues<typeof sqlFlags>
