import {allFieldsOf, type WriteId} from '../contract/index.js'
import type {FieldPlace} from '../validate/field-names.js'
import type {RowReport} from '../validate/row-report.js'
import type {JsonRecord} from '../values/json.js'

/** Rules of one write that no single field knows. */
export type RowRules = {
  /** Fields that are read for the rules and never sent. */
  readonly extra: readonly FieldPlace[]
  /** Changes the record to what is sent; tells the report what is wrong. */
  apply(record: JsonRecord, report: RowReport): void
  /** What the reader should know about the rows so far. */
  readonly notices: string[]
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
    extra: field ? [{name: serverTime, path: [serverTime], field}] : [],
    apply(record, report) {
      const {[serverTime]: exported, clearedAt} = record
      delete record[serverTime]
      if (typeof exported === 'string' && typeof clearedAt === 'string') {
        delete record['clearedAt']
        left++
      } else refuseContradiction(record, report)
    },
    get notices() {
      return left === 0 ? [] : [describeLeft(left)]
    },
  }
}

function refuseContradiction({isCleared, clearedAt}: JsonRecord, report: RowReport): void {
  if (isCleared !== false || typeof clearedAt !== 'string') return
  report.atField('clearedAt')
  report.found({code: 'CONTRADICTION', message: 'a time, but isCleared is false; an alert is never uncleared'})
}

function describeLeft(count: number): string {
  const rows = count === 1 ? '1 row' : `${count} rows`
  return `clearedAt was left out of ${rows} that ${serverTime} shows as cleared: in an export it is the time of the machine, and what is sent is UTC. To change it, remove the column ${serverTime}.`
}
