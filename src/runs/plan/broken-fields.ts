import {type Field, fieldsOf, type Write} from '../../contract/index.js'
import {checkValue} from '../../validate/check-value.js'
import {counted} from '../../values/counted.js'
import {isRawNumber, type JsonRecord, type JsonValue, numberText} from '../../values/json.js'
import {idText} from '../../values/record-key.js'

const mostValid = 1_000

type BrokenField = {count: number; id: string; why: string}

/** Looks for fields of current records that break a rule of the contract: they are sent unchanged. */
export function watchBrokenFields({resource}: Write) {
  // the service knows its zones, and to ask for each of them takes longer than all the rest
  const fields = Object.entries<Field>(fieldsOf(resource, 'update')).map(([name, {zone: _, ...field}]) => ({
    name,
    field,
    valid: new Set<JsonValue>(), // values that many records share are checked once
  }))
  const found = new Map<string, BrokenField>()
  const absent = new Set(fields.map(({name}) => name))
  let looked = 0

  return {
    look(merged: JsonRecord, given: JsonRecord): void {
      looked++
      if (absent.size > 0) for (const name of Object.keys(merged)) absent.delete(name)
      for (const {name, field, valid} of fields) {
        const value = merged[name]
        const key = value !== undefined && isRawNumber(value) ? `\0${numberText(value)}` : value
        if (Object.hasOwn(given, name) || (key !== undefined && valid.has(key))) continue
        const why = findBreach(value, field)
        if (why === undefined && key !== undefined && valid.size < mostValid) valid.add(key)
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

function findBreach(value: JsonValue | undefined, field: Field): string | undefined {
  if (value !== undefined) return checkValue(value, field)[0]?.finding.message
  return field.required?.includes('update') ? 'the service did not return it' : undefined
}
