import type {FlagInput} from '@oclif/core/interfaces'
import {limits, type ReadId, readOperation} from '../../contract/index.js'
import type {DialectName, OutputFormat} from '../../formats/names.js'
import {allowClampFlag, clientFlags, outputFlags} from '../app/flags.js'
import {untilQuotaFlag} from '../client/quota-flags.js'
import {filterFlags} from './filter-flags.js'

/** All flags of a read: its filters, output, service. */
export function readFlags(id: ReadId): FlagInput {
  const clampFlags = readOperation(id).range ? {'allow-clamp': allowClampFlag} : {}
  return {...filterFlags(id), ...clampFlags, ...outputFlags, 'until-quota': untilQuotaFlag, ...clientFlags}
}

/** The flags of a read as they are parsed; filters are looked up by name. */
export type ReadFlags = Readonly<Record<string, unknown>> & {
  output?: OutputFormat
  'output-file'?: string
  overwrite?: boolean
  columns?: string
  where?: string[] | string
  sort?: string
  limit?: number
  rows?: 'lines' | 'batches'
  'no-split'?: boolean
  'allow-clamp'?: boolean
  'csv-dialect'?: DialectName
  delimiter?: string
  'page-size'?: number
  'fail-on-empty'?: boolean
  'fail-on-missing'?: boolean
  'fail-on-truncate'?: boolean
  profile?: string
  stage?: string
  timeout?: number
  'max-requests'?: number
  'until-quota'?: boolean
  'log-http'?: string
  quiet?: boolean
  verbose?: boolean
}

/** What of the flags narrows and orders records. */
export function toSelection({where, sort, limit}: ReadFlags): {where?: string[]; sort?: string; limit?: number} {
  return {
    ...(where !== undefined && {where: [where].flat()}),
    ...(sort !== undefined && {sort}),
    ...(limit !== undefined && {limit}),
  }
}

/** A small limit asks for a small page; nothing is asked for in vain. */
export function toPaging({where, sort, limit, 'page-size': pageSize}: ReadFlags): {pageSize?: number; limit?: number} {
  const counts = limit !== undefined && where === undefined && sort === undefined
  const size = pageSize ?? (counts && limit < limits.maximumPageSize ? limit : undefined)
  return {...(size !== undefined && {pageSize: size}), ...(counts && {limit})}
}
