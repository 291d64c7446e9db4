import type {JsonRecord} from '../../values/json.js'
import {idKey, idOfRecord, isIdKey, recordKey} from '../../values/record-key.js'
import {createKeySet} from './key-set.js'

/**
 * Lets every batch through once. Windows share their edge moment, so a batch of the window before is dropped silently;
 * a batch that comes twice within one window is dropped and counted, for it shows that the data moved between pages. A
 * batch without an id is compared by all its content, and only with those of the window before. Time: one look for each
 * batch; memory: the keys of two windows.
 */
export function createKnownIds() {
  let earlier = createKeySet()
  let current = createKeySet()
  let repeated = 0

  return {
    startWindow() {
      earlier = current
      current = createKeySet()
    },
    take,
    *fresh(records: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
      for (const record of records) if (take(recordKey(record))) yield record
    },
    get repeated() {
      return repeated
    },
  }

  /** Whether a record with this key is new. */
  function take(key: string): boolean {
    const isRepeated = isIdKey(key) && current.has(key)
    if (isRepeated) repeated++
    current.add(key)
    return !isRepeated && !earlier.has(key)
  }
}

/**
 * Passes the records of a list, page by page, once: one that was on this page or the page before is dropped and
 * counted, for it shows that the data moved. Time: one look for each record; memory: the keys of two pages.
 */
export function createRepeatWatch() {
  let before = createKeySet()
  let current = createKeySet()
  let repeated = 0

  return {
    startPage,
    take,
    *fresh(page: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
      startPage()
      for (const record of page) if (take(idKey(idOfRecord(record)))) yield record
    },
    get repeated() {
      return repeated
    },
  }

  function startPage(): void {
    before = current
    current = createKeySet()
  }

  /** Whether a record with this key is new; one without an id always is. */
  function take(key: string | undefined): boolean {
    if (key === undefined || !isIdKey(key)) return true
    const isRepeated = before.has(key) || current.has(key)
    current.add(key)
    if (isRepeated) repeated++
    return !isRepeated
  }
}
