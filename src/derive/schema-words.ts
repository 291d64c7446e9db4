import type {Field, Use} from '../contract/index.js'

/** One field at its dotted path, such as `contact.firstName`; a nested field of a list has a leaf of its own. */
export type Leaf = {readonly path: string; readonly field: Field}

/**
 * The leaves of the fields of one use, in the order of columns. A list is a leaf of its own, followed by the fields of
 * its elements when `intoLists` is set.
 */
export function toLeaves(fields: Readonly<Record<string, Field>>, use: Use, intoLists = false): Leaf[] {
  return walk(fields, use, intoLists, '')
}

function walk(fields: Readonly<Record<string, Field>>, use: Use, intoLists: boolean, before: string): Leaf[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!field.uses.includes(use)) return []
    const path = before + name
    if (field.kind === 'object') return walk(field.fields ?? {}, use, intoLists, `${path}.`)
    const nested = field.kind === 'list' && intoLists ? walk(field.fields ?? {}, use, intoLists, `${path}.`) : []
    return [{path, field}, ...nested]
  })
}

const kindWords: Record<Field['kind'], string> = {
  integer: 'integer',
  decimal: 'decimal',
  text: 'text',
  boolean: 'true or false',
  dateTime: 'date and time, UTC, such as 2024-07-30T18:07:05',
  choice: 'choice',
  object: 'object',
  list: 'list',
}

/** The type of a field in words: `choice of PrePaid, Net10`. What is sent is UTC; of what is read, the field itself says. */
export function typeWordsOf({kind, of}: Field, use: Use): string {
  if (kind === 'dateTime' && use === 'read') return 'date and time, such as 2024-07-30T18:07:05'
  return of ? `one of ${of.join(' ')}` : kindWords[kind]
}

/** The bounds of a field in words, or an empty text: `at least -1, not 0`, `at most 100 characters`. */
export function boundWordsOf({min, above, except = [], maxLength}: Field): string {
  const bounds = [
    min === undefined ? '' : `at least ${min}`,
    above === undefined ? '' : `above ${above}`,
    except.length === 0 ? '' : `not ${except.join(' or ')}`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
  ]
  return bounds.filter((bound) => bound !== '').join(', ')
}
