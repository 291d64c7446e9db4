import type {Write} from '../contract/index.js'
import type {JsonRecord} from './json.js'

/** Whether a record that is sent is deleted: all are, or those whose flags are all false. */
export function isDeletion({deletes}: Pick<Write, 'deletes'>, sent: JsonRecord): boolean {
  if (typeof deletes === 'string') return deletes === 'all'
  return deletes.allFalse.every((flag) => sent[flag] === false)
}
