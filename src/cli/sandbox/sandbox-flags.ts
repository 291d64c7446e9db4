import {Flags} from '@oclif/core'
import {type FlagValues, type globalFlags, named} from '../app/flags.js'
import {recordFlags} from '../read/read-flags.js'

export const sandboxFlags = named({
  port: Flags.integer({
    min: 0,
    max: 65_535,
    default: 0,
    helpValue: 'N',
    description: 'Port on 127.0.0.1; 0 takes a free one.',
  }),
  db: Flags.string({helpValue: 'FILE', description: 'Keep the data in this SQLite file.'}),
  scale: Flags.string({
    options: ['small', 'large'],
    default: 'small',
    description: 'Size; large has a million line items.',
  }),
  seed: Flags.integer({helpValue: 'N', description: 'Another seed makes other data.'}),
  batches: Flags.integer({min: 0, helpValue: 'N', description: 'Number of transaction batches.'}),
  'no-limits': Flags.boolean({description: 'No rate limit and no daily quota.'}),
  detach: Flags.boolean({char: 'd', description: 'Run in the background; stop it with sandbox stop.'}),
})

export type SandboxFlags = {
  port: number
  db?: string | undefined
  scale?: string | undefined
  seed?: number | undefined
  batches?: number | undefined
  'no-limits'?: boolean | undefined
}

/** The arguments that start the same sandbox in another process. */
export function toArguments(flags: SandboxFlags): string[] {
  const {port, db, scale, seed, batches, 'no-limits': noLimits} = flags
  return [
    ['--port', String(port)],
    db === undefined ? [] : ['--db', db],
    scale === undefined ? [] : ['--scale', scale],
    seed === undefined ? [] : ['--seed', String(seed)],
    batches === undefined ? [] : ['--batches', String(batches)],
    noLimits ? ['--no-limits'] : [],
  ].flat()
}

export const logFlags = named({
  follow: Flags.boolean({description: 'Print each further request as it comes, until Ctrl-C or the sandbox stops.'}),
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
