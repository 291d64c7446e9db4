import {type Column, toColumn} from '../../src/formats/columns.js'
import {type JsonRecord, parseJson} from '../../src/values/json.js'

/** A column of every kind. */
export const everyKind: Column[] = [
  toColumn(['id'], 'integer'),
  toColumn(['name'], 'text'),
  toColumn(['price'], 'decimal'),
  toColumn(['isOpen'], 'boolean'),
  toColumn(['recordedAtUtc'], 'dateTime'),
  toColumn(['seen', 'local'], 'dateTime'),
  toColumn(['tags'], 'list'),
]

export function toRecords(...texts: string[]): JsonRecord[] {
  return texts.map((text) => parseJson(text) as JsonRecord)
}

/** Takes what is written, as a file does. */
export function createMemory() {
  const chunks: Buffer[] = []
  return {
    write: async (bytes: string | Uint8Array) => {
      chunks.push(Buffer.from(bytes as Uint8Array))
    },
    bytes: () => Buffer.concat(chunks),
  }
}
