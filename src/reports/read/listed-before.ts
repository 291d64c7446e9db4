import {createHash} from 'node:crypto'
import {type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {recordKey} from '../../values/record-key.js'

const digestLength = 22

/** Lets the records through that were not listed before as they are now: new ones and changed ones. */
export type ListedBefore = {
  news(records: Iterable<JsonRecord>): Generator<JsonRecord, void, void>
  /** The keys of all records that came, from a day on. */
  keysSince(moment: string): string[]
}

/** `known`: the keys of an earlier run; `timeField` holds the time by which the service finds the records. */
export function createListedBefore(known: readonly string[], timeField: string): ListedBefore {
  const before = new Set(known)
  const keys: string[] = []
  return {
    *news(records) {
      for (const record of records) {
        const key = toKey(record, timeField)
        keys.push(key)
        if (!before.has(key)) yield record
      }
    },
    keysSince: (moment) => keys.filter((key) => key.slice(0, 10) >= moment.slice(0, 10)),
  }
}

/** Time, id and content; the order in which the service sends fields is no change. */
function toKey(record: JsonRecord, timeField: string): string {
  const sorted = Object.fromEntries(Object.entries<JsonValue>(record).sort(([one], [other]) => (one < other ? -1 : 1)))
  const digest = createHash('sha256').update(printJson(sorted)).digest('base64url').slice(0, digestLength)
  const time = record[timeField]
  return `${typeof time === 'string' ? time : ''} ${recordKey(record).slice(0, 80)} ${digest}`
}
