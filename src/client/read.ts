import {type ReadId, readOperation} from '../contract/index.js'
import {CliFailure} from '../errors.js'
import {checkStage} from './address.js'
import type {Authenticated} from './authenticated.js'
import {createPageChecks} from './machine-ids.js'
import {type PageAnswer, toPageAnswer} from './page-answer.js'
import {walkPages} from './pages.js'
import {readRecords} from './records.js'
import type {Repeater} from './repeat.js'
import {askedBy, toReadRequest} from './request.js'
import {tryRead} from './try-read.js'
import type {Client, ClientOptions, Page, ReadRequest} from './types.js'

export type Wire = Pick<ClientOptions, 'settings' | 'clock' | 'signal'> & {send: Authenticated; repeat: Repeater}

/** Smaller pages are not tried: the cause is another one then. */
const smallestHalf = 100

export function createReadPages(wire: Wire): Client['readPages'] {
  const {settings} = wire

  const readPages = async function* (id: ReadId, request: ReadRequest): AsyncGenerator<Page, void, void> {
    const operation = readOperation(id)
    checkStage(settings.stage, operation.command)
    const {filters, firstPage = 1, pageSize = operation.maximumPageSize, limit} = request
    const asked = askedBy(toReadRequest(settings, id, {filters, page: 1, size: 1}))
    const checkOf = createPageChecks(readPages, operation, request)
    const steps = walkPages({
      ask: (page, size) => {
        const ask = (smaller: number) => askPage(wire, id, request, page, smaller)
        return page === firstPage ? askSmaller(ask, size) : ask(size)
      },
      size: pageSize,
      firstPage,
      ...(limit !== undefined && {limit}),
      asked,
    })

    for await (const {number, size, totalPages, answer} of steps) {
      const {elements, served} = answer
      const check = await checkOf(elements)
      const records = readRecords(elements, check, number, asked)
      yield {number, size, totalPages, count: elements.count, served, records}
    }
  }

  return readPages
}

/** Halves a first page whose answer is too large for the way; the other pages follow the size that was served. */
async function askSmaller(ask: (size: number) => Promise<PageAnswer>, size: number): Promise<PageAnswer> {
  try {
    return await ask(size)
  } catch (error) {
    const isTooLarge = error instanceof CliFailure && error.code === 'HTTP_413'
    if (!isTooLarge || size < 2 * smallestHalf) throw error
    return askSmaller(ask, Math.floor(size / 2))
  }
}

function askPage(wire: Wire, id: ReadId, {filters}: ReadRequest, page: number, size: number): Promise<PageAnswer> {
  const {settings, clock, send, repeat, signal} = wire
  const request = toReadRequest(settings, id, {filters, page, size})
  const asked = askedBy(request)

  return repeat((attempt) =>
    tryRead({
      asked,
      clock,
      send: () => send(request, {attempt, ...(signal && {signal, cut: signal})}),
      take: (incoming) => toPageAnswer(incoming, page, asked),
    }),
  )
}
