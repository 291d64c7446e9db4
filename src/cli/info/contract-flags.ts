import {Flags} from '@oclif/core'
import type {Dialect} from '../../derive/mirror/column-types.js'
import {named} from '../app/flags.js'

export const contractFormats = ['table', 'openapi', 'json-schema', 'csv-template', 'json-template', 'sql'] as const
export type ContractFormat = (typeof contractFormats)[number]

export const contractFlags = named({
  format: Flags.string({options: contractFormats, default: 'table', description: 'Output format.'}),
  dialect: Flags.option({
    options: ['sqlite', 'postgres'] as const satisfies readonly Dialect[],
    description: 'Database that the tables of --format sql are for; sqlite unless given.',
  })(),
})
