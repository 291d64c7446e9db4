import {allFieldsOf, type Field, type Fields, type Use} from '../../contract/index.js'
import {toMilliseconds} from '../../values/date-time.js'
import {compareDecimals} from '../../values/decimal.js'
import {isNumber, isRecord, type JsonRecord, type JsonValue, numberText, printJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {findField, isNeverSent, ownField, spellRecord} from './merge.js'

/** One field that would change; a nested field by its dotted name. A field that a record lacks is null. */
export type FieldChange = {field: string; from: JsonValue; to: JsonValue}

/**
 * What a write would change in a record. `replaces`: a field that is not sent is set to null. Only fields that can be
 * sent for that `use` count.
 */
export function diffRecords(
  current: JsonRecord,
  sent: JsonRecord,
  resource: string,
  replaces: boolean,
  use: Use = 'update',
): FieldChange[] {
  return [...diffFields(current, sent, {fields: allFieldsOf(resource), replaces, use, above: ''})]
}

type Scope = {fields: Fields; replaces: boolean; use: Use; above: string}

function* diffFields(
  current: JsonRecord,
  sent: JsonRecord,
  {fields, replaces, use, above}: Scope,
): Generator<FieldChange> {
  const now = spellRecord(current, fields)
  const next = spellRecord(sent, fields)
  const names = replaces ? new Set([...Object.keys(next), ...Object.keys(now)]) : Object.keys(next)
  for (const name of names) {
    const field = findField(fields, name)
    if (isNeverSent(field, use)) continue
    const [from, to] = [ownField(now, name) ?? null, ownField(next, name) ?? null]
    if (field?.kind === 'object' && field.fields) {
      yield* diffFields(toObject(from), toObject(to), {
        fields: field.fields,
        replaces: true,
        use,
        above: `${above}${name}.`,
      })
    } else if (!isSame(from, to, field)) yield {field: above + name, from, to}
  }
}

function toObject(value: JsonValue): JsonRecord {
  return isRecord(value) ? value : {}
}

/** Numbers are compared by their digits, decimals by what they are worth, times by what they mean. */
export function isSame(one: JsonValue, other: JsonValue, field: Field | undefined): boolean {
  if (one === other) return true
  if (isNumber(one) && isNumber(other)) {
    const [left, right] = [numberText(one), numberText(other)]
    return left === right || (field?.kind === 'decimal' && compareDecimals(left, right) === 0)
  }

  if (field?.orNumber && isName(one) && isName(other)) return idText(one) === idText(other)
  if (field?.kind === 'dateTime' && typeof one === 'string' && typeof other === 'string') {
    return (toMilliseconds(one) ?? one) === toMilliseconds(other)
  }

  return printJson(one) === printJson(other)
}

function isName(value: JsonValue): boolean {
  return typeof value === 'string' || isNumber(value)
}
