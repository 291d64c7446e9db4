import {type ReadId, readOperation} from '../contract/index.js'
import {checkStage} from './address.js'
import {toMeaning} from './answer.js'
import type {Authenticated} from './authenticated.js'
import {createFilterCheck, type FilterCheck} from './filter-check.js'
import {carriesIdOnly, isSuspicious, readMachineIds} from './machine-ids.js'
import {type PageAnswer, toPageAnswer} from './page-answer.js'
import {walkPages} from './pages.js'
import {checkedRecords, type Held, readRecords} from './records.js'
import type {Repeater, Tried} from './repeat.js'
import {askedBy, toReadRequest} from './request.js'
import {troubleOfMeaning, troubleOfTransport} from './retry-policy.js'
import {TransportFailure} from './transport-failure.js'
import type {Client, ClientOptions, Page, ReadRequest} from './types.js'

export type Wire = Pick<ClientOptions, 'settings' | 'clock' | 'signal'> & {send: Authenticated; repeat: Repeater}

export function createReadPages(wire: Wire): Client['readPages'] {
  const {settings} = wire

  const readPages = async function* (id: ReadId, request: ReadRequest): AsyncGenerator<Page, void, void> {
    const operation = readOperation(id)
    checkStage(settings.stage, operation.command)
    const {filters, firstPage = 1, pageSize = operation.maximumPageSize, limit, skipFilterCheck} = request
    const asked = askedBy(toReadRequest(settings, id, {filters, page: 1, size: 1}))
    const mayMeanSerials = !skipFilterCheck && carriesIdOnly(operation, filters)
    let machineIds: string[] | undefined
    let check: FilterCheck | undefined = skipFilterCheck ? undefined : createFilterCheck(operation, filters)
    const steps = walkPages({
      ask: (page, size) => askPage(wire, id, request, page, size),
      size: pageSize,
      firstPage,
      ...(limit !== undefined && {limit}),
      asked,
    })

    for await (const {number, size, totalPages, answer} of steps) {
      const {elements, served} = answer
      if (
        mayMeanSerials &&
        !machineIds &&
        isSuspicious(operation, filters, checkedRecords(elements, undefined, number, asked))
      ) {
        machineIds = await readMachineIds(readPages, filters)
        check = createFilterCheck(operation, filters, machineIds)
      }

      const held: Held = {elements}
      yield {number, size, totalPages, count: elements.count, served, records: readRecords(held, check, number, asked)}
    }
  }

  return readPages
}

function askPage(wire: Wire, id: ReadId, {filters}: ReadRequest, page: number, size: number): Promise<PageAnswer> {
  const {settings, clock, send, repeat, signal} = wire
  const request = toReadRequest(settings, id, {filters, page, size})
  const asked = askedBy(request)

  return repeat(async (attempt): Promise<Tried<PageAnswer>> => {
    try {
      const incoming = await send(request, {attempt, ...(signal && {signal, cut: signal})})
      const meaning = toMeaning(incoming, clock.now())
      if (meaning.kind === 'success') return toPageAnswer(incoming, page, asked)
      return {trouble: troubleOfMeaning(meaning, incoming, asked, clock.now())}
    } catch (error) {
      if (error instanceof TransportFailure) return {trouble: troubleOfTransport(error, asked)}
      throw error
    }
  })
}
