import {Flags} from '@oclif/core'
import {environmentName as env} from '../app/flags.js'

/** The database of `sync` and `sql`. */
export const dbFlag = Flags.string({
  env: env('db'),
  helpValue: 'FILE.db|URL',
  description: 'SQLite file, or postgres:// URL without password.',
})
