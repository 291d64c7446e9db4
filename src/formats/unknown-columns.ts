import {CliFailure} from '../core/errors.js'
import {thousands} from '../values/counted.js'
import type {JsonRecord} from '../values/json.js'
import {type Column, toColumn, toColumnName} from './columns.js'
import {createColumnTree, visitFields} from './flatten.js'

/** An object with more unknown fields than this is data with names for keys, and stays JSON in one column. */
const maximumSpread = 100

/** As many as a database may have. More are data with names for keys, and no table could show them. */
const maximumColumns = 2_000

type Found = {paths: Map<string, readonly string[]>; nulls: Map<string, readonly string[]>}

/** Learns the columns of fields that are not known, from one record after the other. */
export type UnknownFields = {
  /** Throws a `CliFailure` when there are too many. */
  add(records: Iterable<JsonRecord>): void
  /** Alphabetical by code unit. */
  columns(): Column[]
}

/**
 * The columns of fields that `known` does not show, alphabetical by code unit: an unknown object becomes dotted
 * columns, a list one column, and so does a known object that arrived as something else. A field that was null in
 * every record has a column too.
 */
export function unknownColumns(records: Iterable<JsonRecord>, known: readonly Column[]): Column[] {
  const fields = createUnknownFields(known)
  fields.add(records)
  return fields.columns()
}

/** The same for records that are not all there together. Memory: the names of the fields. */
export function createUnknownFields(known: readonly Column[]): UnknownFields {
  const tree = createColumnTree(known)
  const parents = new Set(known.flatMap(({path}) => path.map((_, length) => keyOf(path.slice(0, length)))))
  const found: Found = {paths: new Map(), nulls: new Map()}
  const groups = new Map<string, number>()
  const isWanted = (key: string, path: readonly string[]) => {
    if (found.paths.has(key) || found.nulls.has(key)) return true
    const top = keyOf(topOf(path, parents))
    const size = (groups.get(top) ?? 0) + 1
    if (size <= maximumSpread + 1) groups.set(top, size) // one more, which makes it one column
    if (groups.size > maximumColumns) throw tooManyFields()
    return size <= maximumSpread + 1
  }

  return {
    add(records) {
      for (const record of records) {
        const filled = new Set<number>()
        const fill = (place: number) => !filled.has(place) && filled.add(place) !== undefined
        visitFields(tree, record, fill, (path, value) => {
          const {paths, nulls} = found
          const key = keyOf(path)
          if (isWanted(key, path)) (value === null ? nulls : paths).set(key, path)
        })
      }
    },
    columns: () => columnsOf(found, known),
  }
}

function columnsOf(found: Found, known: readonly Column[]): Column[] {
  const paths = [...found.paths.values()]
  const parents = new Set(paths.flatMap((path) => path.map((_, length) => keyOf(path.slice(0, length)))))
  const nulls = [...found.nulls].filter(([key]) => !parents.has(key) && !found.paths.has(key)).map(([, path]) => path)
  return collapse([...paths, ...nulls], known)
    .map((path) => toColumn(path, 'unknown'))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function collapse(paths: (readonly string[])[], known: readonly Column[]): (readonly string[])[] {
  const parents = new Set(known.flatMap(({path}) => path.map((_, length) => keyOf(path.slice(0, length)))))
  const groups = Map.groupBy(paths, (path) => keyOf(topOf(path, parents)))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first && group.length > maximumSpread ? [topOf(first, parents)] : group
  })
}

/** The highest part of a path that belongs to no known object. */
function topOf(path: readonly string[], parents: ReadonlySet<string>): readonly string[] {
  let length = 1
  while (length < path.length && parents.has(keyOf(path.slice(0, length)))) length++
  return path.slice(0, length)
}

function keyOf(path: readonly string[]): string {
  return toColumnName(path)
}

function tooManyFields(): CliFailure {
  const most = thousands(maximumColumns)
  return new CliFailure(`The records have more than ${most} fields that are not known, too many for columns.`, {
    code: 'TOO_MANY_FIELDS',
    hints: ['Name the columns with --columns, or use -o ndjson, which keeps every field.'],
  })
}
