import type {Page} from '../../client/types.js'
import {CliFailure} from '../../core/errors.js'
import type {Take} from '../../formats/scan/page-renderer.js'
import type {ReadingSink} from '../../reports/export/export-reading.js'
import {failureOf} from '../../reports/export/export-renderer.js'
import type {createSeenKeys} from '../../reports/export/seen-keys.js'
import {toDateTime} from '../../values/date-time.js'
import type {LoadTables} from '../load/load-table.js'
import {checkKey} from '../load/merge.js'
import type {Changes, Loader} from '../load/mirror-database.js'
import {addChanges} from './counts.js'
import type {ReadingProgress} from './reading-progress.js'
import {mostWaiting} from './sync-list.js'
import type {SyncOptions} from './sync-types.js'

/** Pages that a kill may cost, where they are small. */
const mostPages = 20

type SinkFacts = {
  options: SyncOptions
  progress: ReadingProgress
  loader: Loader
  tables: LoadTables
  changes: Map<string, Changes>
  seen: ReturnType<typeof createSeenKeys>
}

/** Takes the pages of windows; what is known of them is kept together with their rows. */
export function createPageSink({options, progress, loader, tables, changes, seen}: SinkFacts): ReadingSink {
  const {db, clock} = options
  let hasFailed = false
  let pages = 0

  const keep = async (): Promise<void> => {
    if (hasFailed || !progress.isChanged) return
    try {
      const kept = await loader.keep({now: toDateTime(clock.now()), along: () => progress.write(db)})
      addChanges(changes, kept)
      pages = 0
    } catch (error) {
      hasFailed = true // what is known of pages is ahead of the rows that are kept
      throw error
    }
  }

  return {
    render(page: Page, again: boolean) {
      const [keys, fresh]: [string[], string[]] = [[], []]
      let repeated = 0
      const take: Take = (record, key) => {
        page.check(record)
        checkKey(tables.records, key, record)
        keys.push(key)
        const found = seen.find(key, again)
        seen.add(key)
        if (found === 'window') repeated++
        else fresh.push(key)
        return found === undefined
      }
      try {
        const {records, lines} = loader.page(page.elements, take)
        return {rows: lines, records, keys, asked: keys, fresh, repeated}
      } catch (error) {
        hasFailed ||= !isOfPage(error)
        throw failureOf(page, error)
      }
    },
    async commit({keys, rows, records}, {partition}, facts) {
      progress.take(partition, {keys, rows, records}, facts)
      if (++pages >= mostPages || loader.waiting > mostWaiting) await keep()
    },
    settle: keep,
  }
}

/** Whether it is the page that is wrong, and not the database: then what came before is kept. */
function isOfPage(error: unknown): boolean {
  if (!(error instanceof CliFailure)) return error instanceof Error && error.name === 'RecordProblem'
  return error.exit === 'incomplete' || error.exit === 'unavailable'
}
