import {allFieldsOf, type EndState, recordRulesOf, type WriteId, writeOperation} from '../../contract/index.js'
import type {FieldPlace} from '../../validate/field-names.js'
import type {LocaleName} from '../../validate/locales.js'
import type {UnknownColumns} from '../../validate/match-header.js'
import type {Finding} from '../../validate/problem.js'
import type {EmptyCells} from '../../validate/read-cell.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import type {FieldRule} from '../rows/merge-fields.js'
import type {ValueMap} from './map-values.js'
import type {Names} from './name-lookup.js'
import {describeDisorder, findDisorders} from './record-rules.js'

export type Broken = {field: string; finding: Finding}

/** Rules of one write that concern several fields of a row. */
export type RowRules = {
  /** Fields that are read for the rules and never sent. */
  readonly extra: readonly FieldPlace[]
  /** Prepares the record for sending; returns the rules it breaks, each with its field. */
  apply(record: JsonRecord): readonly Broken[]
  /** Facts for the reader about the rows so far. */
  readonly remarks: string[]
}

/** `merges`: rules across fields are checked once the row is laid over its record. */
export function findRowRules(operation: WriteId, merges: boolean): RowRules | undefined {
  const {body, resource, endState, probe} = writeOperation(operation)
  if (probe.kind === 'current') return createInForceRules(probe.flag)
  if (body === 'update' && endState) return createEndStateRules(resource, endState)
  return merges || recordRulesOf(resource).ascending.length === 0 ? undefined : createOrderRules(resource)
}

/** A record that is set is in force: one that was retired is not brought back by sending it. */
function createInForceRules(flag: string): RowRules {
  const message = 'false: what is set is in force; leave out records that were retired'
  return {
    extra: [],
    apply: (record) => (record[flag] === false ? [{field: flag, finding: {code: 'CONTRADICTION', message}}] : []),
    remarks: [],
  }
}

function createOrderRules(resource: string): RowRules {
  return {
    extra: [],
    apply: (record) =>
      findDisorders(resource, record).map((found) => ({field: found.low, finding: describeDisorder(found, found.low)})),
    remarks: [],
  }
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
      return []
    },
    get remarks() {
      return left === 0 ? [] : [describeLeft(left, endState)]
    },
  }
}

function findContradiction(record: JsonRecord, {flag, time, never}: EndState): Broken[] {
  if (record[flag] !== false || typeof record[time] !== 'string') return []
  return [{field: time, finding: {code: 'CONTRADICTION', message: `a time, but ${flag} is false; ${never}`}}]
}

function describeLeft(count: number, {time, kept, done}: EndState): string {
  return `${time} was left out of ${counted(count, 'row')} that ${kept} shows as ${done}: in an export it is the time of the machine, and what is sent is UTC. To change it, remove the column ${kept}.`
}

/** Options of checking and typing the rows of a file. */
export type CheckOptions = {
  map?: Readonly<Record<string, string>> | undefined
  unknownColumns?: UnknownColumns | undefined
  empty?: EmptyCells | undefined
  /** Fields missing in a row come from the current record. */
  merges?: boolean | undefined
  rules?: RowRules | undefined
  /** Columns whose damage by a spreadsheet was confirmed by eye. */
  allowDamage?: readonly string[] | undefined
  /** `FIELD=VALUE`, for every row. */
  set?: readonly string[] | undefined
  /** Changes of fields of the current records, the same in every row. */
  changes?: readonly FieldRule[] | undefined
  names?: Names | undefined
  /** Values that are replaced before they are typed. */
  mapValues?: readonly ValueMap[] | undefined
  /** Spelling of numbers, times and booleans in the cells of a table. */
  locale?: LocaleName | undefined
  /** Whether the delimiter of a CSV file is among the remarks. */
  saysDelimiter?: boolean | undefined
  /** Whether the records of good rows are kept; true unless given. */
  keepsRows?: boolean | undefined
}
