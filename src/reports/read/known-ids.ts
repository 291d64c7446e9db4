import {type JsonRecord, printJson} from '../../values/json.js'
import {idKey, idOfRecord} from '../../values/record-key.js'

/**
 * Lets every batch through once. Windows share their edge moment, so a batch of the window before is dropped silently;
 * a batch that comes twice within one window is dropped and counted, for it shows that the data moved between pages.
 * A batch without an id is compared by all its content, and only with those of the window before.
 */
export function createKnownIds() {
  let earlier = new Set<string>()
  let current = new Set<string>()
  let repeated = 0

  return {
    startWindow() {
      earlier = current
      current = new Set()
    },
    *fresh(records: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
      for (const record of records) {
        const id = idKey(idOfRecord(record))
        const key = id ?? `record ${printJson(record)}`
        const isRepeated = id !== undefined && current.has(key)
        if (isRepeated) repeated++
        current.add(key)
        if (!isRepeated && !earlier.has(key)) yield record
      }
    },
    get repeated() {
      return repeated
    },
  }
}

/**
 * Lets the records of a list through, page by page, once: one that this page or the page before held too is dropped and
 * counted, for it shows that the data moved.
 */
export function createRepeatWatch() {
  let current = new Set<string>()
  let repeated = 0

  return {
    *fresh(page: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
      const before = current
      current = new Set()
      for (const record of page) {
        const id = idKey(idOfRecord(record))
        const isRepeated = id !== undefined && (before.has(id) || current.has(id))
        if (id !== undefined) current.add(id)
        if (isRepeated) repeated++
        else yield record
      }
    },
    get repeated() {
      return repeated
    },
  }
}
