import {allFieldsOf} from '../../contract/index.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {spellFields} from './merge.js'
import {readAtMost, type SomeRecords} from './read-at-most.js'
import {keyOf, type Reader} from './read-current.js'

/** What no two sites share: their account and their name. [pub] */
export function siteKey({accountId, name}: JsonRecord): string {
  return `${keyOf(accountId)} ${keyOf(name)}`
}

/** Reads the sites that have the account and the name of one of these; they come by the spelling of the contract. */
export async function readMatchingSites(
  client: Reader,
  sent: readonly JsonRecord[],
  maximumPages = Number.POSITIVE_INFINITY,
): Promise<SomeRecords> {
  const accounts = new Map<string, JsonValue>(sent.map(({accountId = null}) => [keyOf(accountId), accountId]))
  const keys = new Set(sent.map(siteKey))
  const some = await readAtMost(client, 'sites.list', {accountIds: [...accounts.values()]}, maximumPages)
  const fields = allFieldsOf('site')
  const records = some.records.map((record) => Object.fromEntries(spellFields(record, fields)))
  return {...some, records: records.filter((record) => keys.has(siteKey(record)))}
}
