import {Flags} from '@oclif/core'
import {limits, type ReadId} from '../../contract/index.js'
import {type DiffFormat, diffFormats} from '../../formats/names.js'
import {allowClampFlag, clientFlags, environmentName as env, outputFlags} from '../app/flags.js'
import {FlagValueError} from '../app/usage-error.js'
import {untilQuotaFlag} from '../client/quota-flags.js'
import {planFlags} from '../plans/plan-flags.js'
import {filterFlags} from '../read/filter-flags.js'
import {freshFlag, settleFlag} from '../recover/settle-flags.js'
import {inputFlags} from './input-flags.js'
import {sendingFlags} from './sending-flags.js'

const file = {
  char: 'f',
  env: env('file'),
  helpGroup: 'INPUT',
  helpValue: 'PATH',
  description: 'CSV, TSV, JSON or NDJSON file; - is standard input.',
} as const

/** Flags of every bulk write, whatever its records come from. */
export const writeFlags = {
  'set-size': Flags.integer({
    env: env('set-size'),
    min: 1,
    default: limits.defaultSetSize,
    helpGroup: 'SENDING',
    helpValue: 'N',
    description: 'Records per set; a set is one request, applied completely or not at all.',
  }),
  atomic: Flags.boolean({
    env: env('atomic'),
    helpGroup: 'SENDING',
    description: 'Send all rows in one set, or nothing.',
  }),
  ...sendingFlags,
  'max-records': Flags.integer({
    env: env('max-records'),
    min: 1,
    helpGroup: 'SENDING',
    helpValue: 'N',
    description: 'Send nothing if there are more records than this (exit 8).',
  }),
  'dry-run': Flags.boolean({
    char: 'n',
    env: env('dry-run'),
    helpGroup: 'DRY RUN',
    description: 'Check and show the plan; send no write.',
  }),
  'detailed-exitcode': Flags.boolean({
    env: env('detailed-exitcode'),
    dependsOn: ['dry-run'],
    helpGroup: 'DRY RUN',
    description: 'With --dry-run: exit 11 if there are changes.',
  }),
  output: Flags.custom<DiffFormat>({
    char: 'o',
    env: env('output'),
    default: 'table',
    helpGroup: 'DRY RUN',
    helpValue: diffFormats.join('|'),
    description: 'Format of the changes that --dry-run shows.',
    parse: async (text) => toDiffFormat(text),
  })(),
  yes: Flags.boolean({
    char: 'y',
    env: env('yes'),
    helpGroup: 'SENDING',
    description: 'Skip the confirmation; required where nobody can be asked.',
  }),
  confirm: Flags.string({
    env: env('confirm'),
    helpGroup: 'SENDING',
    helpValue: 'PROFILE',
    description: 'Confirm a write to this protected profile.',
  }),
  'until-quota': untilQuotaFlag,
  fresh: freshFlag,
  settle: settleFlag,
  ...clientFlags,
}

/** Flags of every bulk write from a file. */
export const bulkFlags = {
  file: Flags.string({...file, atLeastOne: ['file', 'apply-plan']}),
  ...inputFlags,
  ...writeFlags,
  ...planFlags,
}

/** Flags of an update from a file. */
export const updateFlags = {
  ...bulkFlags,
  'send-unchanged': Flags.boolean({
    env: env('send-unchanged'),
    exclusive: ['apply-plan'],
    helpGroup: 'SENDING',
    description: 'Also send rows that change nothing.',
  }),
}

/** Flags of an update that lays a file over the current records. */
export const mergeFlags = {
  ...updateFlags,
  replace: Flags.boolean({
    env: env('replace'),
    exclusive: ['apply-plan'],
    helpGroup: 'SENDING',
    description: 'Send exactly the file: fields that it leaves out become null.',
  }),
}

/** Flags of a write whose records come from a file, from a list of ids, or from a search by `read`. */
export const selectionFlags = (read: ReadId) => ({
  file: Flags.string(file),
  ...inputFlags,
  ...filterFlags(read),
  'allow-clamp': allowClampFlag,
  'fail-on-empty': outputFlags['fail-on-empty'],
  ...writeFlags,
  ...planFlags,
})

/** VENDORCTL_OUTPUT may name a format that only reads have; then a dry run keeps its own. */
function toDiffFormat(text: string): DiffFormat {
  const known = diffFormats.find((name) => name === text)
  if (known) return known
  if (text === process.env[env('output')]) return 'table'
  throw new FlagValueError(`--output is none of ${diffFormats.join(', ')}: "${text}".`)
}
