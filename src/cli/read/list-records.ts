import {fieldsOfFilters} from '../../client/filter-check.js'
import {describeServed} from '../../client/served-range.js'
import {allFieldsOf, type ReadId, readOperation} from '../../contract/index.js'
import {stateFolder} from '../../core/folders.js'
import {columnsOf} from '../../formats/columns.js'
import {createCodeCache, describeUnknownCodes} from '../../reports/read/alert-codes.js'
import {describeUnproven, toMissing, watchIds} from '../../reports/read/missing-ids.js'
import {type Ended, type ListPage, type ListReading, readList, withinQuota} from '../../reports/read/read-list.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {createPace} from '../terminal/progress.js'
import {describeRange, toFilterValues} from './filter-values.js'
import {allowClamp, toDrift} from './finish-read.js'
import {type ReadFlags, toPaging} from './read-flags.js'
import {type PageOfRows, readToOutput} from './read-to-output.js'

/** Lists the records of one operation: all pages, narrowed, ordered and rendered. */
export async function listRecords(id: ReadId, flags: ReadFlags, context: CommandContext): Promise<void> {
  const {caution, messages, environment, clock} = context
  const filters = toFilterValues(id, flags, clock.now())
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
        const now = clock.now()
        const dates = describeRange(id, filters, now)
        if (dates !== undefined) messages.note(dates)
        const paging = toPaging(flags)
        const untilQuota = flags['until-quota'] === true
        seen.reading = readList(client, id, {filters, paging, now, split})
        const {pages} = seen.reading
        return toRows(withinQuota(pages, {client, untilQuota, limit: paging.limit}, ended), seen, clock)
      },
      async finish(opened, {rows, isComplete}) {
        const cache = createCodeCache(opened.source, stateFolder(environment))
        if (isComplete && codes.length > 0) cache.write(codes, clock.now())
        if (rows === 0 && flags.where === undefined)
          for (const text of await describeUnknownCodes(opened.client, filters, cache, clock.now())) caution(text)
        const sawAll = isComplete && ended.by === undefined
        const isOpen = rows === 0 && flags.where === undefined && !mustKnow
        const unproven = isOpen ? describeUnproven(id, filters) : undefined
        if (unproven !== undefined) messages.note(unproven)
        const missing = await ids.find(opened.client, {sawAll, others: mustKnow ? 'must' : 'none'})
        if (!mustKnow) for (const text of missing) caution(text)
        return {
          range: allowClamp(flags, describeServed(id, filters, seen.served, clock.now())),
          incomplete: [...toDrift(seen.reading?.repeated ?? 0), ...(mustKnow ? missing.map(toMissing) : [])],
          ended: ended.by,
        }
      },
    },
    context,
  )
}

type Seen = {served: ListPage['served']; look: (record: JsonRecord) => void; reading?: ListReading}

async function* toRows(
  pages: AsyncIterable<ListPage>,
  seen: Seen,
  clock: CommandContext['clock'],
): AsyncGenerator<PageOfRows> {
  const pace = createPace(clock.monotonic)
  for await (const {page, windows, done, isMore: more, served, take} of pages) {
    seen.served = served
    const place = `${page.number} of ${page.totalPages}`
    const where = windows === undefined ? `Page ${place}` : `Window ${windows} · page ${place}`
    const progress = (rows: number) => `${where} · ${pace(rows, done)}`
    const takeSeen = (record: JsonRecord, key: string, index: number) => {
      seen.look(record)
      return take(key, index)
    }
    yield {answer: [page, takeSeen], more, progress}
  }
}
