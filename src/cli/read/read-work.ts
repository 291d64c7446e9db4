import {describeServed} from '../../client/pages/served-range.js'
import type {FilterValues, Page} from '../../client/types.js'
import {allFieldsOf, type ReadId, readOperation, transactionReport} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {columnsOf} from '../../formats/columns.js'
import {createSelect} from '../../formats/select.js'
import {createSeams} from '../../reports/export/known-ids.js'
import type {JsonRecord} from '../../values/json.js'
import {CommandWork} from '../app/command-work.js'
import {toLines} from '../app/messages.js'
import {openKnownCodes} from '../client/known-codes.js'
import {type ClientFlags, type OpenedClient, openClient} from '../client/open-client.js'
import {type Ended, withinQuota} from '../client/within-quota.js'
import {type Progress, startProgress} from '../terminal/progress.js'
import {createPace} from '../terminal/progress-text.js'
import {allowClamp} from './allow-clamp.js'
import {describeAsked} from './asked-range.js'
import {drainPages, type Step} from './drain-pages.js'
import {toDrift} from './drift.js'
import {toFilterValues} from './filter-values.js'
import {type FinishedRead, finishRead} from './finish-read.js'
import {describeContradiction} from './format-of.js'
import {missingFailure, toMissing, watchIds} from './missing-ids.js'
import {type ReadFlags, toPaging, toSelection} from './read-flags.js'
import {openSink} from './sink-for.js'
import {openTarget, type TextTarget} from './text-target.js'
import {describeUnknownCodes} from './unknown-codes.js'

/** A read: all pages of one operation, narrowed, ordered and rendered. */
export class ReadWork extends CommandWork {
  async read(id: ReadId, flags: ReadFlags): Promise<void> {
    const filters = toFilterValues(id, flags, systemClock.now())
    const missing = watchIds(id, filters)
    const columns = columnsOf(allFieldsOf(readOperation(id).resource))
    const select = createSelect({columns, ...toSelection(flags)})
    await this.withTarget(flags, async (target) => {
      const opened = await openClient(flags as ClientFlags, this.environment, this.messages)
      const sink = await openSink(flags, target, columns, {
        resource: readOperation(id).resource,
        envelope: this.envelope,
      })
      const progress = await this.startProgress(flags, opened)
      const ended: Ended = {}
      const all = opened.client.readPages(id, {filters, ...toPaging(flags)})
      const pages = withinQuota(
        all,
        {
          client: opened.client,
          what: 'This read',
          untilQuota: flags['until-quota'] === true,
          limit: toPaging(flags).limit,
        },
        ended,
      )
      const seen: Seen = {served: {}, seams: createSeams(), look: missing.look}
      const asked = describeAsked(filters, systemClock.now())
      if (asked !== undefined) this.messages.note(asked)
      const drained = await drainPages(toSteps(pages, seen), {select, sink, progress})
      await sink.end()
      if (sink.rows === 0 && flags.where === undefined) {
        const known = openKnownCodes(opened, this.environment)
        for (const text of await describeUnknownCodes(opened.client, filters, known)) this.caution(text)
      }
      const isWhole = !drained.more && ended.by === undefined && !select.isFull
      const mustKnow = flags['fail-on-missing'] === true
      const unknown = await missing.find(opened.client, {isWhole, others: mustKnow ? 'must' : 'none'})
      if (!mustKnow) for (const text of unknown) this.caution(text)
      opened.client.close()
      const range = allowClamp(flags, describeServed(id, filters, seen.served, systemClock.now()))
      await this.conclude({
        flags,
        opened,
        sink,
        select,
        target,
        ...drained,
        range,
        incomplete: [...toDrift(seen.seams.repeated), ...(mustKnow ? unknown.map(toMissing) : [])],
        ended: ended.by,
      })
    })
  }

  /** With `--fail-on-missing`, looks for ids that do not exist before a long read begins, and throws when there are. */
  protected async checkIds(
    flags: Pick<ReadFlags, 'fail-on-missing'>,
    filters: FilterValues,
    client: OpenedClient['client'],
  ): Promise<void> {
    if (!flags['fail-on-missing']) return
    const found = await watchIds(transactionReport, filters).find(client, {isWhole: false, others: 'must'})
    if (found.length > 0) throw missingFailure(found)
  }

  /** Opens the target before a request is spent, and takes it away again when the work fails. */
  protected async withTarget(flags: ReadFlags, work: (target: TextTarget) => Promise<void>): Promise<void> {
    const target = await openTarget(flags, this.environment)
    this.cautionName(flags)
    try {
      await work(target)
    } catch (error) {
      await target.discard()
      throw error
    }
  }

  /** Says where the name of the file promises another format than the one that is asked for. */
  protected cautionName(flags: ReadFlags): void {
    const contradiction = describeContradiction(flags)
    if (contradiction) this.caution(contradiction)
  }

  /** Only a complete read gives its file a name, and nothing is said of what is in it before it has one. */
  protected async conclude(read: FinishedRead): Promise<void> {
    const words: (() => void)[] = []
    const presented = finishRead(read, {
      note: (text) => words.push(() => this.messages.note(text)),
      caution: (text) => words.push(() => this.caution(text)),
    })
    await (presented.exit === 'incomplete' ? read.target.discard() : read.target.commit())
    for (const say of words) say()
    for (const error of presented.errors ?? []) this.messages.tell(toLines(presented.exit ?? 'ok', error))
    if (presented.exit === 'incomplete' && read.target.path) this.messages.tell(`${read.target.path} was not written.`)
    await this.present(presented)
  }

  protected startProgress(flags: ReadFlags, opened?: OpenedClient): Promise<Progress> {
    const {quiet = false, verbose = false} = flags
    const sharesTerminal = flags['output-file'] === undefined && process.stdout.isTTY === true
    const {now} = systemClock
    const quotaLeft = opened && (() => opened.client.quota().left)
    return startProgress({quiet, verbose, sharesTerminal, now, print: this.messages.detail, quotaLeft})
  }
}

type Seen = {served: Page['served']; seams: ReturnType<typeof createSeams>; look: (record: JsonRecord) => void}

function* watched(records: Iterable<JsonRecord>, look: Seen['look']): Generator<JsonRecord, void, void> {
  for (const record of records) {
    look(record)
    yield record
  }
}

async function* toSteps(pages: AsyncIterable<Page>, seen: Seen): AsyncGenerator<Step, void, void> {
  const pace = createPace(systemClock.monotonic)
  for await (const page of pages) {
    seen.served = page.served
    const {number, totalPages} = page
    const progress = (rows: number) => `Page ${number} of ${totalPages} · ${pace(rows, number / totalPages)}`
    yield {records: seen.seams.unknown(watched(page.records, seen.look)), more: number < totalPages, progress}
  }
}
