import type {PageAnswer} from '../../src/client/page-answer.js'
import {type LoadedPage, type PagePlace, walkPages} from '../../src/client/pages.js'
import type {Client, Page, ReadRequest} from '../../src/client/types.js'
import {splitElements} from '../../src/values/elements.js'

export type FakeRow = {id: number; at: string}

export type FakeOptions = {
  /** Rows in the order in which the service lists them, as they are now. */
  list: () => readonly FakeRow[]
  /** Called before each answer: what happens in between. */
  between: () => void
  /** Ends the wait of an answer; answers may overtake each other. */
  wait: () => Promise<void>
  /** The only page size that is served, whatever is asked. */
  onlySize?: number
  /** The longest range that is served, in days. */
  longestDays?: number
  /** What the service says of its time. */
  now?: () => number
}

const day = 86_400_000

/** A service in memory behind the walk over pages of the client: `readPages` without a wire. */
export function createFakeClient(options: FakeOptions): Pick<Client, 'readPages'> & {requests: number} {
  const client = {requests: 0, readPages}
  return client

  async function* readPages(_id: unknown, request: ReadRequest): AsyncGenerator<Page, void, void> {
    const {firstPage = 1, pageSize = 2_000, servedSize, limit, pagesInFlight = 1} = request
    const ask = async (place: PagePlace): Promise<LoadedPage> => {
      client.requests++
      await options.wait()
      options.between()
      return {place, answer: answer(place, request, options)}
    }
    const steps = walkPages({
      ask,
      size: servedSize ?? pageSize,
      firstPage,
      isSizeKnown: servedSize !== undefined,
      asked: {method: 'GET', path: '/reports/transactions'},
      ...(limit !== undefined && {limit}),
      pagesInFlight,
    })
    for await (const {number, size, totalPages, answer} of steps) {
      const {elements, served, serverTime} = answer
      yield {
        ...{number, size, totalPages, served, elements, count: elements.count},
        ...(serverTime !== undefined && {serverTime}),
        records: readAll(answer),
        check: () => undefined,
        unreadable: () => new Error('unreadable'),
      }
    }
  }
}

function* readAll({elements}: PageAnswer): Page['records'] & Generator {
  for (let index = 0; index < elements.count; index++) yield elements.parse(index) as never
}

function answer({number, size}: PagePlace, {filters}: ReadRequest, options: FakeOptions): PageAnswer {
  const {list, onlySize, longestDays = 31} = options
  const [start, end] = [String(filters.StartDate), String(filters.EndDate)]
  const latest = new Date(Date.parse(`${start}Z`) + longestDays * day).toISOString().slice(0, -1)
  const servedEnd = latest < end ? latest : end
  const used = onlySize ?? size
  const rows = list().filter(({at}) => at >= start && at <= servedEnd)
  const page = rows.slice((number - 1) * used, number * used)
  const bytes = Buffer.from(`[${page.map((row) => JSON.stringify({...row, id: `B${row.id}`})).join(',')}]`)
  return {
    size: used,
    totalPages: Math.ceil(rows.length / used),
    served: servedEnd === end ? {} : {end: servedEnd},
    ...(options.now && {serverTime: options.now()}),
    elements: splitElements(bytes),
    count: page.length,
  }
}
