import {allFieldsOf, type ObjectAnswer, type Read} from '../contract/index.js'
import {splitElements} from '../values/elements.js'
import {
  isNumber,
  isRecord,
  JsonProblem,
  type JsonRecord,
  type JsonValue,
  numberText,
  printJson,
  toNumber,
} from '../values/json.js'
import {toMessageText} from '../values/message-text.js'
import {readJson} from './error-list.js'

/**
 * Makes of the bytes of an answer a list of records under the names of the contract, so that nothing behind it knows
 * other forms; the same bytes where they are one already. Throws `JsonProblem` where they are none.
 */
export type ToRecordForm = (body: Buffer) => Buffer

/** Undefined where every answer of a read is such a list. */
export function findRecordForm({answer, resource}: Read): ToRecordForm | undefined {
  if (answer) return (body) => toRows(body, answer)
  const forms = {names: otherNamesOf(resource), texts: textsOf(resource)}
  const others = [...forms.names.keys()].map((name) => `"${name}"\\s*:`)
  const numbers = [...forms.texts].map((name) => `"${name}"\\s*:\\s*-?\\d`)
  if (others.length + numbers.length === 0) return undefined
  const pattern = new RegExp([...others, ...numbers].join('|'), 'i')
  return (body) => (pattern.test(body.toString('latin1')) ? respell(body, forms) : body)
}

type Forms = {
  /** The contract's name of a field by each other one, in lower case. */
  names: ReadonlyMap<string, string>
  /** Fields in lower case that are texts, and that services also send as numbers. */
  texts: ReadonlySet<string>
}

function textsOf(resource: string): ReadonlySet<string> {
  const all = Object.entries(allFieldsOf(resource))
  return new Set(all.filter(([, {orNumber}]) => orNumber).map(([name]) => name.toLowerCase()))
}

function otherNamesOf(resource: string): ReadonlyMap<string, string> {
  const all = Object.entries(allFieldsOf(resource))
  return new Map(all.flatMap(([name, {alsoNamed = []}]) => alsoNamed.map((other) => [other.toLowerCase(), name])))
}

function respell(body: Buffer, forms: Forms): Buffer {
  const elements = splitElements(body)
  const records = Array.from({length: elements.count}, (_, index) => {
    const [start, end] = elements.bounds.slice(index * 2, index * 2 + 2)
    return respelled(body.toString('utf8', start, end), () => elements.parse(index), forms)
  })
  return Buffer.from(`[${records.join()}]`)
}

/** A record that has a field under both names keeps both; what is no record is left to its reader. */
function respelled(text: string, parse: () => JsonValue, {names, texts}: Forms): string {
  let record: JsonValue
  try {
    record = parse()
  } catch (error) {
    if (error instanceof JsonProblem) return text
    throw error
  }

  if (!isRecord(record)) return text
  const own = new Set(Object.keys(record).map((name) => name.toLowerCase()))
  const fields = Object.entries<JsonValue>(record).map(([written, value]): [string, JsonValue] => {
    const name = names.get(written.toLowerCase())
    const isText = texts.has(written.toLowerCase()) && isNumber(value)
    return [name === undefined || own.has(name.toLowerCase()) ? written : name, isText ? numberText(value) : value]
  })
  return printJson(Object.fromEntries(fields))
}

/** One record for each value of each member; the name of a member is a number where it can be one. */
function toRows(body: Buffer, {name, value}: ObjectAnswer): Buffer {
  const members = readJson(body)
  if (members === undefined) throw new JsonProblem(/\}\s*$/.test(body.toString('latin1')) ? 'not JSON' : 'cut short')
  if (!isRecord(members)) throw new JsonProblem('no object, where one with a list for each id is expected')
  const rows = Object.entries<JsonValue>(members).flatMap(([member, values]) => {
    const isList = Array.isArray(values) && values.every((one) => isNumber(one) || typeof one === 'string')
    if (!isList) throw new JsonProblem(`an object whose member "${toMessageText(member)}" is no list of ids`)
    const key = /^(?:0|[1-9]\d*)$/.test(member) ? toNumber(member) : member
    return values.map((one): JsonRecord => ({[name]: key, [value]: one}))
  })
  return Buffer.from(printJson(rows))
}
