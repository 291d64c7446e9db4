import {Flags} from '@oclif/core'
import {type FlagValues, named} from '../app/flags.js'
import {recordFlags} from '../read/read-flags.js'
import {dbFlag} from './db-flags.js'

const {where: _narrowed, sort: _sorted, ...ofOutput} = recordFlags

/** Flags of `sql`: what narrows and sorts rows stands in the query. */
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
