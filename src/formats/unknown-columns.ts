import {CliFailure} from '../core/errors.js'
import {thousands} from '../values/counted.js'
import type {JsonRecord} from '../values/json.js'
import {type Column, toColumn, toColumnName} from './columns.js'
import {createColumnTree, visitFields} from './flatten.js'

/** Most unknown fields of an object that become columns; one with more stays JSON in one column. */
const maximumSpread = 100

/** Most unknown columns: no database has more. */
const maximumColumns = 2_000

type Found = {paths: Map<string, readonly string[]>; nulls: Map<string, readonly string[]>}

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

/** Collects the columns of unknown fields from records, one after the other. Memory: the names of the fields. */
export function createUnknownFields(known: readonly Column[]) {
  const tree = createColumnTree(known)
  const parents = parentsOf(known.map(({path}) => path))
  const found: Found = {paths: new Map(), nulls: new Map()}
  const sizes = new Map<string, number>()
  const isWanted = (key: string, path: readonly string[]) => {
    if (found.paths.has(key) || found.nulls.has(key)) return true
    const top = toColumnName(topOf(path, parents))
    const size = (sizes.get(top) ?? 0) + 1
    sizes.set(top, size)
    if (sizes.size > maximumColumns) throw tooManyFields()
    return size <= maximumSpread + 1 // one more than are shown makes the object one column
  }

  return {
    /** Throws a `CliFailure` when there are too many. */
    add(records: Iterable<JsonRecord>): void {
      for (const record of records) {
        const filled = new Set<number>()
        const fill = (place: number) => {
          const isFirst = !filled.has(place)
          filled.add(place)
          return isFirst
        }
        visitFields(tree, record, fill, (path, value) => {
          const {paths, nulls} = found
          const key = toColumnName(path)
          if (isWanted(key, path)) (value === null ? nulls : paths).set(key, path)
        })
      }
    },
    /** Alphabetical by code unit. Throws a `CliFailure` when there are too many. */
    columns(): Column[] {
      const columns = columnsOf(found, parents, sizes)
      if (columns.length > maximumColumns) throw tooManyFields()
      return columns
    },
  }
}

/** `sizes`: names seen of each unknown object; what came after one more than are shown is not among the found. */
function columnsOf({paths, nulls}: Found, known: ReadonlySet<string>, sizes: ReadonlyMap<string, number>): Column[] {
  const parents = parentsOf([...paths.values()])
  const others = [...nulls].filter(([key]) => !parents.has(key) && !paths.has(key)).map(([, path]) => path)
  const groups = Map.groupBy([...paths.values(), ...others], (path) => toColumnName(topOf(path, known)))
  return [...groups]
    .flatMap(([top, group]) => {
      const isLarge = group.length > maximumSpread || (sizes.get(top) ?? 0) > maximumSpread + 1
      return isLarge ? [topOf(group[0] ?? [], known)] : group
    })
    .map((path) => toColumn(path, 'unknown'))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** The names of all objects on the way to these paths. */
function parentsOf(paths: readonly (readonly string[])[]): Set<string> {
  return new Set(paths.flatMap((path) => path.map((_, length) => toColumnName(path.slice(0, length)))))
}

/** The highest part of a path that belongs to no known object. */
function topOf(path: readonly string[], parents: ReadonlySet<string>): readonly string[] {
  let length = 1
  while (length < path.length && parents.has(toColumnName(path.slice(0, length)))) length++
  return path.slice(0, length)
}

function tooManyFields(): CliFailure {
  const most = thousands(maximumColumns)
  return new CliFailure(`The records have more than ${most} fields that are not known, too many for columns.`, {
    code: 'TOO_MANY_FIELDS',
    hints: ['Name the columns with --columns, or use -o ndjson, which keeps every field.'],
  })
}
