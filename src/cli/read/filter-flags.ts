import {Flags} from '@oclif/core'
import type {BooleanFlag, FlagInput, OptionFlag} from '@oclif/core/interfaces'
import {
  type Filter,
  type FilterKey,
  filterKeysOf,
  filterOf,
  type filters,
  type operations,
  type ReadId,
  readOperation,
} from '../../contract/index.js'
import {environmentName, repeatable} from '../app/flags.js'

type FlagOf = {
  flag: BooleanFlag<boolean>
  dateTime: OptionFlag<string | undefined>
  integers: OptionFlag<string[] | undefined>
  texts: OptionFlag<string[] | undefined>
}

/** The flags of the filters of an operation, by the names and kinds of the contract. */
export type FilterFlags<Id extends ReadId> = {
  [Key in keyof (typeof operations)[Id]['filters'] &
    FilterKey as (typeof filters)[Key]['flag']]: FlagOf[(typeof filters)[Key]['kind']]
}

/** The names of the filter flags of a read, without dates. */
export function filterFlagsOf(id: ReadId): string[] {
  const named = filterKeysOf(readOperation(id)).map(filterOf)
  return named.filter(({kind}) => kind !== 'dateTime').map(({flag}) => flag)
}

export function filterFlags<Id extends ReadId>(id: Id, without?: readonly FilterKey[]): FilterFlags<Id>
export function filterFlags(id: ReadId, without: readonly FilterKey[] = []): FlagInput {
  const keys = filterKeysOf(readOperation(id)).filter((key) => !without.includes(key))
  return Object.fromEntries(keys.map((key) => [filterOf(key).flag, toFlag(filterOf(key))]))
}

function toFlag({kind, flag, alias, about}: Filter) {
  const common = {env: environmentName(flag), helpGroup: 'FILTER', description: about, ...(alias && {aliases: [alias]})}
  if (kind === 'flag') return Flags.boolean(common)
  if (kind === 'dateTime') return Flags.string({...common, helpValue: 'DATE'})
  return Flags.string({...common, ...repeatable, helpValue: 'A,B|@FILE'})
}
