import {Flags} from '@oclif/core'
import type {FlagInput} from '@oclif/core/interfaces'
import {type Filter, filterKeysOf, filterOf, type ReadId, readOperation} from '../../contract/index.js'
import {environmentName} from '../app/flags.js'

/** The flags of the filters that an operation honours, from the contract. */
export function filterFlags(id: ReadId): FlagInput {
  const keys = filterKeysOf(readOperation(id))
  return Object.fromEntries(keys.map((key) => [filterOf(key).flag, toFlag(filterOf(key))]))
}

function toFlag({kind, flag, alias, about}: Filter) {
  const common = {env: environmentName(flag), helpGroup: 'FILTER', description: about, ...(alias && {aliases: [alias]})}
  if (kind === 'flag') return Flags.boolean(common)
  if (kind === 'dateTime') return Flags.string({...common, helpValue: 'DATE'})
  return Flags.string({...common, multiple: true, multipleNonGreedy: true, helpValue: 'VALUE,…|@FILE'})
}
