import {Flags} from '@oclif/core'
import {type FlagValues, type globalFlags, named} from '../app/flags.js'
import {recordFlags} from '../read/read-flags.js'

/** Flags of `sandbox log`. */
export const logFlags = named({
  follow: Flags.boolean({
    description: 'Print each further request as it comes, until Ctrl-C or the sandbox stops.',
  }),
  status: Flags.string({
    helpGroup: 'FILTER',
    helpValue: '409|4xx|none',
    description: 'Only requests with this status; none: nothing was answered.',
  }),
  operation: Flags.string({
    helpGroup: 'FILTER',
    helpValue: 'OPERATION',
    description: 'Only requests for this operation, or for all operations of a resource such as sites.',
  }),
  fault: Flags.string({
    helpGroup: 'FILTER',
    helpValue: 'TEXT',
    description: 'Only requests that met a fault with this text in it, such as reset.',
  }),
  ...recordFlags,
})

export type LogFlags = FlagValues<typeof logFlags & typeof globalFlags>
