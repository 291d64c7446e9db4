import {Flags} from '@oclif/core'
import {limits} from '../contract/index.js'
import {clientFlags, environmentName as env} from './flags.js'
import {inputFlags} from './input-flags.js'

/** Flags of every bulk write from a file. */
export const bulkFlags = {
  file: Flags.string({
    char: 'f',
    env: env('file'),
    required: true,
    helpGroup: 'INPUT',
    helpValue: 'PATH',
    description: 'CSV, TSV, JSON or NDJSON file; - is standard input.',
  }),
  ...inputFlags,
  'set-size': Flags.integer({
    env: env('set-size'),
    min: 1,
    default: limits.defaultSetSize,
    helpGroup: 'SENDING',
    helpValue: 'N',
    description: 'Records per set; a set is one request and is applied whole or not at all.',
  }),
  atomic: Flags.boolean({env: env('atomic'), helpGroup: 'SENDING', description: 'All rows in one set, or nothing.'}),
  'dry-run': Flags.boolean({
    char: 'n',
    env: env('dry-run'),
    helpGroup: 'SENDING',
    description: 'Check and plan; send no write.',
  }),
  yes: Flags.boolean({char: 'y', env: env('yes'), helpGroup: 'SENDING', description: 'Do not ask.'}),
  confirm: Flags.string({
    env: env('confirm'),
    helpGroup: 'SENDING',
    helpValue: 'PROFILE',
    description: 'Name a protected profile to write to it.',
  }),
  ...clientFlags,
}
