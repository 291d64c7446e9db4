import type {Use, Write} from '../../contract/index.js'
import {createFieldNames, type FieldNames, type FieldPlace, toPlainName} from '../../validate/field-names.js'

/** The fields that the file of a write may name. */
export type SentNames = FieldNames & {
  /** Fields of the record that the file has and that are never sent by this write, in the order they were met. */
  readonly leftOut: ReadonlySet<string>
}

export function useOf({body}: Write): Use {
  return body === 'create' ? 'create' : 'update'
}

/**
 * The file may be an export of the records: what is not sent is left out and not refused. `merges`: what the
 * file does not say is taken from the current record: only the natural key is required. `extra` fields
 * are found by their names as well.
 */
export function createSentNames(operation: Write, merges: boolean, extra: readonly FieldPlace[] = []) {
  const names = createFieldNames(operation.resource, useOf(operation))
  return operation.body === 'create' ? toNew(names) : narrow(names, operation, merges, extra)
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

function narrow(names: FieldNames, {body, identity}: Write, merges: boolean, extra: readonly FieldPlace[]): SentNames {
  const isKey = ({name}: FieldPlace) => identity.includes(name)
  const places = names.places
    .filter((place) => body !== 'none' || isKey(place))
    .map((place) => (merges && !isKey(place) ? relax(place) : place))
  const byName = new Map([...places, ...extra].map((place) => [place.name, place]))
  const leftOut = new Set<string>()
  return {
    places,
    find: (name) => byName.get(names.find(name)?.name ?? names.findReadOnly(name) ?? ''),
    findReadOnly: names.findReadOnly,
    leavesOut(name) {
      const known = names.findReadOnly(name) ?? names.find(name)?.name
      if (known !== undefined) leftOut.add(known)
      return known !== undefined
    },
    leftOut,
  }
}

/** A field that a row need not hold. */
export function relax({field, ...place}: FieldPlace): FieldPlace {
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
