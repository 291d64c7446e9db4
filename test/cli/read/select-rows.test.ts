import {describe, expect, test} from 'vitest'
import {openSink} from '../../../src/cli/read/open-sink.js'
import {columnsOf} from '../../../src/formats/columns.js'
import {describeSettled, settleConditions} from '../../../src/formats/conditions.js'
import {selectRecords} from '../../../src/formats/sort/sort-key.js'
import {type JsonRecord, parseJson, printJson} from '../../../src/values/json.js'
import {createMemory} from '../../support/odd-records.js'

const uses = ['read'] as const
const columns = columnsOf({
  id: {kind: 'integer', uses, about: 'Id.'},
  name: {kind: 'text', uses, about: 'Name.'},
  price: {kind: 'decimal', uses, about: 'Price.'},
  isClosed: {kind: 'boolean', uses, about: 'Closed.'},
  terms: {kind: 'choice', of: ['Net10', 'Net30'], uses, about: 'Terms.'},
  at: {kind: 'dateTime', uses, about: 'At.'},
  atUtc: {kind: 'dateTime', uses, about: 'At, in UTC.'},
  contact: {kind: 'object', uses, about: 'Contact.', fields: {phone: {kind: 'text', uses, about: 'Phone.'}}},
})
const records = parseJson(`[
  {"id": 1, "name": "Mill", "price": 10.10, "isOpen": true, "terms": "Net30", "at": "2024-07-01T00:00:00", "atUtc": "2024-07-01T10:00:00", "other": 10, "a=b": 1},
  {"id": 2, "name": "mill b", "price": 9.5, "contact": {"phone": "007"}, "terms": "Net90", "at": "2024-07-31T23:59:59.9996", "other": "top", "a<b": 1},
  {"id": 3, "name": null, "price": 1e3, "at": "2024-06-30T23:59:59.999", "other": 8.9},
  {"id": 4, "name": "", "price": 10.1, "at": "2024-08-01T00:00:00", "other": null},
  {"id": 5, "price": null},
  {"id": 9007199254740993, "name": "Ärger=x", "price": -0.5, "at": "soon"},
  {"id": 9007199254740992, "name": "Zoo", "price": 100}
]`) as JsonRecord[]

type Options = {where?: readonly string[]; sort?: string; limit?: number}

async function open({where = [], ...flags}: Options) {
  const {write, bytes} = createMemory()
  const done = async () => undefined
  const target = {path: 'out.ndjson', write, commit: done, discard: done}
  const sink = await openSink(flags, target, columns, {resource: 'thing', where})
  const written = () =>
    bytes()
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => parseJson(line) as JsonRecord)
  return {sink, written}
}

async function select(options: Options, pageSize = 100, from = records): Promise<JsonRecord[]> {
  const {sink, written} = await open(options)
  for (let at = 0; at < from.length; at += pageSize) await sink.records(from.slice(at, at + pageSize))
  await sink.end()
  return written()
}

const texts = records.map((record) => printJson(record))

async function places(options: Options, pageSize?: number): Promise<number[]> {
  const found = await select(options, pageSize)
  const {records: made} = selectRecords(records, columns, {where: [], ...options})
  expect(made.map((record) => printJson(record))).toEqual(found.map((record) => printJson(record)))
  return found.map((record) => texts.indexOf(printJson(record)) + 1)
}

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
    ['price>10.1', [3, 7]],
    ['price >= 10.10', [1, 3, 4, 7]],
    ['price<0', [6]],
    ['price <=9.5', [2, 6]],
    ['id>9007199254740992', [6]],
    ['id<=9007199254740992', [1, 2, 3, 4, 5, 7]],
    ['name<N', [1, 4]],
    ['name >= Zoo', [2, 6, 7]],
    ['name!~ill', [3, 4, 5, 6, 7]],
    ['name~=', [6]],
    ['name!~ =x', [1, 2, 3, 4, 5, 7]],
    ['terms=net30', [1]],
    ['terms!=Net30', [2, 3, 4, 5, 6, 7]],
    ['terms~Net9', [2]],
    ['at=2024-07', [1, 2]],
    ['at!=2024-07', [3, 4, 5, 6, 7]],
    ['at<2024-07', [3]],
    ['at<=2024-07', [1, 2, 3]],
    ['at>2024-07', [4]],
    ['at>=2024-07', [1, 2, 4]],
    ['at>2024-07-31T23:59:59.998', [2, 4]],
    ['at=2024-07-01', [1]],
    ['at=2024-07-01T00:00', [1]],
    ['at=', [5, 7]],
    ['at~2024-07', [1, 2]],
    ['atUtc=2024-07-01T12:00+02:00', [1]],
    ['other>9', [1, 2]],
    ['other<9', [3]],
    ['other>ten', [2]],
    ['a\\=b=1', [1]],
    ['a\\<b=1', [2]],
  ])('%s', async (condition, found) => {
    expect(await places({where: [condition]})).toEqual(found)
  })

  test.each([
    ['price=ten', 'price is a number, not "ten".', 'Write --where price=12'],
    ['ID!=abc', 'id is a number, not "abc".', 'Write --where id=12'],
    ['price>1,5', 'price is a number, not "1,5".', "Write --where 'price>12'"],
    ['price=>5', 'price is a number, not ">5".', "Write --where 'price>=5'"],
    ['price==5', 'price is a number, not "=5".', 'Write --where price=5'],
    ['isClosed=maybe', 'isClosed is true or false, not "maybe".', 'Write --where isClosed=true'],
    ['isClosed=no', 'isClosed is true or false, not "no".', 'Write --where isClosed=false'],
    ['isClosed>true', 'isClosed has no order.', 'Write --where isClosed=true'],
    ['terms=Net 30', 'terms is one of Net10, Net30, not "Net 30"; did you mean "Net30"?', 'Write --where terms=Net30'],
    ['terms<Net30', 'terms has no order.', 'Write --where terms=Net30'],
    ['at>=2024-02-30', 'at is a date, not "2024-02-30".', "Write --where 'at>=2024-07-01'"],
    ['at=2024-07-01T10:00Z', 'at is compared as its column shows it', '--where at=2024-07-01T10:00'],
  ])('refuses %s, which no record could satisfy or fail', async (condition, message, hint) => {
    await expect(open({where: [condition]})).rejects.toThrow(
      expect.objectContaining({
        exit: 'usage',
        message: expect.stringContaining(`--where: ${message}`),
        hints: [expect.stringContaining(hint)],
      }),
    )
  })

  test('a date that moves with the time is settled once, and reported', () => {
    const now = Date.UTC(2024, 6, 3, 12)
    const asked = ['AT >= -2d', 'at<today', 'at=2024-07', 'name=-2d', 'at~now']

    const settled = settleConditions(asked, columns, now)

    expect(settled).toEqual(['AT >=2024-07-01T12:00:00', 'at<2024-07-03', 'at=2024-07', 'name=-2d', 'at~now'])
    expect(describeSettled(asked, [])).toEqual([])
    expect(describeSettled(asked, settled)).toEqual([
      "--where 'AT >= -2d' is AT >=2024-07-01T12:00:00.",
      "--where 'at<today' is at<2024-07-03.",
    ])
    expect(() => settleConditions(['at<soon'], columns, now)).toThrow('at is a date, not "soon"')
  })

  test('several conditions must all hold', async () => {
    expect(await places({where: ['price=10.1', 'name=']})).toEqual([4])
  })

  test.each(['name', '=x', '', 'a!b', ' = 5', 'name<>x', 'name<', 'price >', 'at<= '])(
    'refuses %j',
    async (condition) => {
      await expect(open({where: [condition]})).rejects.toThrow(
        expect.objectContaining({code: 'INVALID_CONDITION', exit: 'usage'}),
      )
    },
  )
})

describe('--sort', () => {
  test.each([
    ['price', [6, 2, 1, 4, 7, 3, 5]],
    ['-price', [3, 7, 1, 4, 2, 6, 5]],
    ['name', [4, 1, 7, 2, 6, 3, 5]],
    ['-id', [6, 7, 5, 4, 3, 2, 1]],
    ['-price,-id', [3, 7, 4, 1, 2, 6, 5]],
  ])('%s', async (sort, order) => {
    expect(await places({sort})).toEqual(order)
  })

  test('refuses an empty name', async () => {
    await expect(open({sort: 'name,'})).rejects.toThrow(expect.objectContaining({exit: 'usage'}))
  })
})

describe('--limit', () => {
  test('stops, and says whether anything was kept back', async () => {
    const [exact, short] = [await open({limit: 7}), await open({limit: 6})]

    for (const {sink} of [exact, short]) await sink.records(records)

    expect(exact.sink.written()).toMatchObject({isFull: true, isCut: false})
    expect(short.sink.written()).toMatchObject({isFull: true, isCut: true})
    for (const {sink} of [exact, short]) await sink.end()
    expect([exact.written().length, short.written().length]).toEqual([7, 6])
  })

  test('applies after conditions and order', async () => {
    expect(await places({limit: 2, sort: '-price', where: ['name~o']})).toEqual([7])
    expect(await places({limit: 2, sort: 'price'})).toEqual([6, 2])
  })

  test.each([
    [2, true],
    [7, false],
  ])('with an order needs all pages before it is cut at %i', async (limit, isCut) => {
    const {sink, written} = await open({limit, sort: 'id'})

    await sink.records(records)
    expect([sink.written().isFull, written().length]).toEqual([false, 0])
    await sink.end()

    expect([sink.written().isCut, written().length]).toEqual([isCut, limit])
  })
})

test.each([1, 2, 3, 50])('the answer does not depend on the page size %i', async (pageSize) => {
  for (const options of [{where: ['price!=10.1'], limit: 3}, {sort: 'name,-id', limit: 4}, {limit: 5}]) {
    expect(await places(options, pageSize)).toEqual(await places(options))
  }
})

test('a page that fails in its middle is not counted', async () => {
  const {sink, written} = await open({limit: 2})
  const failing = function* () {
    yield* records.slice(0, 2)
    throw new Error('not JSON')
  }

  await expect(sink.records(failing())).rejects.toThrow('not JSON')
  expect(sink.written().isFull).toBe(false)
  await sink.records(records)
  await sink.end()
  expect(written()).toHaveLength(2)
})

describe('a name that the contract does not know', () => {
  test('is fine when a record knows it', async () => {
    expect(await places({where: ['isOpen!=false']})).toHaveLength(7)
  })

  test('is a failure with a suggestion when none does', async () => {
    await expect(select({where: ['nmae=Mill']})).rejects.toThrow('no column is called "nmae"; did you mean "name"?')
    await expect(select({sort: '-nmae'})).rejects.toThrow('no column is called "nmae"')
    await expect(select({where: ['nmae=Mill']}, 100, [])).rejects.toThrow('no column is called "nmae"')
  })

  test.each([1, 7, 2_000])('fails after 1,000 records with pages of %i, not after all', async (pageSize) => {
    const {sink} = await open({where: ['nmae!=x']})
    let read = 0
    const page = () => Array.from({length: pageSize}, () => ({id: read++}))
    const readAll = async () => {
      while (read < 10_000) await sink.records(page())
    }

    await expect(readAll()).rejects.toThrow('no column is called "nmae"')
    expect(read).toBeLessThan(1_000 + pageSize)
  })
})

test('names of prototypes are only names', async () => {
  const [polluted] = [JSON.parse('{"__proto__":{"x":1}}') as JsonRecord]

  expect(await select({where: ['__proto__.x=1']}, 1, [polluted])).toHaveLength(1)
  await expect(select({where: ['constructor.name=Object']})).rejects.toThrow('no column is called')
})
