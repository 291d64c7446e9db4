import {Flags} from '@oclif/core'
import {environmentName} from '../app/flags.js'

export const contractFormats = ['table', 'openapi', 'json-schema', 'csv-template', 'json-template'] as const
export type ContractFormat = (typeof contractFormats)[number]

/** Flags of `contract show`. */
export const contractFlags = {
  format: Flags.string({
    env: environmentName('format'),
    options: contractFormats,
    default: 'table',
    description: 'Output format.',
  }),
}
