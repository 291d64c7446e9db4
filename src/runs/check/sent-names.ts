import {changedResource, fieldsSentAsFilters, useOf, type Write} from '../../contract/index.js'
import {createFieldNames, type FieldNames, type FieldPlace, toPlainName} from '../../validate/field-names.js'
import type {Names} from './name-lookup.js'

/** The fields that the file of a write may name. */
export type SentNames = FieldNames & {
  /** Fields of the record that the file has and that are never sent by this write, in the order they were met. */
  readonly leftOut: ReadonlySet<string>
}

/**
 * The file may be an export of the records: fields that are not sent are left out and not refused. `merges`: missing
 * fields come from the current record, so only the natural key is required. `extra` fields are found by their names as
 * well, and so are the columns that name records in place of ids.
 */
export function createSentNames(
  operation: Write,
  merges: boolean,
  extra: readonly FieldPlace[] = [],
  asked?: Names,
): SentNames {
  const names = createFieldNames(operation.resource, useOf(operation))
  const sent = operation.body === 'create' ? toNew(names) : narrow(names, operation, merges, extra)
  return asked ? withNames(sent, asked, operation.target) : sent
}

/** Columns that name a record replace its id: they are required, the id is not. */
function withNames(sent: SentNames, {match, lookups}: Names, target: string): SentNames {
  const idOf = new Map(sent.places.map((place) => [place.name, place]))
  const looked = lookups.map(({field, column, aliases}) => {
    const required = idOf.get(field)?.field.required ?? column.field.required
    return {aliases, column: {...column, field: {...column.field, ...(required && {required})}}}
  })
  const found = new Set([...(match.length > 0 ? [target] : []), ...lookups.map(({field}) => field)])
  const columns = [...match.filter(({name}) => !found.has(name)), ...looked.map(({column}) => column)]
  const replaced = new Set(columns.map(({name}) => name))
  const own = sent.places
    .filter(({name}) => !replaced.has(name))
    .map((place) => (found.has(place.name) ? relax(place) : place))
  const bySpelling = new Map(own.map((place) => [place.name, place]))
  const byName = new Map([
    ...match.map((place) => [toPlainName(place.name), place] as const),
    ...looked.flatMap(({column, aliases}) =>
      [column.name, ...aliases].map((name) => [toPlainName(name), column] as const),
    ),
  ])
  return {
    ...sent,
    places: [...own, ...columns],
    find(name) {
      const known = sent.find(name)
      return byName.get(toPlainName(name)) ?? (known && (bySpelling.get(known.name) ?? known))
    },
  }
}

/** A file of new records may be an export of others, but for their ids: those records already exist. */
function toNew(names: FieldNames): SentNames {
  const leftOut = new Set<string>()
  const leavesOut = (name: string) => {
    const known = names.findReadOnly(name)
    if (known === undefined || known === 'id') return false
    leftOut.add(known)
    return true
  }
  return {...names, leavesOut, leftOut}
}

/** Where a row names the record that it changes, the file may be an export of those records: their id is that name. */
function narrow(names: FieldNames, write: Write, merges: boolean, extra: readonly FieldPlace[]): SentNames {
  const {body, identity, resource, target, deletes} = write
  const deleting: readonly string[] = typeof deletes === 'string' ? [] : deletes.allFalse
  const changed = changedResource(write)
  const other = changed === resource ? undefined : createFieldNames(changed, 'read')
  const isKey = ({name}: FieldPlace) => identity.includes(name)
  const inFilters = fieldsSentAsFilters(write)
  const places = names.places
    .filter(({name}) => body !== 'none' || inFilters.includes(name))
    .map((place) => (merges && !isKey(place) && !deleting.includes(place.name) ? relax(place) : place))
  const byName = new Map([...places, ...extra].map((place) => [place.name, place]))
  const leftOut = new Set<string>()
  return {
    places,
    find(name) {
      const known = names.find(name)?.name ?? names.findReadOnly(name)
      return byName.get(known ?? (other?.find(name)?.name === 'id' ? target : ''))
    },
    findReadOnly: names.findReadOnly,
    leavesOut(name) {
      const known = names.findReadOnly(name) ?? names.find(name)?.name ?? other?.find(name)?.name
      if (known !== undefined) leftOut.add(known)
      return known !== undefined
    },
    leftOut,
  }
}

/** A field that a row may leave out. */
export function relax({field, needs: _needs, ...place}: FieldPlace): FieldPlace {
  const {required: _required, ...rest} = field
  return {...place, field: rest}
}

/** The fields of columns by the names that a file or the contract has for them. */
export function findFields(columns: readonly string[], names: SentNames, map: Readonly<Record<string, string>> = {}) {
  const mapped = new Map(Object.entries(map).map(([from, to]) => [toPlainName(from), to]))
  const found = columns.map((column) => names.find(mapped.get(toPlainName(column)) ?? column)?.name)
  return {
    fields: new Set(found.filter((name) => name !== undefined)),
    unknown: columns.filter((_, place) => found[place] === undefined),
  }
}

export function describeLeftOut({leftOut}: SentNames): string[] {
  return leftOut.size === 0 ? [] : [`left out, because this write never sends it: ${[...leftOut].join(', ')}`]
}

/** The problem of a name that `--allow-damage` gives and no field has. */
export const unknownAllowance = {
  severity: 'error',
  code: 'UNKNOWN_COLUMN',
  message: 'named by --allow-damage, but no such field is sent',
} as const
