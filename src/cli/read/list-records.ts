import {fieldsOfFilters} from '../../client/filter-check.js'
import {describeServed} from '../../client/served-range.js'
import type {Client, FilterValues, Page} from '../../client/types.js'
import {allFieldsOf, findReadOf, type ReadId, readOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {columnsOf} from '../../formats/columns.js'
import type {Take} from '../../formats/scan/page-renderer.js'
import {describeUnproven, toMissing, watchIds} from '../../reports/read/missing-ids.js'
import {type ListPage, type ListReading, readList} from '../../reports/read/read-list.js'
import {type Ended, withinQuota} from '../../reports/read/within-quota.js'
import type {JsonRecord} from '../../values/json.js'
import {suggest} from '../../values/suggest.js'
import type {CommandContext} from '../app/command-context.js'
import {type CodeCache, createCodeCache} from '../client/code-cache.js'
import {createPace} from '../terminal/progress-text.js'
import {describeRange, toFilterValues} from './filter-values.js'
import {allowClamp, toDrift} from './finish-read.js'
import {type ReadFlags, toPaging} from './read-flags.js'
import {type PageOfRows, readToOutput} from './read-to-output.js'

/** Lists the records of one operation: all pages, narrowed, ordered and rendered. */
export async function listRecords(id: ReadId, flags: ReadFlags, context: CommandContext): Promise<void> {
  const {caution, messages} = context
  const filters = toFilterValues(id, flags, systemClock.now())
  const {resource, range} = readOperation(id)
  const ids = watchIds(id, filters)
  const codes: string[] = []
  const lookAtCode = ({code}: JsonRecord) => void codes.push(String(code))
  const seen: Seen = {served: {}, look: resource === 'alertCodes' ? lookAtCode : ids.look}
  const ended: Ended = {}
  const mustKnow = flags['fail-on-missing'] === true

  await readToOutput(
    {
      ...{flags, resource, columns: columnsOf(allFieldsOf(resource))},
      isNarrowed: Object.keys(filters).length > 0 || range !== undefined,
      paged: {look: resource === 'alertCodes' ? ['code'] : fieldsOfFilters(readOperation(id), filters)},
      start({client}, split) {
        const now = systemClock.now()
        const dates = describeRange(id, filters, now)
        if (dates !== undefined) messages.note(dates)
        const paging = toPaging(flags)
        const untilQuota = flags['until-quota'] === true
        seen.reading = readList(client, id, {filters, paging, now, split})
        const {pages} = seen.reading
        return toRows(withinQuota(pages, {client, what: 'This read', untilQuota, limit: paging.limit}, ended), seen)
      },
      async finish(opened, {rows, isComplete}) {
        if (isComplete && codes.length > 0) createCodeCache(opened, context.environment).write(codes, systemClock.now())
        if (rows === 0 && flags.where === undefined) {
          const known = createCodeCache(opened, context.environment)
          for (const text of await describeUnknownCodes(opened.client, filters, known)) caution(text)
        }
        const sawAll = isComplete && ended.by === undefined
        const isOpen = rows === 0 && flags.where === undefined && !mustKnow
        const unproven = isOpen ? describeUnproven(id, filters) : undefined
        if (unproven !== undefined) messages.note(unproven)
        const missing = await ids.find(opened.client, {sawAll, others: mustKnow ? 'must' : 'none'})
        if (!mustKnow) for (const text of missing) caution(text)
        return {
          range: allowClamp(flags, describeServed(id, filters, seen.served, systemClock.now())),
          incomplete: [...toDrift(seen.reading?.repeated ?? 0), ...(mustKnow ? missing.map(toMissing) : [])],
          ended: ended.by,
        }
      },
    },
    context,
  )
}

type Seen = {
  served: Page['served']
  look: (record: JsonRecord) => void
  reading?: ListReading
}

async function* toRows(pages: AsyncIterable<ListPage>, seen: Seen): AsyncGenerator<PageOfRows, void, void> {
  const pace = createPace(systemClock.monotonic)
  for await (const {page, windows, done, isMore: more, served, take} of pages) {
    seen.served = served
    const place = `age ${page.number} of ${page.totalPages}`
    const where = windows === undefined ? `P${place}` : `Window ${windows} · p${place}`
    const takeSeen: Take = (record, key, index) => {
      seen.look(record)
      return take(key, index)
    }
    const progress = (rows: number) => `${where} · ${pace(rows, done)}`
    yield {answer: {page, take: takeSeen}, more, progress}
  }
}

/**
 * Warnings for codes that found nothing: those that the service does not list, with the nearest that it does. Costs a
 * request, but not for codes that were listed before. Neither an unlisted code nor an unreadable list is a failure.
 */
async function describeUnknownCodes(client: Client, {alertCodes}: FilterValues, kept: CodeCache): Promise<string[]> {
  const read = findReadOf('alertCodes')
  if (!Array.isArray(alertCodes) || !read) return []
  const listed = kept.read(systemClock.now())
  if (alertCodes.every((code) => listed.includes(String(code)))) return []
  try {
    const known: string[] = []
    for await (const {records} of client.readPages(read, {filters: {}})) {
      for (const {code} of records) known.push(String(code))
    }
    kept.write(known, systemClock.now())
    return alertCodes.map(String).flatMap((code) => (known.includes(code) ? [] : [describe(code, known)]))
  } catch (error) {
    if (error instanceof CliFailure) return []
    throw error
  }
}

function describe(code: string, known: readonly string[]): string {
  const nearest = suggest(code, known)
  const help = nearest ? `did you mean ${nearest}?` : 'see: vendorctl alerts codes'
  return `the service lists no alert code ${code}; ${help}`
}
