import {expect, test} from 'vitest'
import * as contract from '../../src/contract/index.js'
import {
  exitCodes,
  type Field,
  type Fields,
  type Filter,
  fields,
  filters,
  gatewayAnswers,
  headers,
  limits,
  operations,
  pace,
  refusals,
  sessionFields,
  stages,
} from '../../src/contract/index.js'
import {doubles} from './look.js'

test('flags of filters do not collide with each other or with the flags that mean the same everywhere', () => {
  const rowsOfFilters: Filter[] = Object.values(filters)
  const flags = rowsOfFilters.flatMap(({flag, alias}) => (alias ? [flag, alias] : [flag]))
  const everywhere = `profile stage json output output-file overwrite columns sort where limit file dry-run yes no-input
    quiet verbose color no-color timeout max-requests page-size log-http help version csv-dialect delimiter`.split(
    /\s+/,
  )

  expect(doubles([...flags, ...everywhere])).toEqual([])
})

test('the program keeps a pace under the limits', () => {
  expect(pace.requestsPerSecond).toBeLessThan(limits.requestsPerSecond)
  expect(pace.burst).toBeLessThan(limits.burst)
})

test('fields are well formed: bounds fit the kind, required ones are used, nested ones exist', () => {
  const all = Object.entries({...fields, ...sessionFields}).flatMap(([resource, table]) => leavesOf(table, resource))

  expect(all.filter(([, field]) => !isWellFormed(field)).map(([path]) => path)).toEqual([])
})

test('an id refers to records that are listed by their id', () => {
  const all = Object.entries(fields).flatMap(([resource, table]) => leavesOf(table, resource))
  const references = all.filter(([, {refersTo}]) => refersTo !== undefined)

  expect(references.length).toBeGreaterThan(10)
  for (const [path, {kind, refersTo = ''}] of references) {
    const read = contract.findListOf(refersTo)
    expect([path, kind, read && 'id' in contract.fieldsOf(refersTo, 'read')]).toEqual([path, 'integer', true])
  }
})

test('names of fields, other names included, differ by more than their case, since the service does not look at it', () => {
  const tables: [string, Fields][] = Object.entries(fields)
  const namesOf = (table: Fields) => Object.entries(table).flatMap(([name, {alsoNamed = []}]) => [name, ...alsoNamed])
  const twice = tables.filter(([, table]) => doubles(namesOf(table).map((name) => name.toLowerCase())).length > 0)

  expect(twice).toEqual([])
})

test('the exit codes are those of the surface', () => {
  const codes = Object.fromEntries(Object.entries(exitCodes).map(([name, {code}]) => [name, code]))

  expect(codes).toEqual({
    ...{ok: 0, failure: 1, usage: 2, invalid: 3, denied: 4, refused: 5, partial: 6, inDoubt: 7, limited: 8, empty: 9},
    ...{incomplete: 10, changes: 11, storage: 12, locked: 13, unsafe: 14, unavailable: 75, unknownCommand: 127},
    ...{hungUp: 129, interrupted: 130, terminated: 143},
  })
})

test('every row says what it is in a sentence', () => {
  const tables = {operations, filters, refusals, gatewayAnswers, exitCodes, stages, headers}
  const all = Object.entries(tables).flatMap(([table, named]) =>
    Object.entries(named).map(([name, {about}]) => ({name: `${table}.${name}`, about})),
  )

  expect(all.filter(({about}) => !/^\S.*\.$/.test(about)).map(({name}) => name)).toEqual([])
})

test('the tables hold nothing that JSON could not hold', () => {
  const tables = Object.entries(contract).filter(([, value]) => typeof value === 'object')

  expect(tables.length).toBeGreaterThan(9)
  for (const [name, table] of tables) expect({[name]: JSON.parse(JSON.stringify(table))}).toStrictEqual({[name]: table})
})

function leavesOf(table: Fields, before: string): [string, Field][] {
  return Object.entries(table).flatMap(([name, field]) => {
    const path = `${before}.${name}`
    return [[path, field] as [string, Field], ...leavesOf(field.fields ?? {}, path)]
  })
}

function isWellFormed({
  kind,
  uses,
  required,
  min,
  above,
  except,
  orNumber,
  maxLength,
  of,
  fields: nested,
}: Field): boolean {
  const checks = [
    uses.length > 0,
    (required ?? []).every((use) => uses.includes(use)),
    (min ?? above ?? except) === undefined || kind === 'integer' || kind === 'decimal',
    min === undefined || above === undefined,
    except === undefined || (kind === 'integer' && except.every((number) => number >= (min ?? number))),
    orNumber === undefined || kind === 'text',
    maxLength === undefined || (kind === 'text' && maxLength > 0),
    (of !== undefined) === (kind === 'choice'),
    (nested !== undefined) === (kind === 'object' || kind === 'list'),
    Object.values(nested ?? {}).every((inner) => inner.uses.every((use) => uses.includes(use))),
  ]
  return checks.every(Boolean)
}
