import {allFieldsOf, type EndState, type WriteId, writeOperation} from '../../contract/index.js'
import type {FieldPlace} from '../../validate/field-names.js'
import type {Finding} from '../../validate/problem.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'

/** Rules of one write that concern several fields of a row. */
export type RowRules = {
  /** Fields that are read for the rules and never sent. */
  readonly extra: readonly FieldPlace[]
  /** Changes the record to what is sent; gives back what is wrong with it, and in which field. */
  apply(record: JsonRecord): {field: string; finding: Finding} | undefined
  /** What the reader may want to know about the rows so far. */
  readonly remarks: string[]
}

export function findRowRules(operation: WriteId): RowRules | undefined {
  const {body, resource, endState} = writeOperation(operation)
  return body === 'update' && endState ? createEndStateRules(resource, endState) : undefined
}

/**
 * In an export the time of an end state is the time of the machine, but a time that is sent is UTC: sent back, it would
 * move. So it is left out of rows that an export shows in that state.
 */
function createEndStateRules(resource: string, endState: EndState): RowRules {
  const {time, kept} = endState
  const field = allFieldsOf(resource)[kept]
  let left = 0
  return {
    extra: field ? [{name: kept, path: [kept], field, isUnsent: true}] : [],
    apply(record) {
      const {[kept]: exported, [time]: sent} = record
      delete record[kept]
      if (typeof exported !== 'string' || typeof sent !== 'string') return findContradiction(record, endState)
      delete record[time]
      left++
      return undefined
    },
    get remarks() {
      return left === 0 ? [] : [describeLeft(left, endState)]
    },
  }
}

function findContradiction(
  record: JsonRecord,
  {flag, time, never}: EndState,
): {field: string; finding: Finding} | undefined {
  if (record[flag] !== false || typeof record[time] !== 'string') return undefined
  return {field: time, finding: {code: 'CONTRADICTION', message: `a time, but ${flag} is false; ${never}`}}
}

function describeLeft(count: number, {time, kept, done}: EndState): string {
  return `${time} was left out of ${counted(count, 'row')} that ${kept} shows as ${done}: in an export it is the time of the machine, and what is sent is UTC. To change it, remove the column ${kept}.`
}
