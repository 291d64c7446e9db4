import {type Field, type Use, useOf, type WriteId, writeOperation} from '../contract/index.js'
import {fileFieldsOf} from './schema-document.js'
import {boundWordsOf, type Leaf, toLeaves, typeWordsOf} from './schema-words.js'

type Cell = string | number | boolean

/**
 * A CSV file that a bulk write accepts as it is: a header with the required columns first, one example row, and the
 * rules of every column in `_notes`, which is ignored like every column that begins with `_`. Columns that are not
 * required and have no example are empty, which leaves them out. The ids of the example are to be replaced.
 */
export function toCsvTemplate(id: WriteId): string {
  const {leaves, use} = columnsOf(id)
  const header = [...leaves.map(({path}) => path), '_notes']
  const notes = leaves.map((leaf) => `${leaf.path}: ${noteOf(leaf, use)}`).join(' | ')
  const row = [...leaves.map((leaf) => String(exampleOf(leaf.field, use) ?? '')), notes]
  return [header, row].map((cells) => `${cells.map(quote).join(',')}\n`).join('')
}

/** The same template as a JSON array of one record; what is not required and has no example is left out of it. */
export function toJsonTemplate(id: WriteId): string {
  const {leaves, use} = columnsOf(id)
  const record: Record<string, unknown> = {}
  for (const {path, field} of leaves) {
    const example = exampleOf(field, use)
    if (example !== undefined) place(record, path.split('.'), example)
  }
  const notes = Object.fromEntries(leaves.map((leaf) => [leaf.path, noteOf(leaf, use)]))
  return `${JSON.stringify([{...record, _notes: notes}], undefined, 2)}\n`
}

function columnsOf(id: WriteId): {leaves: Leaf[]; use: Use} {
  const operation = writeOperation(id)
  const use = useOf(operation)
  const all = toLeaves(fileFieldsOf(operation), use)
  const isRequired = ({field}: Leaf) => field.required?.includes(use) ?? false
  return {use, leaves: [...all.filter(isRequired), ...all.filter((leaf) => !isRequired(leaf))]}
}

function exampleOf(field: Field, use: Use): Cell | undefined {
  if (field.example !== undefined) return field.example
  return field.required?.includes(use) ? plainExampleOf(field) : undefined
}

function plainExampleOf({kind, min, above, except, of}: Field): Cell {
  const smallest = min ?? (above === undefined ? 1 : above + 1)
  const number = except?.includes(smallest) ? smallest + 1 : smallest
  const examples: Record<Field['kind'], Cell> = {
    integer: number,
    decimal: number,
    text: 'text',
    boolean: true,
    dateTime: '2024-07-30T18:07:05',
    choice: of?.[0] ?? '',
    object: '',
    list: '',
  }
  return examples[kind]
}

function noteOf({field}: Leaf, use: Use): string {
  const rules = [
    field.required?.includes(use) ? 'required' : 'optional',
    typeWordsOf(field, use),
    boundWordsOf(field),
    field.nullable ? 'may be null' : '',
  ]
  return `${field.about} (${rules.filter((rule) => rule !== '').join('; ')})`
}

function place(record: Record<string, unknown>, [name, ...rest]: string[], value: Cell): void {
  if (name === undefined) return
  if (rest.length === 0) {
    record[name] = value
    return
  }
  const inner = (record[name] ?? {}) as Record<string, unknown>
  record[name] = inner
  place(inner, rest, value)
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
