import {allFieldsOf, writeOperation} from '../../contract/index.js'
import {checkValue} from '../../validate/check-value.js'
import type {Finding, Problem} from '../../validate/problem.js'
import {compareDecimals} from '../../values/decimal.js'
import {isNumber, type JsonRecord, type JsonValue, numberText, printJson, toNumber} from '../../values/json.js'
import {problemAt} from '../check/invalid-input.js'
import {changeDecimal, type FieldRule, findField, spellFields} from '../rows/merge-fields.js'
import type {Batch} from '../rows/phases.js'

/** A row with each mark of a change replaced by the changed value of the current record. */
type Changer = (line: number, given: JsonRecord, current: JsonRecord) => JsonRecord

/** Changes fields of current records by the rules of a plan; what cannot be changed is added to the problems. */
export function createChanger(
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
