import {allFieldsOf, type Write} from '../../contract/index.js'
import type {Finding} from '../../validate/problem.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {Lookup} from '../check/names.js'
import type {Reader} from '../records/read-at-most.js'
import {describePairs, describeSeveral, findMissing, type Pair} from './describe-named.js'
import {isGiven, type Naming, spellRecord, valueIn} from './naming.js'
import {readNamed} from './read-named.js'

/** A field of the other record, and the field of the row that says the same. */
type Scope = {of: string; field: string}

/** Fills in the ids of other records that rows name by `lookup`; what cannot be found is a problem of its row. */
export async function lookUp(naming: Naming, write: Write, lookup: Lookup, client: Reader): Promise<void> {
  const {of, resource, field, column} = lookup
  const key = column.path.join()
  const rows = naming.rows.filter(({record}) => isGiven(record[key]))
  if (rows.length === 0) return
  const scopes = findScopes(write, lookup)
  const {records, requests} = await readNamed(client, lookup.read, toWanted(rows, key, lookup, scopes))
  naming.requests += requests
  const fields = allFieldsOf(resource)
  const find = naming.toFinder(
    records.map((record) => spellRecord(record, fields)),
    [{name: of, field: column.field}],
  )
  for (const row of rows) {
    const {record} = row
    const value = record[key] ?? null
    const given = scopes.flatMap((scope): Pair[] => {
      const said = valueIn(record, scope.field)
      return isGiven(said) ? [[scope.of, said]] : []
    })
    const found = find([value])
    const within = found.records.filter((other) => isWithin(other, given))
    const wrong = findWrong({lookup, scopes, given, value, found: {...found, within}})
    const id = within[0]?.['id'] ?? null
    if (wrong) naming.report(row, column.name, {...wrong, cell: value})
    else if (isGiven(record[field]) && idText(record[field]) !== idText(id)) {
      const message = `${describePairs([[of, value]])} is ${resource} ${idText(id)}, but ${field} is ${idText(record[field])}`
      naming.report(row, column.name, {code: 'CONTRADICTION', message, kind: message, cell: value})
    } else {
      naming.fill(row, field, id)
    }
  }
}

/** An account of a row narrows which of its sites are meant. */
function findScopes({resource}: Write, lookup: Lookup): Scope[] {
  const own = Object.entries(allFieldsOf(resource)).filter(([name]) => name !== lookup.field)
  return Object.entries(allFieldsOf(lookup.resource)).flatMap(([of, {refersTo}]) => {
    const same = refersTo === undefined ? undefined : own.find(([, field]) => field.refersTo === refersTo)
    return same ? [{of, field: same[0]}] : []
  })
}

function toWanted(rows: Naming['rows'], key: string, {of}: Lookup, scopes: readonly Scope[]) {
  const values = (read: (record: JsonRecord) => JsonValue | undefined) => rows.map(({record}) => read(record) ?? null)
  const wanted = new Map([[of, values((record) => record[key])]])
  for (const scope of scopes) {
    const all = values((record) => valueIn(record, scope.field))
    if (all.every(isGiven)) wanted.set(scope.of, all)
  }

  return wanted
}

function isWithin(record: JsonRecord, given: readonly Pair[]): boolean {
  return given.every(([name, value]) => idText(record[name]) === idText(value))
}

type Sought = {
  lookup: Lookup
  scopes: readonly Scope[]
  given: readonly Pair[]
  value: JsonValue
  found: {records: readonly JsonRecord[]; near: readonly JsonRecord[]; within: readonly JsonRecord[]}
}

function findWrong({lookup, scopes, given, value, found}: Sought): Finding | undefined {
  const {of, resource, field} = lookup
  const {records, near, within} = found
  const pair: Pair = [of, value]
  if (within.length === 1) return undefined
  if (within.length === 0) {
    const others = records.length > 0 ? `; there is ${describeSeveral(resource, [pair], records)}` : ''
    return findMissing(lookup, [pair, ...given], near, others)
  }

  const further = scopes.find((scope) => given.every(([name]) => name !== scope.of))
  const advice = further ? `add the column ${further.field}, or give ${field}` : `give ${field} instead`
  const message = `${describeSeveral(resource, [pair, ...given], within)}; ${advice}`
  return {code: 'AMBIGUOUS_RECORD', message, kind: message}
}
