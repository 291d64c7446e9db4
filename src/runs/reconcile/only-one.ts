import {type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {JsonRecord} from '../../values/json.js'
import type {Reader} from '../plan/read-at-most.js'
import {isSentEnded} from './judge-likeness.js'

/**
 * Whether the service refuses a second copy of a record, because it keeps only one such record in force. Never, where
 * the write has no such records or they cannot be read.
 */
export async function readOnlyOne(client: Reader, operation: WriteId): Promise<(record: JsonRecord) => boolean> {
  const {repeatable, endState} = writeOperation(operation)
  if (repeatable.when !== 'asked') return () => false
  const {read, field, flag} = repeatable.unless
  const listed = new Set<string>()
  try {
    for await (const page of client.readPages(read, {filters: {}})) {
      for (const {[flag]: isOnly, [field]: value} of page.records) if (isOnly === true) listed.add(String(value))
    }
  } catch (error) {
    if (error instanceof CliFailure) return () => false
    throw error
  }

  return (record) => !isSentEnded(record, endState) && listed.has(String(record[field]))
}
