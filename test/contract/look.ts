import type {Field, Fields, Operation} from '../../src/contract/index.js'

/** Every path of an operation. */
export function pathsOf(row: Operation): string[] {
  return [row.path, ...(row.kind === 'read' ? (row.alsoAt ?? []) : [])]
}

/** The values that stand more than once. */
export function doubles<Value>(values: readonly Value[]): Value[] {
  return values.filter((value, place) => values.indexOf(value) !== place)
}

/** The field at a dotted path. */
export function fieldAt(table: Fields, path: string): Field | undefined {
  const [name = '', ...rest] = path.split('.')
  const field = table[name]
  return rest.length === 0 ? field : fieldAt(field?.fields ?? {}, rest.join('.'))
}
