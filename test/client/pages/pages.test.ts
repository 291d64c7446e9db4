import {expect, test} from 'vitest'

import type {Page} from '../../../src/client/types.js'
import {failureOf, meetVendor, readAll} from '../../support/client.js'
import {paged, reply, type Seen} from '../../support/vendor.js'

const records = (from: number, count: number) =>
  `[${Array.from({length: count}, (_, index) => `{"id":${from + index}}`).join(',')}]`

type Shape = {total: number; ceiling?: number; headers?: boolean; sizeIsCount?: boolean}

/** A service of `total` records that serves at most `ceiling` of them on a page. */
function meetPaging({total, ceiling = 2000, headers = true, sizeIsCount = false}: Shape) {
  return meetVendor((socket, seen) => {
    const page = Number(seen.headers['page'])
    const size = Math.min(ceiling, Number(seen.headers['size']))
    const count = Math.max(0, Math.min(size, total - (page - 1) * size))
    const said = paged(page, sizeIsCount ? count : size, Math.ceil(total / size))
    socket.write(reply(200, records((page - 1) * size + 1, count), headers ? said : {}))
  })
}

const asked = (seen: Seen[]) => seen.map(({headers}) => `${headers['page']}/${headers['size']}`)

test.each([
  [10_000, undefined, 5],
  [10_001, undefined, 6],
  [1, undefined, 1],
  [0, undefined, 1],
  [7, 3, 3],
  [9, 3, 3],
])('%i records by %s take %i requests', async (total, pageSize, requests) => {
  const {vendor, client} = await meetPaging({total})

  const all = await readAll(client, 'machines.list', {}, pageSize)

  expect(all.map(({id}) => id)).toEqual(Array.from({length: total}, (_, index) => index + 1))
  expect(vendor.seen).toHaveLength(requests)
})

test('believes a smaller page size and asks for it from then on', async () => {
  const {vendor, client} = await meetPaging({total: 250, ceiling: 100})

  expect(await readAll(client, 'machines.list')).toHaveLength(250)

  expect(asked(vendor.seen)).toEqual(['1/2000', '2/100', '3/100'])
})

test.each([
  ['{}', 0, 10],
  ['{}', 3, 3],
  ['{"total-pages":"1"}', 3, 10],
])('a page with %s that does not say its size, of %i records by 10, has the size %i', async (said, count, size) => {
  const {client} = await meetVendor((socket) => socket.write(reply(200, records(1, count), JSON.parse(said))))

  const pages = client.readPages('machines.list', {filters: {}, pageSize: 10})

  expect((await pages.next()).value).toMatchObject({number: 1, size, totalPages: count === 3 && size === 3 ? 2 : 1})
})

test('understands a service that says how many records the last page holds', async () => {
  const {client} = await meetPaging({total: 25, ceiling: 10, sizeIsCount: true})

  expect(await readAll(client, 'machines.list')).toHaveLength(25)
})

test.each([
  [25, 3],
  [20, 3],
  [0, 1],
])('without paging headers %i records by 10 take %i requests', async (total, requests) => {
  const {vendor, client} = await meetPaging({total, headers: false})

  expect(await readAll(client, 'machines.list', {}, 10)).toHaveLength(total)

  expect(vendor.seen).toHaveLength(requests)
})

test('a service that does not page at all is found out', async () => {
  const {vendor, client} = await meetVendor((socket) => socket.write(reply(200, records(1, 10))))

  const failure = await failureOf(readAll(client, 'machines.list', {}, 10))

  expect(failure).toMatchObject({exit: 'incomplete', code: 'PAGE_REPEATED'})
  expect(vendor.seen).toHaveLength(2)
})

test('a service that names a smaller size and always answers the first page is found out too', async () => {
  const {vendor, client} = await meetVendor((socket) => socket.write(reply(200, records(1, 10), {size: '10'})))

  const failure = await failureOf(readAll(client, 'machines.list'))

  expect(failure).toMatchObject({exit: 'incomplete', code: 'PAGE_REPEATED'})
  expect(vendor.seen).toHaveLength(2)
})

test('tells what each page is, and the range that was served', async () => {
  const {client} = await meetVendor((socket, {headers}) => {
    const served = {'search-range-start-date': '2024-01-01T00:00:00', 'search-range-end-date': '2024-02-01T00:00:00'}
    socket.write(reply(200, '[{"id":"B1"}]', {...paged(Number(headers['page']), 1, 2), ...served}))
  })
  const pages: Partial<Page>[] = []

  for await (const {number, size, totalPages, count, served} of client.readPages('reports.transactions', {
    filters: {},
  })) {
    pages.push({number, size, totalPages, count, served})
  }

  const served = {start: '2024-01-01T00:00:00', end: '2024-02-01T00:00:00'}
  expect(pages).toEqual([
    {number: 1, size: 1, totalPages: 2, count: 1, served},
    {number: 2, size: 1, totalPages: 2, count: 1, served},
  ])
})

test('a page of another range than the first one ends the read, where a date was asked for', async () => {
  const {client} = await meetVendor((socket, {headers}) => {
    const served = {'search-range-start-date': `2024-01-0${headers['page']}T00:00:00`}
    socket.write(reply(200, '[{"id":1}]', {...paged(Number(headers['page']), 1, 2), ...served}))
  })
  const start = {StartDate: '2024-01-01T00:00:00'}

  for (const dates of [start, {...start, EndDate: '2024-02-01T00:00:00'}])
    expect(await failureOf(readAll(client, 'alerts.list', dates, 1))).toMatchObject({
      exit: 'incomplete',
      code: 'SERVED_RANGE',
    })
  await readAll(client, 'alerts.list', {}, 1)
})

/** Answers page by page as told: records and total pages; the list is by number of request. */
function meetScript(...script: [count: number, totalPages: number, size?: number][]) {
  return meetVendor((socket, {headers}, number) => {
    const page = Number(headers['page'])
    const [count, totalPages, size = 2] = script[number - 1] ?? [0, 0]
    socket.write(reply(200, records(number * 10, count), paged(page, size, totalPages)))
  })
}

test('asks an empty page before the last once more, then stops', async () => {
  const {vendor, client} = await meetScript([2, 3], [0, 3], [0, 3])

  const failure = await failureOf(readAll(client, 'machines.list', {}, 2))

  expect(failure).toMatchObject({exit: 'incomplete', code: 'PAGE_EMPTY'})
  expect(vendor.seen).toHaveLength(3)
})

test('an empty page that fills on the second try is no harm', async () => {
  const {client} = await meetScript([2, 3], [0, 3], [2, 3], [1, 3])

  expect(await readAll(client, 'machines.list', {}, 2)).toHaveLength(5)
})

test('follows a total that grows', async () => {
  const {client} = await meetScript([2, 2], [2, 3], [1, 3])

  expect(await readAll(client, 'machines.list', {}, 2)).toHaveLength(5)
})

test('a total that shrinks is read to its end and then said', async () => {
  const {client} = await meetScript([2, 4], [2, 3], [1, 3])
  const handed: unknown[] = []

  const failure = await failureOf(
    (async () => {
      for await (const page of client.readPages('machines.list', {filters: {}, pageSize: 2})) {
        handed.push(...page.records)
      }
    })(),
  )

  expect(handed).toHaveLength(5)
  expect(failure).toMatchObject({exit: 'incomplete', code: 'DRIFT'})
  expect(failure.message).toContain('from 4 to 3 pages')
})

test('a page size that changes on the way is not read over', async () => {
  const {vendor, client} = await meetScript([2, 3], [1, 3, 1], [2, 3])

  expect(await failureOf(readAll(client, 'machines.list', {}, 2))).toMatchObject({
    exit: 'incomplete',
    code: 'PAGE_SIZE_CHANGED',
  })
  expect(vendor.seen).toHaveLength(2)
})

test('a record that is not JSON inside ends the read', async () => {
  const {client} = await meetVendor((socket) => {
    socket.write(reply(200, '[{"id":1},{"id":02}]', paged(1, 2000, 1)))
  })

  const failure = await failureOf(readAll(client, 'machines.list'))

  expect(failure).toMatchObject({exit: 'unavailable', message: expect.stringContaining('record 2 of page 1')})
})
