import {describe, expect, test, vi} from 'vitest'
import type {Page} from '../../src/client/types.js'
import {createTestClient, failureOf, meetVendor} from '../support/client.js'
import {type Behaviour, errorList, paged, reply, type Seen, startVendor} from '../support/vendor.js'

const records = (from: number, count: number) =>
  `[${Array.from({length: count}, (_, index) => `{"id":${from + index}}`).join(',')}]`

const placeOf = ({headers}: Seen) => ({number: Number(headers['page']), size: Number(headers['size'])})

/** The page of a list of so many records that was asked for. */
function pageOf(seen: Seen, total: number, largest = 2_000): Buffer {
  const {number, size} = placeOf(seen)
  const used = Math.min(size, largest)
  const count = Math.max(0, Math.min(used, total - (number - 1) * used))
  return reply(200, records((number - 1) * used + 1, count), paged(number, used, Math.ceil(total / used)))
}

/**
 * Answers no page before as many are waited for as may be in flight, and then the latest first, so that later ones
 * overtake. The first page is asked for alone. `most`: how many were waited for at once.
 */
function overtaking(total: number, size: number, pagesInFlight: number) {
  const waiting: (() => void)[] = []
  const counts = {left: Math.ceil(total / size), most: 0}
  let expected = 1
  const behave: Behaviour = (socket, seen) => {
    waiting.push(() => socket.write(pageOf(seen, total)))
    counts.most = Math.max(counts.most, waiting.length)
    if (waiting.length === expected) setTimeout(answerAll, 10) // one too many would come meanwhile
  }
  const answerAll = () => {
    counts.left -= waiting.length
    expected = Math.min(pagesInFlight, counts.left)
    for (const answer of waiting.splice(0).reverse()) answer()
  }
  return {behave, counts}
}

async function idsOf(pages: AsyncIterable<Page>): Promise<unknown[]> {
  const ids: unknown[] = []
  for await (const page of pages) for (const {id} of page.records) ids.push(id)
  return ids
}

const everyId = (count: number) => Array.from({length: count}, (_, index) => index + 1)
const asked = (seen: Seen[]) => seen.map((one) => `${placeOf(one).number}/${placeOf(one).size}`)

describe('pages in flight', () => {
  test.each([1, 2, 4, 8])('%i at once come in their order, with one request each', async (pagesInFlight) => {
    const {behave, counts} = overtaking(1_234, 100, pagesInFlight)
    const {vendor, client} = await meetVendor(behave)

    const ids = await idsOf(client.readPages('machines.list', {filters: {}, pageSize: 100, pagesInFlight}))

    expect(ids).toEqual(everyId(1_234))
    expect(vendor.seen).toHaveLength(13)
    expect(counts).toEqual({left: 0, most: pagesInFlight})
  })

  test('the next one is asked for as soon as one came', async () => {
    const waiting: (() => void)[] = []
    let left = 10
    const {client} = await meetVendor((socket, seen) => {
      waiting.push(() => socket.write(pageOf(seen, 1_000)))
      if (placeOf(seen).number > 1 && waiting.length < Math.min(4, left)) return
      left -= 1
      waiting.shift()?.()
      if (left < 4) for (const answer of waiting.splice(0)) answer()
    })

    const ids = await idsOf(client.readPages('machines.list', {filters: {}, pageSize: 100, pagesInFlight: 4}))

    expect(ids).toEqual(everyId(1_000))
  })

  test('four unless told otherwise', async () => {
    const {behave, counts} = overtaking(1_234, 100, 4)
    const {client} = await meetVendor(behave)

    const ids = await idsOf(client.readPages('machines.list', {filters: {}, pageSize: 100}))

    expect(ids).toEqual(everyId(1_234))
    expect(counts).toEqual({left: 0, most: 4})
  })

  test('none is asked for before the first page was found not to be enough', async () => {
    const {client} = await meetVendor((socket, seen) => socket.write(pageOf(seen, 1_000)))

    for await (const _page of client.readPages('machines.list', {filters: {}, pageSize: 100})) break

    expect(client.requestsUsed).toBe(1)
  })

  test('one that fails in the middle comes after all before it', async () => {
    await using vendor = await startVendor((socket, seen) =>
      socket.write(placeOf(seen).number === 4 ? reply(403, errorList('ACCESS_ERROR')) : pageOf(seen, 1_000)),
    )
    const {client} = createTestClient(vendor.url)
    const pages: number[] = []

    const read = async () => {
      for await (const {number} of client.readPages('machines.list', {filters: {}, pageSize: 100})) pages.push(number)
    }

    expect(await failureOf(read())).toMatchObject({exit: 'denied'})
    expect(pages).toEqual([1, 2, 3])
    expect(client.requestsUsed).toBeLessThanOrEqual(7)
  })

  test('the limit of requests ends the list after the pages that it allowed', async () => {
    const {vendor, client} = await meetVendor((socket, seen) => socket.write(pageOf(seen, 1_000)), {
      settings: {maximumRequests: 3},
    })
    const pages: number[] = []

    const read = async () => {
      for await (const {number} of client.readPages('machines.list', {filters: {}, pageSize: 100})) pages.push(number)
    }

    expect(await failureOf(read())).toMatchObject({exit: 'limited', code: 'MAX_REQUESTS'})
    expect(pages).toEqual([1, 2, 3])
    expect(vendor.seen).toHaveLength(3)
  })

  test.each([201, 250, 300])('nothing beyond the limit of %i is asked for', async (limit) => {
    const {vendor, client} = await meetVendor((socket, seen) => socket.write(pageOf(seen, 1_000)))

    await idsOf(client.readPages('machines.list', {filters: {}, pageSize: 100, limit, pagesInFlight: 8}))

    expect(asked(vendor.seen).sort()).toEqual(['1/100', '2/100', '3/100'])
  })

  test('a list that grows while it is read is read to its new end', async () => {
    const {client} = await meetVendor((socket, seen, number) => socket.write(pageOf(seen, number < 3 ? 450 : 700)))

    const ids = await idsOf(client.readPages('machines.list', {filters: {}, pageSize: 100, pagesInFlight: 3}))

    expect(ids.at(-1)).toBe(700)
  })

  test('a list that shrinks is drift, whatever is in flight', async () => {
    const {client} = await meetVendor((socket, seen, number) => socket.write(pageOf(seen, number < 3 ? 900 : 400)))

    const failure = await failureOf(
      idsOf(client.readPages('machines.list', {filters: {}, pageSize: 100, pagesInFlight: 3})),
    )

    expect(failure).toMatchObject({code: 'DRIFT', exit: 'incomplete'})
  })

  test('a later page in the middle goes on from there with the known size', async () => {
    const {vendor, client} = await meetVendor((socket, seen) => socket.write(pageOf(seen, 620)))

    const request = {filters: {}, firstPage: 3, servedSize: 100, pagesInFlight: 4}
    const ids = await idsOf(client.readPages('machines.list', request))

    expect(ids).toEqual(everyId(620).slice(200))
    expect(vendor.seen).toHaveLength(5)
  })

  test('who has enough ends what is in flight', async () => {
    const {vendor, client} = await meetVendor((socket, seen) => {
      if (placeOf(seen).number === 1) socket.write(pageOf(seen, 10_000))
    })

    for await (const _page of client.readPages('machines.list', {filters: {}, pageSize: 100, pagesInFlight: 4})) break

    expect(vendor.seen.length).toBeLessThanOrEqual(5)
  })
})

describe('a page too large for the way', () => {
  const refusing =
    (status: number, total: number, largest: number): Behaviour =>
    (socket, seen) => {
      const {size} = placeOf(seen)
      socket.write(size > largest ? reply(status, '{"message":"too large"}') : pageOf(seen, total))
    }

  test.each([
    [413, 1],
    [413, 4],
    [502, 4],
    [504, 1],
    [504, 4],
  ])('is asked for in halves after %i, with %i in flight', async (status, pagesInFlight) => {
    const {vendor, client} = await meetVendor(refusing(status, 4_321, 500))

    const ids = await idsOf(client.readPages('machines.list', {filters: {}, pagesInFlight}))

    expect(ids).toEqual(everyId(4_321))
    expect(asked(vendor.seen).filter((place) => place.endsWith('/500'))).toHaveLength(9)
  })

  test.each([
    [1, 7_000],
    [4, 7_000],
    [4, 6_500],
    [4, 4_500],
  ])('in the middle of a list is too, with %i in flight and a limit of %i records', async (pagesInFlight, limit) => {
    const {client} = await meetVendor((socket, seen) => {
      const {number, size} = placeOf(seen)
      const [from, to] = [(number - 1) * size, number * size]
      const isHeavy = from <= 3_300 && to > 3_300 && size > 250
      socket.write(isHeavy ? reply(413, '{"message":"too large"}') : pageOf(seen, 7_000))
    })

    const ids = await idsOf(client.readPages('machines.list', {filters: {}, pageSize: 1_000, limit, pagesInFlight}))

    expect(ids.slice(0, limit)).toEqual(everyId(limit))
  })

  test('has no rest that is asked for beyond the limit', async () => {
    const {vendor, client} = await meetVendor(refusing(413, 4_321, 500))

    await idsOf(client.readPages('machines.list', {filters: {}, pageSize: 1_000, limit: 500}))

    expect(asked(vendor.seen)).toEqual(['1/1000', '1/500'])
  })

  test('a page that is too slow comes in halves', async ({onTestFinished}) => {
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']})
    onTestFinished(() => void vi.useRealTimers())
    const {vendor, client} = await meetVendor(
      (socket, seen) => {
        if (placeOf(seen).size <= 1_000) socket.write(pageOf(seen, 1_500))
        else vi.advanceTimersByTime(100_000)
      },
      {settings: {timeoutSeconds: 100}},
    )

    expect(await idsOf(client.readPages('machines.list', {filters: {}}))).toEqual(everyId(1_500))

    expect(asked(vendor.seen)).toEqual(['1/2000', '1/2000', '1/1000', '2/1000'])
  })
})

test('a page says when it was answered, and checks records by its filter', async () => {
  const {client} = await meetVendor((socket, seen) => {
    const date = {date: 'Tue, 30 Jul 2024 18:07:05 GMT'}
    socket.write(reply(200, '[{"id":7,"siteId":3}]', {...paged(placeOf(seen).number, 2_000, 1), ...date}))
  })

  for await (const page of client.readPages('machines.list', {filters: {siteIds: [4]}})) {
    expect(page.serverTime).toBe(Date.UTC(2024, 6, 30, 18, 7, 5))
    expect(() => page.check({id: 7, siteId: 3})).toThrow(expect.objectContaining({code: 'FILTER_NOT_HONOURED'}))
    expect(() => page.check({id: 8, siteId: 4})).not.toThrow()
    expect(page.unreadable(4)).toMatchObject({code: 'ANSWER_SENSELESS', message: expect.stringContaining('record 5')})
  }
})
