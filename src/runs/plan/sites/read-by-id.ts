import {allFieldsOf, filterKeysOf, filterOf, findListOf, limits, readOperation} from '../../../contract/index.js'
import type {JsonRecord, JsonValue} from '../../../values/json.js'
import {idText} from '../../../values/record-key.js'
import {spellFields} from '../merge.js'
import {type Reader, readAtMost} from '../read-at-most.js'

/** Reads records of a resource by id, by the digits of their ids. Throws a `CliFailure` when they cannot be read. */
export async function readById(
  client: Reader,
  resource: string,
  ids: Iterable<JsonValue>,
): Promise<Map<string, JsonRecord>> {
  const read = findListOf(resource)
  const filter = read && filterKeysOf(readOperation(read)).find((key) => filterOf(key).names === resource)
  if (!read || !filter) throw new TypeError(`${resource} is not listed by id`)
  const wanted = [...new Map(Array.from(ids, (id) => [idText(id), id])).values()]
  const fields = allFieldsOf(resource)
  const found = new Map<string, JsonRecord>()
  for (let start = 0; start < wanted.length; start += limits.maximumPageSize) {
    const some = wanted.slice(start, start + limits.maximumPageSize)
    const values = filterOf(filter).kind === 'texts' ? some.map(idText) : some
    const {records} = await readAtMost(client, read, {[filter]: values}, Number.POSITIVE_INFINITY)
    for (const record of records) {
      const spelled: JsonRecord = Object.fromEntries(spellFields(record, fields))
      found.set(idText(spelled['id']), spelled)
    }
  }

  return found
}
