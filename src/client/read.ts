import {findReadOf, pace, type Read, type ReadId, readOperation} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'
import type {Elements} from '../values/elements.js'
import {isRecord, JsonProblem, type JsonRecord, printJson, valueText} from '../values/json.js'
import {toMessageText} from '../values/message-text.js'
import {senseless} from './failures.js'
import {createFilterCheck, type FilterCheck, type Violation, valueAt} from './filter-check.js'
import {type Taking, toPageAnswer} from './page-answer.js'
import {atSize, type LoadedPage, type PagePlace, type WalkedPage, walkPages} from './pages.js'
import {findRecordForm} from './record-form.js'
import {askedBy, checkStage, nameOf, type RequestName, toReadRequest} from './request.js'
import {type Retry, type Tried, tryRead} from './retry.js'
import {createRangeWatch} from './served-range.js'
import type {Authenticated} from './session.js'
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
      limit,
      pagesInFlight: request.pagesInFlight ?? pace.pagesInFlight,
      asked,
      signal,
    })

    const watchRange = createRangeWatch(filters)
    for await (const page of walked) {
      const {elements, served} = page.answer
      watchRange(page, served)
      yield toPage(page, await checkOf(elements), asked)
    }
  }

  return readPages
}

function toPage(
  {number, size, totalPages, answer}: WalkedPage,
  check: FilterCheck | undefined,
  asked: RequestName,
): Page {
  const {elements, served, serverTime, raw} = answer
  return {
    number,
    size,
    totalPages,
    count: elements.count,
    elements,
    raw,
    served,
    serverTime,
    records: readRecords(elements, check, number, asked),
    check: (seen) => checkRecord(seen, check, asked),
    unreadable: (index) => unreadable(index, number, asked),
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

/**
 * The records of a page, parsed and checked one by one; the bytes are released after the last. Throws a `CliFailure` as
 * promised by `Page.records`.
 */
export function* readRecords(
  elements: Elements,
  check: FilterCheck | undefined,
  page: number,
  asked: RequestName,
): Generator<JsonRecord> {
  for (let index = 0; index < elements.count; index++) {
    const record = parseRecord(elements, index, page, asked)
    checkRecord(record, check, asked)
    yield record
  }

  elements.release()
}

/** Throws a `CliFailure` (incomplete) at a record that was not asked for. */
function checkRecord(record: JsonRecord, check: FilterCheck | undefined, asked: RequestName): void {
  const violation = check?.(record)
  if (violation) throw notHonoured(violation, record, asked)
}

function parseRecord(elements: Elements, index: number, page: number, asked: RequestName): JsonRecord {
  try {
    const value = elements.parse(index)
    if (isRecord(value)) return value
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
  }

  throw unreadable(index, page, asked)
}

/** An element (from 0) of a page that is no record. */
export function unreadable(index: number, page: number, asked: RequestName): CliFailure {
  return senseless(
    `${nameOf(asked)}: record ${index + 1} of page ${page} is not a JSON object.`,
    'Look closer with: vendorctl doctor',
  )
}

function notHonoured({filter, field, value}: Violation, record: JsonRecord, asked: RequestName): CliFailure {
  const id = valueAt(record, 'id')
  const name = id === undefined ? 'a record' : `record ${toMessageText(printJson(id))}`
  return new CliFailure(
    `${nameOf(asked)}: the filter ${filter} was not honoured: ${name} has ${field} ${toMessageText(value)}, which was not asked for.`,
    {
      code: 'FILTER_NOT_HONOURED',
      hints: [
        'A proxy or gateway may drop the body of a GET. Find out with: vendorctl doctor',
        'Read by POST: vendorctl profiles set NAME readMethod=POST',
      ],
    },
  )
}

type TryPage<Answer> = (place: PagePlace, attempt: number) => Promise<Tried<Answer>>

/** Smaller pages are not tried: the cause is another one then. */
const smallestSize = 100
/** The same size gets a second chance before a smaller one is tried: a glitch is more frequent than a page too large. */
const chancesOfSize = 2

/**
 * Reads a page, and where it is too large to arrive, the first part of it: half its size, a quarter, and so on, which
 * begins at the same record. Throws the failure of the last try.
 */
export async function readDownLadder<Answer>(
  place: PagePlace,
  wire: {retry: Retry; tryPage: TryPage<Answer>; cut?: AbortSignal},
): Promise<LoadedPage<Answer>> {
  const {retry, tryPage, cut} = wire
  let current = place
  let failures = 0
  let isTooLarge = false
  const tryOnce = async (attempt: number) => {
    if (failures >= chancesOfSize) current = halve(current) ?? current
    const tried = await tryPage(current, attempt)
    const tooLarge = 'trouble' in tried ? tried.trouble.tooLarge : undefined
    if (tooLarge === 'maybe') failures++
    isTooLarge = tooLarge === 'certainly'
    return tried
  }

  try {
    return {answer: await retry(tryOnce, cut), place: current}
  } catch (error) {
    const smaller = isTooLarge ? halve(current) : undefined
    if (!smaller) throw error
    return readDownLadder(smaller, wire)
  }
}

function halve(place: PagePlace): PagePlace | undefined {
  const size = place.size / 2
  return Number.isInteger(size) && size >= smallestSize ? atSize(place, size) : undefined
}

type ReadMachines = (id: ReadId, request: ReadRequest) => AsyncGenerator<Page, void, void>

/** Gives the filter check for each page of one read. */
export type PageChecks = (elements: Elements) => Promise<FilterCheck | undefined>

/**
 * Where records carry only the id of their machine and a serial may have been asked for, the first page with an
 * unexpected machine makes it ask, once, which machines the serials name.
 */
function createPageChecks(readMachines: ReadMachines, operation: Read, request: ReadRequest): PageChecks {
  const {filters, skipFilterCheck = false} = request
  if (skipFilterCheck) return async () => undefined
  let check = createFilterCheck(operation, filters)
  if (!carriesIdOnly(operation, filters)) return async () => check
  let hasAsked = false

  return async (elements) => {
    if (hasAsked || !isSuspicious(operation, filters, elements)) return check
    hasAsked = true
    check = createFilterCheck(operation, filters, await readMachineIds(readMachines, filters))
    return check
  }
}

function carriesIdOnly(operation: Read, filters: FilterValues): boolean {
  const {machineIdentifiers: use} = operation.filters
  const {machineIdentifiers: asked} = filters
  return use?.join() === 'machineId' && Array.isArray(asked) && asked.length > 0
}

/** Whether any record names a machine that was not asked for by its id. Unreadable records are left to the reader. */
function isSuspicious(operation: Read, filters: FilterValues, elements: Elements): boolean {
  const {machineIdentifiers = []} = filters
  const check = createFilterCheck(operation, {machineIdentifiers})
  for (let index = 0; index < elements.count; index++) {
    const record = tryParse(elements, index)
    if (isRecord(record) && check(record)) return true
  }

  return false
}

function tryParse(elements: Elements, index: number): unknown {
  try {
    return elements.parse(index)
  } catch {
    return undefined
  }
}

/** The ids of the machines that the identifiers name. None when that read is not filtered either. */
async function readMachineIds(readMachines: ReadMachines, filters: FilterValues): Promise<string[]> {
  const {machineIdentifiers = []} = filters
  const read = findReadOf('machineIdentifiers')
  const ids: string[] = []
  if (!read) return ids
  try {
    for await (const page of readMachines(read, {filters: {machineIdentifiers, includeDeleted: true}})) {
      for (const {id} of page.records) {
        if (id !== undefined) ids.push(valueText(id))
      }
    }
  } catch (error) {
    if (error instanceof CliFailure && error.code === 'FILTER_NOT_HONOURED') return []
    throw error
  }

  return ids
}
