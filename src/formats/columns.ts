import type {FieldKind, Fields} from '../contract/base/grammar.js'
import {CliFailure} from '../core/errors.js'
import {suggest} from '../values/suggest.js'

export type Column = {
  /** Dotted; a dot inside the name of a field is written `\.`. */
  readonly name: string
  readonly path: readonly string[]
  readonly kind: FieldKind | 'unknown'
  /** The words of a choice. */
  readonly of?: readonly string[]
  /** The clock that times in a column of texts show, so that they are compared as times. */
  readonly clock?: Clock
  /** A command or a reference, which is of no use when a table cuts it. */
  readonly isWhole?: boolean
}

/** Times in UTC, or as the clock of a machine shows them. */
export type Clock = 'utc' | 'local'

/** The columns of a resource in the order of its fields: nested objects are dotted, a list is one column. */
export function columnsOf(fields: Fields, parent: readonly string[] = []): Column[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...parent, name]
    return field.kind === 'object' && field.fields
      ? columnsOf(field.fields, path)
      : [toColumn(path, field.kind, field.of)]
  })
}

export function toColumn(path: readonly string[], kind: Column['kind'], of?: readonly string[]): Column {
  return {name: toColumnName(path), path, kind, ...(of && {of})}
}

export function toColumnName(path: readonly string[]): string {
  return path.map((part) => part.replaceAll('.', '\\.')).join('.')
}

export {toPath} from '../validate/field-names.js'

/** The column of a name, spelled exactly or else in other case; undefined when there is none, or more than one. */
export function findColumn(columns: readonly Column[], name: string): Column | undefined {
  const exact = columns.find((column) => column.name === name)
  if (exact) return exact
  const folded = columns.filter((column) => column.name.toLowerCase() === name.toLowerCase())
  return folded.length === 1 ? folded[0] : undefined
}

/** The columns that a name chooses: the one of that name, or all columns of an object. */
export function findColumns(columns: readonly Column[], name: string): Column[] {
  const column = findColumn(columns, name)
  const parent = `${name.toLowerCase()}.`
  return column ? [column] : columns.filter((other) => other.name.toLowerCase().startsWith(parent))
}

/**
 * The columns of `--columns a,b.c`, in the order they were asked for and each once; an object stands for all its
 * columns. Throws a `CliFailure` that suggests the nearest column when a name is unknown.
 */
export function chooseColumns(all: readonly Column[], names: readonly string[]): Column[] {
  return [...new Set(names.flatMap((name) => require(all, name)))]
}

/** The names of `--columns` flags: comma-separated, repeatable. Throws a `CliFailure` when one is empty. */
export function toColumnNames(texts: readonly string[]): string[] {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim())
  if (names.every((name) => name !== '')) return names
  throw new CliFailure('--columns contains an empty name', {
    code: 'UNKNOWN_COLUMN',
    exit: 'usage',
    hints: ['Write names with one comma between them, such as --columns id,name'],
  })
}

export function unknownColumn(name: string, all: readonly Column[]): CliFailure {
  const names = all.map((column) => column.name)
  const near = suggest(name, names)
  return new CliFailure(`no column is called "${name}"${near ? `; did you mean "${near}"?` : ''}`, {
    code: 'UNKNOWN_COLUMN',
    exit: 'usage',
    hints: [`Columns: ${names.join(', ')}`],
  })
}

function require(all: readonly Column[], name: string): Column[] {
  const found = findColumns(all, name)
  if (found.length === 0) throw unknownColumn(name, all)
  return found
}

export function isNumeric(kind: Column['kind']): boolean {
  return kind === 'integer' || kind === 'decimal'
}
