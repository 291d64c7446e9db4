import {Flags} from '@oclif/core'
import {environmentName as env, type FlagValues, type globalFlags} from '../app/flags.js'
import {recordFlags} from '../read/read-flags.js'

/** Flags of `sandbox log`. */
export const logFlags = {
  follow: Flags.boolean({
    env: env('follow'),
    description: 'Print each further request as it comes, until Ctrl-C or the sandbox stops.',
  }),
  status: Flags.string({
    env: env('status'),
    helpGroup: 'FILTER',
    helpValue: '409|4xx|none',
    description: 'Only requests with this status; none: nothing was answered.',
  }),
  operation: Flags.string({
    env: env('operation'),
    helpGroup: 'FILTER',
    helpValue: 'OPERATION',
    description: 'Only requests for this operation, or for all operations of a resource such as sites.',
  }),
  fault: Flags.string({
    env: env('fault'),
    helpGroup: 'FILTER',
    helpValue: 'TEXT',
    description: 'Only requests that met a fault with this text in it, such as reset.',
  }),
  ...recordFlags,
}

export type LogFlags = FlagValues<typeof logFlags & typeof globalFlags>
