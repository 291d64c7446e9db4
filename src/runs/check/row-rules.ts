import {allFieldsOf, type WriteId} from '../../contract/index.js'
import type {FieldPlace} from '../../validate/field-names.js'
import type {Finding} from '../../validate/problem.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'

/** Rules of one write that no single field knows. */
export type RowRules = {
  /** Fields that are read for the rules and never sent. */
  readonly extra: readonly FieldPlace[]
  /** Changes the record to what is sent; gives back what is wrong with it, and in which field. */
  apply(record: JsonRecord): {field: string; finding: Finding} | undefined
  /** What the reader may want to know about the rows so far. */
  readonly remarks: string[]
}

export function findRowRules(operation: WriteId): RowRules | undefined {
  return operation === 'alerts.update' ? createAlertRules() : undefined
}

const serverTime = 'clearedAtServerTime'

/**
 * In an export `clearedAt` is the time of the machine, but a time that is sent is UTC: sent back, it would move. So it
 * is left out of rows that an export shows as cleared.
 */
function createAlertRules(): RowRules {
  const field = allFieldsOf('alert')[serverTime]
  let left = 0
  return {
    extra: field ? [{name: serverTime, path: [serverTime], field, isUnsent: true}] : [],
    apply(record) {
      const {[serverTime]: exported, clearedAt} = record
      delete record[serverTime]
      if (typeof exported !== 'string' || typeof clearedAt !== 'string') return findContradiction(record)
      delete record['clearedAt']
      left++
      return undefined
    },
    get remarks() {
      return left === 0 ? [] : [describeLeft(left)]
    },
  }
}

function findContradiction({isCleared, clearedAt}: JsonRecord): {field: string; finding: Finding} | undefined {
  if (isCleared !== false || typeof clearedAt !== 'string') return undefined
  const message = 'a time, but isCleared is false; an alert is never uncleared'
  return {field: 'clearedAt', finding: {code: 'CONTRADICTION', message}}
}

function describeLeft(count: number): string {
  return `clearedAt was left out of ${counted(count, 'row')} that ${serverTime} shows as cleared: in an export it is the time of the machine, and what is sent is UTC. To change it, remove the column ${serverTime}.`
}
