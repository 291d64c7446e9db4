import {Flags} from '@oclif/core'
import type {BooleanFlag, FlagInput} from '@oclif/core/interfaces'
import {limits, type operations, type ReadId, readOperation} from '../../contract/index.js'
import {recordFormats} from '../../formats/outputs/format-table.js'
import type {Paging} from '../../reports/read/read-list.js'
import {
  allowClampFlag,
  clientFlags,
  type FlagValues,
  type globalFlags,
  grouped,
  resultFlags,
  untilQuotaFlag,
} from '../app/flags.js'
import {type FilterFlags, filterFlags} from './filter-flags.js'

/** Flags of every command that prints records. */
export const outputFlags = {
  ...grouped('OUTPUT', {
    output: Flags.option({
      char: 'o',
      options: recordFormats,
      description: 'Output format; by default that of the file name, else table on a terminal and ndjson otherwise.',
    })(),
  }),
  ...resultFlags,
}

const everyRead = {...outputFlags, 'until-quota': untilQuotaFlag, ...clientFlags}

/** Flags of reads whose dates the service may clamp. */
type ClampFlags<Id extends ReadId> = (typeof operations)[Id] extends {range: object}
  ? {'allow-clamp': BooleanFlag<boolean>}
  : unknown

/** All flags of a read: its filters, output, service. */
export function readFlags<Id extends ReadId>(id: Id): FilterFlags<Id> & ClampFlags<Id> & typeof everyRead
export function readFlags(id: ReadId): FlagInput {
  return {...filterFlags(id), ...(readOperation(id).range && {'allow-clamp': allowClampFlag}), ...everyRead}
}

const {'page-size': _size, 'fail-on-missing': _missing, 'fail-on-truncate': _cut, ...ofRecords} = outputFlags

/** Flags of every command that prints records of this machine. */
export const recordFlags = ofRecords

/** Flags that decide how records are narrowed, ordered and printed. */
export type RecordFlags = FlagValues<typeof recordFlags>

/** The parsed flags of a read; filters are looked up by the names of the contract. */
export type ReadFlags = Readonly<Record<string, unknown>> &
  FlagValues<typeof everyRead & typeof globalFlags> & {readonly 'allow-clamp'?: boolean | undefined}

/**
 * Paging that reads little in vain: a small limit asks for a small page, and where conditions decide which page has the
 * last record, one page is requested at a time.
 */
export function toPaging({where, sort, limit, 'page-size': pageSize}: ReadFlags): Paging {
  const counts = limit !== undefined && where === undefined && sort === undefined
  const size = pageSize ?? (counts && limit < limits.maximumPageSize ? limit : undefined)
  const isOpen = limit !== undefined && where !== undefined && sort === undefined
  return {pageSize: size, limit: counts ? limit : undefined, pagesInFlight: isOpen ? 1 : undefined}
}
