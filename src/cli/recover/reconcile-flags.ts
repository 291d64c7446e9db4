import {Flags} from '@oclif/core'
import {clientFlags, environmentName as env} from '../app/flags.js'
import {settleFlags} from './settle-flags.js'

/** Flags of `runs reconcile`. */
export const reconcileFlags = {
  ...clientFlags,
  ...settleFlags,
  assume: Flags.string({
    env: env('assume'),
    options: ['applied', 'not-applied'],
    helpGroup: 'DOUBT',
    description: 'Record your own decision for every set in doubt; nothing is read or sent.',
  }),
  'dry-run': Flags.boolean({
    char: 'n',
    env: env('dry-run'),
    helpGroup: 'DOUBT',
    description: 'Look once, show what would be done, and change nothing.',
  }),
  yes: Flags.boolean({char: 'y', env: env('yes'), helpGroup: 'DOUBT', description: 'Skip the confirmation.'}),
}

export type ReconcileFlagValues = {
  settle?: number | undefined
  'resend-after-settle'?: boolean | undefined
  assume?: string | undefined
  'dry-run'?: boolean | undefined
  yes?: boolean | undefined
  'no-input'?: boolean | undefined
  json?: boolean | undefined
  quiet?: boolean | undefined
  verbose?: boolean | undefined
}
