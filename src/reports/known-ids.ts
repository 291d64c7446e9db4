import {isNumber, type JsonRecord, numberText} from '../values/json.js'

/**
 * Lets every batch through once. Windows share their edge moment, so a batch of the window before is dropped silently;
 * a batch that comes twice within one window is dropped and counted, for it shows that the data moved between pages.
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
    *unknown(records: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
      for (const record of records) {
        const id = toId(record)
        if (id === undefined) {
          yield record
          continue
        }
        if (current.has(id)) repeated++
        const isKnown = current.has(id) || earlier.has(id)
        current.add(id)
        if (!isKnown) yield record
      }
    },
    get repeated() {
      return repeated
    },
  }
}

function toId({id}: JsonRecord): string | undefined {
  if (typeof id === 'string') return `text ${id}`
  return id !== undefined && isNumber(id) ? `number ${numberText(id)}` : undefined
}
