import type {FilterValues} from '../../client/types.js'
import {allFieldsOf, limits, readOperation} from '../../contract/index.js'
import {millisecondsPerDay, toDateTime, toMilliseconds} from '../../values/date-time.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {spellFields} from '../merge.js'
import {farthestEastMilliseconds, keyOf, type Reader} from '../read-current.js'

/** How far back alerts are looked for that the service does not show of itself. */
const longestBackMilliseconds = 2 * 365 * millisecondsPerDay

/**
 * Reads alerts by id, of whatever age: the service shows those of a limited time only, so that it is asked again and
 * again for the time before, until all are found or two years are looked through.
 */
export async function findAlerts(
  client: Reader,
  ids: readonly JsonValue[],
  now: number,
): Promise<Map<string, JsonRecord>> {
  const found = new Map<string, JsonRecord>()
  for (let start = 0; start < ids.length; start += limits.maximumPageSize) {
    await findSome(client, ids.slice(start, start + limits.maximumPageSize), now, found)
  }

  return found
}

async function findSome(
  client: Reader,
  ids: readonly JsonValue[],
  now: number,
  found: Map<string, JsonRecord>,
): Promise<void> {
  let left = [...ids]
  for (let end = now + farthestEastMilliseconds; left.length > 0; ) {
    const start = await readBack(client, {alertIds: left}, end, found)
    left = left.filter((id) => !found.has(keyOf(id)))
    if (start <= now - longestBackMilliseconds || start >= end) return
    end = start
  }
}

/** Reads what the service shows up to an end; gives back where that begins. */
async function readBack(
  client: Reader,
  filters: FilterValues,
  end: number,
  found: Map<string, JsonRecord>,
): Promise<number> {
  const fields = allFieldsOf('alert')
  let served: string | undefined
  for await (const page of client.readPages('alerts.list', {filters: {...filters, EndDate: toDateTime(end)}})) {
    served = page.served.start
    for (const record of page.records) {
      const alert = Object.fromEntries(spellFields(record, fields))
      found.set(keyOf(alert['id']), alert)
    }
  }

  const longest = (readOperation('alerts.list').range?.maximumDays ?? 0) * millisecondsPerDay
  return (served === undefined ? undefined : toMilliseconds(served)) ?? end - longest
}
