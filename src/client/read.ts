import {pace, type ReadId, readOperation} from '../contract/index.js'
import {checkStage} from '../http/address.js'
import {type FilterCheck, fieldsOfFilters} from './filter-check.js'
import {createPageChecks} from './machine-ids.js'
import {type Taking, toPageAnswer} from './page-answer.js'
import type {LoadedPage, PagePlace} from './page-place.js'
import {type WalkedPage, walkPages} from './pages.js'
import {findRecordForm} from './record-form.js'
import {checkRecord, readRecords, unreadable} from './records.js'
import {askedBy, type RequestName, toReadRequest} from './request.js'
import {type Retry, tryRead} from './retry.js'
import type {Authenticated} from './session.js'
import {readDownLadder} from './size-ladder.js'
import type {Client, ClientOptions, FilterValues, Page, ReadRequest} from './types.js'

export type Wire = Pick<ClientOptions, 'settings' | 'clock' | 'signal'> & {send: Authenticated; retry: Retry}

export function createReadPages(wire: Wire): Client['readPages'] {
  const {settings, signal} = wire

  const readPages = async function* (id: ReadId, request: ReadRequest): AsyncGenerator<Page, void, void> {
    const operation = readOperation(id)
    checkStage(settings.stage, operation)
    const {filters, firstPage = 1, servedSize, limit, split, known} = request
    const {pageSize = operation.maximumPageSize} = request
    const memberSize = operation.answer ? pageSize : undefined
    const taking = {split, known, toRecordForm: findRecordForm(operation), memberSize}
    const asked = askedBy(toReadRequest(settings, id, {filters, page: 1, size: 1}))
    const checkOf = createPageChecks(readPages, operation, request)
    const walked = walkPages({
      ask: (place, cut) => askPage(wire, id, {filters, taking}, place, cut),
      size: servedSize ?? pageSize,
      firstPage,
      isSizeKnown: servedSize !== undefined,
      ...(limit !== undefined && {limit}),
      pagesInFlight: request.pagesInFlight ?? pace.pagesInFlight,
      asked,
      ...(signal && {signal}),
    })

    for await (const page of walked)
      yield toPage(page, await checkOf(page.answer.elements), fieldsOfFilters(operation, filters), asked)
  }

  return readPages
}

function toPage(
  {number, size, totalPages, answer}: WalkedPage,
  check: FilterCheck | undefined,
  look: readonly string[],
  asked: RequestName,
): Page {
  const {elements, served, serverTime, raw} = answer
  return {
    number,
    size,
    totalPages,
    count: elements.count,
    elements,
    ...(raw && {raw}),
    served,
    ...(serverTime !== undefined && {serverTime}),
    records: readRecords(elements, check, number, asked),
    look: check ? look : [],
    check: (seen) => checkRecord(seen, check, asked),
    unreadable: (index) => unreadable(index, number, asked),
    get body() {
      return elements.bytes
    },
  }
}

async function askPage(
  {settings, clock, send, retry}: Wire,
  id: ReadId,
  {filters, taking}: {filters: FilterValues; taking: Taking},
  place: PagePlace,
  cut: AbortSignal,
): Promise<LoadedPage> {
  const tryPage = ({number, size}: PagePlace, attempt: number) => {
    const request = toReadRequest(settings, id, {filters, page: number, size})
    const asked = askedBy(request)
    return tryRead({
      asked,
      clock,
      send: () => send(request, {attempt, signal: cut, cut}),
      take: (incoming) => toPageAnswer(incoming, number, asked, taking),
    })
  }

  return readDownLadder(place, {retry, tryPage, cut})
}
