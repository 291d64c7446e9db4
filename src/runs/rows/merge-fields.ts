import {allFieldsOf, type Field, type Fields, type Use} from '../../contract/index.js'
import {putField} from '../../formats/record-path.js'
import {toPlainName} from '../../validate/field-names.js'
import {toMilliseconds} from '../../values/date-time.js'
import {compareDecimals} from '../../values/decimal.js'
import {amountText, readAmount} from '../../values/decimal-sum.js'
import {
  isNumber,
  isRecord,
  type JsonRecord,
  type JsonValue,
  numberText,
  printJson,
  toRecord,
} from '../../values/json.js'
import {idText} from '../../values/record-key.js'

/**
 * Lays the given fields over a current record. What the service sets itself is left out; fields that the contract does
 * not know are carried over, because a field that is left out of a full replace is set to null. Objects are laid over
 * each other field by field.
 */
export function mergeRecord(current: JsonRecord, given: JsonRecord, resource: string): JsonRecord {
  return mergeFields(current, given, allFieldsOf(resource))
}

function mergeFields(current: JsonRecord, given: JsonRecord, fields: Fields): JsonRecord {
  const now = spellRecord(current, fields)
  const next = spellRecord(given, fields)
  const merged: JsonRecord = {}
  for (const [name, field] of sentFieldsOf(fields)) {
    const value = mergeValue(ownField(now, name), ownField(next, name), field)
    if (value !== undefined) merged[name] = value
  }

  for (const [name, value] of Object.entries<JsonValue>({...now, ...next})) {
    if (!Object.hasOwn(fields, name)) putField(merged, name, value)
  }
  return merged
}

function mergeValue(now: JsonValue | undefined, next: JsonValue | undefined, field: Field) {
  if (next === undefined) return now
  if (field.kind !== 'object' || !field.fields || !isRecord(next)) return next
  const isNothing = Object.values(next).every((part) => part === null)
  if ((now === null || now === undefined) && isNothing) return null
  return mergeFields(toRecord(now), next, field.fields)
}

export function findField(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** Whether a known field is not sent for this use; fields that the contract does not know are sent. */
export function isNotSent(field: Field | undefined, use: Use = 'update'): boolean {
  return field !== undefined && !field.uses.includes(use)
}

/** The fields of a record by the spelling of the contract; the service does not regard the case of names. */
export function spellFields(record: JsonRecord, fields: Fields): Map<string, JsonValue> {
  const spelled = new Map<string, JsonValue>()
  for (const [written, value] of Object.entries(record)) {
    const name = Object.hasOwn(fields, written) ? written : (spellingsOf(fields).get(toPlainName(written)) ?? written)
    if (name === written || !Object.hasOwn(record, name)) spelled.set(name, value)
  }

  return spelled
}

/** A record with its fields in the spelling of the contract: the record itself where it has that. */
export function spellRecord(record: JsonRecord, fields: Fields): JsonRecord {
  for (const name in record) {
    const isSpelled = Object.hasOwn(fields, name) || !spellingsOf(fields).has(toPlainName(name))
    if (!isSpelled) return Object.fromEntries(spellFields(record, fields))
  }
  return record
}

/** A field that a record has itself: a service may name one `__proto__`. */
export function ownField(record: JsonRecord, name: string): JsonValue | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** Tables of the contract never change: they are read once. */
const sentFields = new WeakMap<Fields, readonly [string, Field][]>()
const spellings = new WeakMap<Fields, ReadonlyMap<string, string>>()

/** The fields that are sent, in the order of the contract. */
function sentFieldsOf(fields: Fields): readonly [string, Field][] {
  const known = sentFields.get(fields)
  if (known) return known
  const made = Object.entries(fields).filter(([, field]) => !isNotSent(field))
  sentFields.set(fields, made)
  return made
}

function spellingsOf(fields: Fields): ReadonlyMap<string, string> {
  const known = spellings.get(fields)
  if (known) return known
  const made = new Map(Object.keys(fields).map((name) => [toPlainName(name), name]))
  spellings.set(fields, made)
  return made
}

/** One field that would change; a nested field by its dotted name. A field that a record lacks is null. */
export type FieldChange = {field: string; from: JsonValue; to: JsonValue}

/**
 * Changes of a write in a record. `replaces`: a missing field is set to null. Only fields that can be sent for that
 * `use` count.
 */
export function diffRecords(
  current: JsonRecord,
  sent: JsonRecord,
  resource: string,
  replaces: boolean,
  use: Use = 'update',
): FieldChange[] {
  const changes: FieldChange[] = []
  diffFields(current, sent, {fields: allFieldsOf(resource), replaces, use, above: '', changes})
  return changes
}

type Scope = {fields: Fields; replaces: boolean; use: Use; above: string; changes: FieldChange[]}

function diffFields(current: JsonRecord, sent: JsonRecord, scope: Scope): void {
  const now = spellRecord(current, scope.fields)
  const next = spellRecord(sent, scope.fields)
  for (const name of Object.keys(next)) if (now[name] !== next[name]) diffField(name, now, next, scope)
  if (!scope.replaces) return
  for (const name of Object.keys(now)) if (!Object.hasOwn(next, name)) diffField(name, now, next, scope)
}

function diffField(name: string, now: JsonRecord, next: JsonRecord, scope: Scope): void {
  const {fields, use, above, changes} = scope
  const field = findField(fields, name)
  if (isNotSent(field, use)) return
  const [from, to] = [ownField(now, name) ?? null, ownField(next, name) ?? null]
  if (field?.kind === 'object' && field.fields) {
    const inner = {...scope, fields: field.fields, replaces: true, above: `${above}${name}.`}
    diffFields(toRecord(from), toRecord(to), inner)
  } else if (!isSame(from, to, field)) changes.push({field: above + name, from, to})
}

/** Numbers are compared by their digits, decimals by what they are worth, times by what they mean. */
export function isSame(one: JsonValue, other: JsonValue, field: Field | undefined): boolean {
  if (one === other) return true
  if (isNumber(one) && isNumber(other)) {
    const [left, right] = [numberText(one), numberText(other)]
    return left === right || (field?.kind === 'decimal' && compareDecimals(left, right) === 0)
  }

  if (field?.orNumber && isName(one) && isName(other)) return idText(one) === idText(other)
  if (field?.kind === 'dateTime' && typeof one === 'string' && typeof other === 'string')
    return (toMilliseconds(one) ?? one) === toMilliseconds(other)

  return printJson(one) === printJson(other)
}

function isName(value: JsonValue): boolean {
  return typeof value === 'string' || isNumber(value)
}

/** Change of a decimal number: by a percentage, by a difference, or to a number; then to the nearest step. */
export type DecimalChange = {readonly kind: 'percent' | 'add' | 'set'; readonly amount: string; readonly step?: string}

/** The changed number, exact; halves of a step are rounded away from zero. Undefined where a text or a step is no number. */
export function changeDecimal(text: string, {kind, amount, step}: DecimalChange): string | undefined {
  const [value, by] = [toLarge(text), toLarge(amount)]
  if (!value || !by) return undefined
  const changed = kind === 'set' ? by : kind === 'add' ? add(value, by) : raise(value, by)
  const rounded = step === undefined ? changed : roundTo(changed, toLarge(step))
  return rounded && amountText(rounded.units, rounded.scale)
}

type Large = {units: bigint; scale: number}

function toLarge(text: string): Large | undefined {
  const amount = readAmount(text)
  return amount && {units: BigInt(amount.units), scale: amount.scale}
}

function add(one: Large, other: Large): Large {
  const scale = Math.max(one.scale, other.scale)
  return {units: unitsAt(one, scale) + unitsAt(other, scale), scale}
}

function raise({units, scale}: Large, percent: Large): Large {
  const hundred = 100n * 10n ** BigInt(percent.scale)
  return {units: units * (hundred + percent.units), scale: scale + percent.scale + 2}
}

function unitsAt({units, scale}: Large, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale)
}

function roundTo(value: Large, step: Large | undefined): Large | undefined {
  if (!step || step.units <= 0n) return undefined
  const scale = Math.max(value.scale, step.scale)
  const [units, of] = [unitsAt(value, scale), unitsAt(step, scale)]
  const size = units < 0n ? -units : units
  const steps = (2n * size + of) / (2n * of)
  return {units: (units < 0n ? -steps : steps) * step.units, scale: step.scale}
}

/** Change of a field of the current record by `--change`. */
export type FieldRule = {
  readonly field: string
  /** Placeholder in a row until the current record is read; each change has its own. */
  readonly mark: string
  readonly change: DecimalChange
}

/** Whether another copy of the same rows would change records once more. */
export function isRelative(rules: readonly FieldRule[] = []): boolean {
  return rules.some(({change}) => change.kind !== 'set')
}
