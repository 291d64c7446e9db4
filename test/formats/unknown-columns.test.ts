import {describe, expect, test} from 'vitest'
import {columnsOf} from '../../src/formats/columns.js'
import {createFlatten, type Lost} from '../../src/formats/flatten.js'
import {unknownColumns} from '../../src/formats/unknown-columns.js'
import type {JsonRecord} from '../../src/values/json.js'
import {parseJson} from '../../src/values/json.js'

const uses = ['read'] as const
const known = columnsOf({
  id: {kind: 'integer', uses, about: 'Id.'},
  contact: {
    kind: 'object',
    uses,
    about: 'Contact.',
    fields: {firstName: {kind: 'text', uses, about: 'First name.'}},
  },
})
const read = (...texts: string[]) => texts.map((text) => parseJson(text) as JsonRecord)
const namesOf = (...texts: string[]) => unknownColumns(read(...texts), known).map(({name}) => name)

describe('unknownColumns', () => {
  test('is empty when the contract knows every field, in any case', () => {
    expect(namesOf('{"id":1,"contact":{"firstName":"A"}}', '{"ID":2,"Contact":null}', '{}')).toEqual([])
  })

  test('is alphabetical by code unit, whatever the order of the records', () => {
    expect(namesOf('{"zeta":1}', '{"alpha":1,"Beta":2}', '{"éclair":1}')).toEqual(['Beta', 'alpha', 'zeta', 'éclair'])
  })

  test('dots unknown objects, also below known ones, and gives lists and empty objects one column', () => {
    expect(namesOf('{"extra":{"b":{"c":1},"a":[1]},"contact":{"fax":"1"},"none":{}}')).toEqual([
      'contact.fax',
      'extra.a',
      'extra.b.c',
      'none',
    ])
  })

  test('shows a field that is always null, but not one that is an object elsewhere', () => {
    expect(namesOf('{"empty":null,"extra":null}', '{"extra":{"a":1}}')).toEqual(['empty', 'extra.a'])
  })

  test('shows a known object that arrives as something else, beside its columns', () => {
    expect(namesOf('{"contact":"call the desk"}')).toEqual(['contact'])
  })

  test('shows a second spelling of a known name', () => {
    expect(namesOf('{"ID":1,"id":2}')).toEqual(['ID'])
    expect(namesOf('{"ID":1,"Id":2}')).toEqual(['Id'])
  })

  test('keeps an object with names for keys in one column', () => {
    const keys = Array.from({length: 101}, (_, index) => `"k${index}":{"on":true}`)

    expect(namesOf(`{"byMachine":{${keys.join(',')}}}`)).toEqual(['byMachine'])
    expect(namesOf(`{"contact":{"byKey":{${keys.join(',')}}}}`)).toEqual(['contact.byKey'])
  })

  test('takes the names of prototypes for names', () => {
    const record = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":2}},"toString":"s"}'

    const columns = unknownColumns(read(record), known)

    expect(columns.map(({name}) => name)).toEqual(['__proto__.polluted', 'constructor.prototype.x', 'toString'])
    expect(createFlatten(columns)(read(record)[0] as JsonRecord)).toEqual([1, 2, 's'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('names without end', () => {
  const names = (count: number, prefix = 'k') => Array.from({length: count}, (_, index) => `${prefix}${index}`)
  const recordOf = (keys: readonly string[]): JsonRecord => Object.fromEntries(keys.map((key) => [key, 1]))

  test('100,000 of them in a page are no columns, wherever they stand', () => {
    const many = expect.objectContaining({code: 'TOO_MANY_FIELDS', exit: 'unavailable'})
    const spread = Array.from({length: 500}, (_, index) => recordOf(names(200, `r${index}_`)))

    expect(() => unknownColumns([recordOf(names(100_000))], known)).toThrow(many)
    expect(() => unknownColumns(spread, known)).toThrow(many)
    expect(unknownColumns([{map: recordOf(names(100_000))}], known).map(({name}) => name)).toEqual(['map'])
  })

  test('in many objects are no columns either', () => {
    const objects = Object.fromEntries(names(21, 'map').map((name) => [name, recordOf(names(100))]))

    expect(() => unknownColumns([objects], known)).toThrow(expect.objectContaining({code: 'TOO_MANY_FIELDS'}))
  })

  test('of an object that is null in another record are as many columns as they are', () => {
    expect(unknownColumns([{map: null}, {map: recordOf(names(100))}], known)).toHaveLength(100)
  })

  test('of an object are not lost where one of them was null before it was an object', () => {
    const records = [{map: {k0: null}}, {map: {...recordOf(names(101)), k0: {x: 1}}}]

    expect(unknownColumns(records, known).map(({name}) => name)).toEqual(['map'])
  })

  test('2,000 of them are columns', () => {
    expect(unknownColumns([recordOf(names(2_000))], known)).toHaveLength(2_000)
  })

  test('behind the header are counted, and not all of them by their names', () => {
    const lost: Lost = new Map()

    createFlatten(known)(recordOf(names(100_000)), lost)

    expect(lost.size).toBe(2_001)
    expect(lost.get('others')).toBe(98_000)
  })
})
