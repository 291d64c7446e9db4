import {allFieldsOf, type Field, fieldsOf, type Write, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {putField} from '../../formats/record-path.js'
import {checkValue} from '../../validate/check-value.js'
import type {Finding, Problem} from '../../validate/problem.js'
import {counted} from '../../values/counted.js'
import {compareDecimals} from '../../values/decimal.js'
import {
  isNumber,
  isRawNumber,
  type JsonRecord,
  type JsonValue,
  numberText,
  printJson,
  toNumber,
} from '../../values/json.js'
import {idText, isDeletion} from '../../values/record-key.js'
import {problemAt} from '../check/invalid-input.js'
import {createMergedCheck} from '../check/record-rules.js'
import {type Reader, readCurrent, requestsToRead} from '../records/read-current.js'
import {bytesOfRecord, type PlannedRow, placesOf} from '../rows/cut-sets.js'
import {
  changeDecimal,
  diffRecords,
  type FieldRule,
  findField,
  mergeRecord,
  spellFields,
  spellRecord,
} from '../rows/merge-fields.js'
import {filterRows, mapRows} from '../rows/packed-rows.js'
import type {Batch, Comparison, Matched, Shown} from '../rows/phases.js'
import {contentDigest, idOf, isNew, nameOf, placeOf, writtenKey} from '../rows/row-content.js'
import {creation, deletion} from './compare-rows.js'
import {settleCells} from './current-cells.js'

export type MergeOptions = {client: Reader; sendUnchanged?: boolean | undefined}

export type Merged = Required<Omit<Shown, 'before' | 'remarks' | 'requests'>> & {
  /** Current records by natural key. */
  before: Map<string, JsonRecord>
}

/** Rows that were merged with the current records. */
export async function mergeRows(matched: Matched, options: MergeOptions): Promise<Shown> {
  const {before, longestRecordBytes, ...merged} = await mergePlan(matched, options)
  const isAll = merged.comparison.missing.length === 0 // a row without its record is as long as the file has it
  const asked = matched.found ? 0 : placesOf(merged.rows, (skip) => skip !== 'appliedBefore').length
  return {
    ...merged,
    longestRecordBytes: isAll ? longestRecordBytes : Number.POSITIVE_INFINITY,
    before: {records: before, isComplete: true},
    requests: requestsToRead(asked),
  }
}

export type ToMerge = Pick<Matched, 'operation' | 'file' | 'layout' | 'columns' | 'rows' | 'changes' | 'found'> &
  Pick<Matched, 'warnings' | 'doubts'>

/**
 * Lays the rows of a plan over the current records, which are read once. A row whose record is like that already has
 * `skip`, unless it is sent anyway; a row whose record does not exist is left unmerged. Time: linear in rows; memory:
 * their current records, and the changes.
 */
export async function mergePlan(plan: ToMerge, {client, sendUnchanged}: MergeOptions): Promise<Merged> {
  const operation = writeOperation(plan.operation)
  const asked = filterRows(plan.rows, ({skip, record}) => skip === undefined && !isNew(operation, record))
  const readAt = plan.found?.readAt ?? systemClock.monotonic()
  const ids = asked.map((row) => idOf(row, operation))
  const {records} = await readCurrent(client, operation, ids, {known: plan.found?.records})
  const comparison: Comparison = {changes: [], missing: [], unchanged: 0}
  const brokenFields = watchBrokenFields(operation)
  const check = createMergedCheck(plan)
  const change = createChanger(plan, check.problems)
  const before = new Map<string, JsonRecord>()
  let longestRecordBytes = 0
  const {warnings, doubts, ...settled} = settleCells(plan, records)
  const fresh = new Set<number>()
  const rows = mapRows(settled.rows, (row, place): PlannedRow => {
    if (row.skip) return row
    const {line, record: given} = row
    if (isNew(operation, given)) {
      fresh.add(place)
      comparison.changes.push({line, id: null, ...nameOf(given), ...placeOf(given), ...creation})
      longestRecordBytes = Math.max(longestRecordBytes, bytesOfRecord(given))
      return row
    }
    const id = idOf(row, operation)
    const current = records.get(idText(id))
    check.problems.push(...checkInForce(row, current, {plan, write: operation}))
    const first = current ? undefined : toFirst(row.record, operation)
    if (!current && !first) {
      comparison.missing.push({line, id})
      return row
    }

    if (current) before.set(writtenKey(plan.operation, row.record), current)
    const said = change(line, given, current ?? {})
    const record = first ?? withKnownId(mergeRecord(current ?? {}, said, operation.resource), current ?? {}, operation)
    const changes = isDeletion(operation, record)
      ? [deletion]
      : diffRecords(current ?? {}, first ?? fieldsSaid(record, said, operation), operation.resource, false)
    const known = {...nameOf(current ?? record), ...placeOf(current ?? record)}
    for (const change of changes) comparison.changes.push({line, id, ...known, ...change})
    check.look({line, record, changes})
    if (changes.length === 0) comparison.unchanged++
    if (changes.length === 0 && !sendUnchanged) return {...row, skip: 'unchanged'}
    if (current) brokenFields.look(record, said)
    longestRecordBytes = Math.max(longestRecordBytes, bytesOfRecord(record))
    const digest = row.digest ?? (said === given ? undefined : contentDigest(given))
    return {line, record, ...(digest && {digest}), given: said}
  })
  return {
    rows,
    comparison,
    notices: brokenFields.notices,
    warnings,
    doubts,
    problems: check.problems,
    before,
    readAt,
    longestRecordBytes,
    fresh,
  }
}

/** A record with its id as the service gave it, which may be a text of digits. */
function withKnownId(record: JsonRecord, current: JsonRecord, {target}: Write): JsonRecord {
  const known = current[target]
  const isOther = typeof known === 'string' && record[target] !== known && idText(record[target]) === known
  return isOther ? {...record, [target]: known} : record
}

/** Only what a row says can differ: the rest of the record is that of before. */
function fieldsSaid(record: JsonRecord, said: JsonRecord, {resource}: Write): JsonRecord {
  const names = Object.keys(spellRecord(said, allFieldsOf(resource)))
  const fields: JsonRecord = {}
  for (const name of names) if (Object.hasOwn(record, name)) putField(fields, name, record[name] ?? null)
  return fields
}

const mostSound = 1_000

type BrokenField = {count: number; id: string; why: string}

/** Looks for fields of current records that break a rule of the contract: they are sent unchanged. */
function watchBrokenFields({resource}: Write) {
  // the service knows its zones, and to ask for each of them takes longer than all the rest
  const fields = Object.entries<Field>(fieldsOf(resource, 'update')).map(([name, {zone: _, ...field}]) => ({
    name,
    field,
    sound: new Set<JsonValue>(), // values that many records share are checked once
  }))
  const found = new Map<string, BrokenField>()
  const absent = new Set(fields.map(({name}) => name))
  let looked = 0

  return {
    look(merged: JsonRecord, given: JsonRecord): void {
      looked++
      if (absent.size > 0) for (const name of Object.keys(merged)) absent.delete(name)
      for (const {name, field, sound} of fields) {
        const value = merged[name]
        const key = value !== undefined && isRawNumber(value) ? `\0${numberText(value)}` : value
        if (Object.hasOwn(given, name) || (key !== undefined && sound.has(key))) continue
        const why = findOddity(value, field)
        if (why === undefined && key !== undefined && sound.size < mostSound) sound.add(key)
        if (why === undefined) continue
        const known = found.get(name)
        if (known) known.count++
        else found.set(name, {count: 1, id: idText(merged['id']), why})
      }
    },
    get notices(): string[] {
      const lost = looked === 0 ? [] : [...absent].filter((name) => !found.has(name))
      return [...describeLost(lost), ...[...found].map(describeBrokenField)]
    },
  }
}

function describeBrokenField([name, {count, id, why}]: [string, BrokenField]): string {
  const records = count === 1 ? `of record ${id}` : `of ${counted(count, 'record')}, such as ${id},`
  return `${name} ${records} does not match the contract (${why}); it is sent back unchanged`
}

/** A field that no current record has and no row gives cannot be sent, and a full replace sets it to null. */
function describeLost(names: readonly string[]): string[] {
  if (names.length === 0) return []
  return [`the service returned no ${names.join(', ')}: a value there, if any, is set to null`]
}

function findOddity(value: JsonValue | undefined, field: Field): string | undefined {
  if (value !== undefined) return checkValue(value, field)[0]?.finding.message
  return field.required?.includes('update') ? 'the service did not return it' : undefined
}

/** A row whose record is the first under its key, with what the service would not fill in. */
function toFirst(record: JsonRecord, {probe}: Write): JsonRecord | undefined {
  return probe.kind === 'current' ? {...probe.first, ...record} : undefined
}

type Where = Pick<Batch, 'file' | 'layout' | 'columns'>
type Checked = {plan: Where; write: Write}

/**
 * Problems of a row whose id is not that of the record in force, and of one that leaves out what the first record under
 * its key needs.
 */
function checkInForce(row: PlannedRow, current: JsonRecord | undefined, {plan, write}: Checked): Problem[] {
  const {probe, target, resource} = write
  const given = row.record[target]
  if (probe.kind !== 'current') return []
  if (given !== undefined && idText(given) !== idText(current?.[target])) {
    const now = current ? `the current one is ${idText(current[target])}` : 'there is none in force'
    const message = `${resource} ${idText(given)} was retired, or is of another ${probe.key.join(' or ')}; ${now}`
    const cell = {cell: idText(given), write: current && [idText(current[target])]}
    return [problemAt(plan, {line: row.line, field: target, ...cell}, {code: 'MISSING_RECORD', message})]
  }

  const needed = Object.entries(fieldsOf(resource, 'update')).filter(([, {required}]) => required?.includes('update'))
  const left = current ? [] : needed.filter(([name]) => row.record[name] === undefined)
  const message = 'required, because no record is in force that it could be taken from'
  return left.map(([field]) => problemAt(plan, {line: row.line, field}, {code: 'MISSING_VALUE', message}))
}

/** A row with each mark of a change replaced by the changed value of the current record. */
type Changer = (line: number, given: JsonRecord, current: JsonRecord) => JsonRecord

/** Changes fields of current records by the rules of a plan; what cannot be changed is added to the problems. */
function createChanger(
  plan: Pick<Batch, 'operation' | 'file' | 'layout' | 'columns' | 'changes'>,
  problems: Problem[],
): Changer {
  const {changes, operation} = plan
  if (changes.length === 0) return (_line, given) => given
  const fields = allFieldsOf(writeOperation(operation).resource)
  return (line, given, current) => {
    const now = spellFields(current, fields)
    const made = {...given}
    for (const rule of changes) {
      const {field} = rule
      if (given[field] !== rule.mark) continue // a resumed run has the value
      const [from, definition] = [now.get(field) ?? null, findField(fields, field)]
      const value = changeValue(from, rule)
      const wrong =
        value === undefined ? findNothing(from, rule) : definition && findWrong(value, from, rule, definition)
      if (wrong) problems.push(problemAt(plan, {line, field, cell: printJson(from)}, wrong))
      made[field] = value ?? from
    }

    return made
  }
}

/** The changed value; undefined where there is no number to change. One that is equal keeps its digits. */
function changeValue(from: JsonValue, {change}: FieldRule): JsonValue | undefined {
  const text = isNumber(from) ? numberText(from) : undefined
  const to = text === undefined && change.kind !== 'set' ? undefined : changeDecimal(text ?? '0', change)
  if (to === undefined) return undefined
  return text !== undefined && compareDecimals(text, to) === 0 ? from : toNumber(to)
}

function findNothing(from: JsonValue, {mark}: FieldRule): Finding {
  const what = from === null ? 'null, and not a number' : 'not a number'
  return {code: 'NOT_CHANGEABLE', message: `${what}: ${mark} changes nothing; set it with =VALUE, or remove the row`}
}

type Definition = Parameters<typeof checkValue>[1]

function findWrong(value: JsonValue, from: JsonValue, {mark}: FieldRule, definition: Definition): Finding | undefined {
  const [wrong] = checkValue(value, definition)
  return wrong && {...wrong.finding, message: `${mark} of ${printJson(from)} is ${wrong.finding.message}`}
}
