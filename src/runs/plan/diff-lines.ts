import {allFieldsOf, type Write} from '../../contract/index.js'
import type {TextCell} from '../../formats/write/html/text-page.js'
import {thousands} from '../../values/counted.js'
import {isDecimal} from '../../values/decimal.js'
import {createDecimalSum} from '../../values/decimal-sum.js'
import {type JsonValue, printJson} from '../../values/json.js'
import type {RowChange} from '../rows/phases.js'

/** `+` makes a record, or a value where none was; `-` deletes a record; `~` changes a value. */
export type Sign = '+' | '~' | '-'

/** One change as people read it. */
export type DiffLine = {
  /** Where the record is, such as `site 1001`; empty where that is not known. */
  place: string
  sign: Sign
  id: string
  name: string
  field: string
  from: string
  to: string
}

/** Whether a record would be made, which has no id yet. */
export function isCreation({id, field}: Pick<RowChange, 'id' | 'field'>): boolean {
  return field === 'created' && id === null
}

/** Changes in the order of their rows, those of one place together. */
export function toDiffLines(changes: readonly RowChange[]): DiffLine[] {
  const lines = changes.map(({place = '', id, name = '', selection = '', field, from, to}): DiffLine => {
    const isDeletion = field === 'deleted' && to === true
    const isNew = isCreation({id, field})
    const texts = isDeletion || isNew ? {from: '', to: ''} : {from: toWords(from), to: toWords(to)}
    const sign = isDeletion ? '-' : isNew || (from === null && to !== null) ? '+' : '~'
    return {
      place,
      sign,
      id: id === null ? '' : toWords(id),
      field,
      name: [name, selection].filter(Boolean).join(' '),
      ...texts,
    }
  })
  return [...Map.groupBy(lines, ({place}) => place).values()].flat()
}

/** A text as it is, so that it can be read; everything else, and the empty text, as JSON. */
export function toWords(value: JsonValue): string {
  return typeof value === 'string' && value !== '' ? value : printJson(value)
}

/** The part of a new value that differs from the old one, between what both begin and end with. */
export function findChanged(from: string, to: string): {start: string; changed: string; end: string} {
  const [old, now] = [Array.from(from), Array.from(to)]
  const most = Math.min(old.length, now.length)
  let start = 0
  while (start < most && old[start] === now[start]) start++
  let end = 0
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const cut = now.length - end
  return {start: now.slice(0, start).join(''), changed: now.slice(start, cut).join(''), end: now.slice(cut).join('')}
}

/** A change as cells of a page: its sign, place, id, name and field, and both values. */
export function toDiffCells({sign, place, id, name, field, from, to}: DiffLine): TextCell[] {
  const {start, changed, end} = findChanged(from, to)
  return [sign, place, id, name, field, from, sign !== '~' || start + end === '' ? to : {start, changed, end}]
}

/** `price 466.80 → 490.00 (+23.20), of 240`: sums of the amounts that change, field by field. */
export function describeSums(lines: readonly DiffLine[], {resource, words}: Write): string[] {
  const fields = allFieldsOf(resource)
  const amounts = lines.filter(
    ({field, from, to}) => fields[field]?.kind === 'decimal' && isDecimal(from) && isDecimal(to),
  )
  return [...Map.groupBy(amounts, ({field}) => field)].map(([field, those]) => {
    const [before, after, difference] = [createDecimalSum(), createDecimalSum(), createDecimalSum()]
    for (const {from, to} of those) {
      before.add(from)
      after.add(to)
    }
    difference.merge(after)
    difference.merge({text: before.text.startsWith('-') ? before.text.slice(1) : `-${before.text}`})
    const sign = difference.text.startsWith('-') ? '' : '+'
    const records = `${thousands(those.length)} ${those.length === 1 ? words.noun : words.nouns}`
    return `${field} ${before.text} → ${after.text} (${sign}${difference.text}), of ${records}`
  })
}
