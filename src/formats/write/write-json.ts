import {isRecord, type JsonRecord, printJson} from '../../values/json.js'
import type {Column} from '../columns.js'
import {findName, putField} from '../record-path.js'
import {toChunks} from './chunks.js'
import type {Writer} from './writer.js'

/** Writes one array, whatever the number of pages: one record per line inside, `[]` when there is none. */
export function writeJson(columns?: readonly Column[]): Writer {
  const toRecord = columns ? createPick(columns) : (record: JsonRecord) => record
  let isEmpty = true

  return {
    header: '[',
    *records(records) {
      let isFirst = isEmpty
      const texts = function* () {
        for (const record of records) {
          yield (isFirst ? '\n' : ',\n') + printJson(toRecord(record))
          isFirst = false
        }
      }

      yield* toChunks(texts())
      isEmpty = isFirst
    },
    footer: () => (isEmpty ? ']\n' : '\n]\n'),
  }
}

/** Writes one record per line; a line never holds a raw newline. */
export function writeNdjson(columns?: readonly Column[]): Writer {
  const toRecord = columns ? createPick(columns) : (record: JsonRecord) => record
  return {
    header: '',
    *records(records) {
      yield* toChunks(lines(records))
    },
    footer: () => '',
  }

  function* lines(records: Iterable<JsonRecord>): Generator<string, void, void> {
    for (const record of records) yield `${printJson(toRecord(record))}\n`
  }
}

/**
 * Keeps the fields of columns, nested as they came and in the order of the columns. A field that is absent stays
 * absent, and an object that is null stays null.
 */
export function createPick(columns: readonly Column[]): (record: JsonRecord) => JsonRecord {
  return (record) => {
    const picked: JsonRecord = {}
    for (const {path} of columns) copyField(record, picked, path)
    return picked
  }
}

function copyField(from: JsonRecord, to: JsonRecord, path: readonly string[]): void {
  const [wanted = '', ...rest] = path
  const name = findName(from, wanted)
  const value = name === undefined ? undefined : from[name]
  if (name === undefined || value === undefined) return
  if (rest.length === 0 || value === null) putField(to, name, value)
  else if (isRecord(value)) copyField(value, openObject(to, name), rest)
}

/** The object under a name; an empty one when there is none yet. */
function openObject(record: JsonRecord, name: string): JsonRecord {
  const existing = Object.hasOwn(record, name) ? record[name] : undefined
  if (existing !== undefined && isRecord(existing)) return existing
  const opened: JsonRecord = {}
  putField(record, name, opened)
  return opened
}
