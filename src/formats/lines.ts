import type {Field, Fields} from '../contract/base/grammar.js'
import type {JsonRecord, JsonValue} from '../values/json.js'
import {type Column, columnsOf} from './columns.js'
import {findName} from './record-path.js'

/** The list of a record that is split into lines: `lineItems` of a batch become a `lineItem` each. */
export type LineNames = {readonly list: string; readonly line: string}

/** The names of the one list of objects in a resource; undefined when it has none. */
export function lineNamesOf(fields: Fields): LineNames | undefined {
  const list = Object.keys(fields).find((name) => fields[name]?.kind === 'list' && fields[name].fields)
  return list === undefined ? undefined : {list, line: list.replace(/s$/, '')}
}

/** The fields of one line: those of the batch without its list, then the line as an object. */
function lineFields(fields: Fields, names: LineNames): Fields {
  const {[names.list]: list, ...batch} = fields
  const line = {...(list as Field), kind: 'object'} as const
  return {...batch, [names.line]: line}
}

/** The columns of `--rows lines`: those of the batch, then `lineItem.id`, `lineItem.selection` and so on. */
export function lineColumns(fields: Fields, names: LineNames): Column[] {
  return columnsOf(lineFields(fields, names))
}

/**
 * One record per line item: the fields of its batch, and the line item as the last field. A batch without line items
 * is one line with no line item, so that no batch vanishes. A list that is not a list stays a field of its own, and so
 * does a field of the batch that has the name of the line, as `lineItemOfBatch`.
 */
export function* toLines(batch: JsonRecord, names: LineNames): Generator<JsonRecord, void, void> {
  const name = findName(batch, names.list)
  const list = name === undefined ? null : (batch[name] as JsonValue)
  if (list !== null && !Array.isArray(list)) return yield batch
  const rest = without(batch, name, names.line)
  if (list === null || list.length === 0) return yield rest
  for (const line of list) yield {...rest, [names.line]: line}
}

function without(batch: JsonRecord, list: string | undefined, line: string): JsonRecord {
  const {[list ?? line]: _list, [line]: namesake, ...rest} = batch
  return namesake === undefined ? rest : {...rest, [`${line}OfBatch`]: namesake}
}
