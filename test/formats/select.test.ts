import {describe, expect, test} from 'vitest'
import {columnsOf} from '../../src/formats/columns.js'
import {createSelect, type SelectOptions} from '../../src/formats/select.js'
import {type JsonRecord, parseJson} from '../../src/values/json.js'

const uses = ['read'] as const
const columns = columnsOf({
  id: {kind: 'integer', uses, about: 'Id.'},
  name: {kind: 'text', uses, about: 'Name.'},
  price: {kind: 'decimal', uses, about: 'Price.'},
  isClosed: {kind: 'boolean', uses, about: 'Closed.'},
  contact: {kind: 'object', uses, about: 'Contact.', fields: {phone: {kind: 'text', uses, about: 'Phone.'}}},
})
const records = parseJson(`[
  {"id": 1, "name": "Mill", "price": 10.10, "isOpen": true},
  {"id": 2, "name": "mill b", "price": 9.5, "contact": {"phone": "007"}},
  {"id": 3, "name": null, "price": 1e3},
  {"id": 4, "name": "", "price": 10.1},
  {"id": 5, "price": null},
  {"id": 9007199254740993, "name": "Ärger=x", "price": -0.5},
  {"id": 9007199254740992, "name": "Zoo", "price": 100}
]`) as JsonRecord[]

function select(options: Partial<SelectOptions>, pageSize = 100, from = records): JsonRecord[] {
  const one = createSelect({columns, ...options})
  const out: JsonRecord[] = []
  for (let at = 0; at < from.length; at += pageSize) out.push(...one.page(from.slice(at, at + pageSize)))
  return [...out, ...one.end()]
}

const places = (options: Partial<SelectOptions>, pageSize?: number) =>
  select(options, pageSize).map((record) => records.indexOf(record) + 1)

describe('--where', () => {
  test.each([
    ['price=10.1', [1, 4]],
    ['price=1000', [3]],
    ['price!=10.10', [2, 3, 5, 6, 7]],
    ['id=9007199254740993', [6]],
    ['name=Mill', [1]],
    ['name = Mill', [1]],
    ['name !=  ', [1, 2, 6, 7]],
    ['price  = 10.1', [1, 4]],
    ['NAME ~ ill', [1, 2]],
    ['name~ill', [1, 2]],
    ['NAME~ill', [1, 2]],
    ['name=', [3, 4, 5]],
    ['name!=', [1, 2, 6, 7]],
    ['name=Ärger=x', [6]],
    ['contact.phone=007', [2]],
    ['contact.phone=7', []],
    ['isOpen=true', [1]],
    ['isClosed=TRUE', []],
    ['isClosed!=False', [1, 2, 3, 4, 5, 6, 7]],
    ['price~ten', []],
    ['id~900719925474099', [6, 7]],
  ])('%s', (condition, found) => {
    expect(places({where: [condition]})).toEqual(found)
  })

  test.each([
    ['price=ten', '--where: price is a number, not "ten".', 'Write price=12'],
    ['ID!=abc', '--where: id is a number, not "abc".', 'Write id=12'],
    ['isClosed=maybe', '--where: isClosed is true or false, not "maybe".', 'Write isClosed=true'],
    ['isClosed=no', '--where: isClosed is true or false, not "no".', 'Write isClosed=false'],
  ])('refuses %s, which no record could satisfy or fail', (condition, message, hint) => {
    expect(() => createSelect({columns, where: [condition]})).toThrow(
      expect.objectContaining({exit: 'usage', message, hints: [expect.stringContaining(hint)]}),
    )
  })

  test('several conditions must all hold', () => {
    expect(places({where: ['price=10.1', 'name=']})).toEqual([4])
  })

  test.each(['name', '=x', '', 'a>b'])('refuses %j', (condition) => {
    expect(() => createSelect({columns, where: [condition]})).toThrow(
      expect.objectContaining({code: 'INVALID_CONDITION', exit: 'usage'}),
    )
  })
})

describe('--sort', () => {
  test.each([
    ['price', [6, 2, 1, 4, 7, 3, 5]],
    ['-price', [3, 7, 1, 4, 2, 6, 5]],
    ['name', [4, 1, 7, 2, 6, 3, 5]],
    ['-id', [6, 7, 5, 4, 3, 2, 1]],
    ['-price,-id', [3, 7, 4, 1, 2, 6, 5]],
  ])('%s', (sort, order) => {
    expect(places({sort})).toEqual(order)
  })

  test('refuses an empty name', () => {
    expect(() => createSelect({columns, sort: 'name,'})).toThrow(expect.objectContaining({exit: 'usage'}))
  })
})

describe('--limit', () => {
  test('stops, and says whether anything was kept back', () => {
    const exact = createSelect({columns, limit: 7})
    const short = createSelect({columns, limit: 6})

    expect([...exact.page(records)]).toHaveLength(7)
    expect([...short.page(records)]).toHaveLength(6)
    expect([exact.isFull, exact.isCut, short.isFull, short.isCut]).toEqual([true, false, true, true])
  })

  test('applies after conditions and order', () => {
    expect(places({limit: 2, sort: '-price', where: ['name~o']})).toEqual([7])
    expect(places({limit: 2, sort: 'price'})).toEqual([6, 2])
  })

  test('with an order needs all pages before it is cut', () => {
    const one = createSelect({columns, limit: 2, sort: 'id'})

    expect([...one.page(records)]).toEqual([])
    expect(one.isFull).toBe(false)
    expect([...one.end()]).toHaveLength(2)
    expect(one.isCut).toBe(true)
  })

  test('with an order keeps nothing back when it is just enough', () => {
    const one = createSelect({columns, limit: 7, sort: 'id'})

    expect([...one.page(records), ...one.end()]).toHaveLength(7)
    expect(one.isCut).toBe(false)
  })
})

test.each([1, 2, 3, 50])('the answer does not depend on the page size %i', (pageSize) => {
  for (const options of [{where: ['price!=10.1'], limit: 3}, {sort: 'name,-id', limit: 4}, {limit: 5}]) {
    expect(places(options, pageSize)).toEqual(places(options))
  }
})

test('a page that fails in its middle is not counted', () => {
  const one = createSelect({columns, limit: 2})
  const failing = function* () {
    yield* records.slice(0, 2)
    throw new Error('not JSON')
  }

  expect(() => [...one.page(failing())]).toThrow('not JSON')
  expect(one.isFull).toBe(false)
  expect([...one.page(records)]).toHaveLength(2)
})

describe('a name that the contract does not know', () => {
  test('is fine when a record knows it', () => {
    expect(places({where: ['isOpen!=false']})).toHaveLength(7)
  })

  test('is a failure with a suggestion when none does', () => {
    expect(() => select({where: ['nmae=Mill']})).toThrow('no column is called "nmae"; did you mean "name"?')
    expect(() => select({sort: '-nmae'})).toThrow('no column is called "nmae"')
    expect(() => select({where: ['nmae=Mill']}, 100, [])).toThrow('no column is called "nmae"')
  })

  test.each([1, 7, 2_000])('fails after 1,000 records with pages of %i, not after all', (pageSize) => {
    let read = 0
    const one = createSelect({columns, where: ['nmae!=x']})
    const page = function* () {
      for (let count = 0; count < pageSize; count++) {
        read++
        yield {id: read}
      }
    }

    expect(() => {
      while (read < 10_000) [...one.page(page())]
    }).toThrow('no column is called "nmae"')
    expect(read).toBe(1_000)
  })
})

test('names of prototypes are only names', () => {
  const [polluted] = [JSON.parse('{"__proto__":{"x":1}}') as JsonRecord]

  expect(select({where: ['__proto__.x=1']}, 1, [polluted])).toHaveLength(1)
  expect(() => select({where: ['constructor.name=Object']})).toThrow('no column is called')
})
