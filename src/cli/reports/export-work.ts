import {limits} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import type {ExportAsk, ExportLayout} from '../../reports/export/export-types.js'
import type {ExportOutcome} from '../../reports/export/finish-export.js'
import type {ExportRegister} from '../../reports/register/export-register.js'
import type {JsonValue} from '../../values/json.js'
import {toLines} from '../app/messages.js'
import {sayOnLeaving, stop} from '../app/signals.js'
import {type ClientFlags, type OpenedClient, openClient} from '../client/open-client.js'
import {toRequests} from '../read/finish-read.js'
import {keepMemoryFlat} from '../read/flat-memory.js'
import {ReadWork} from '../read/read-work.js'
import {startDeadline} from '../terminal/deadline.js'
import type {Progress} from '../terminal/progress.js'
import {findAsk} from './cron.js'
import {type Engine, maximumDays, toEngine, toSource} from './export-engine.js'
import type {ExportFlags} from './export-flags.js'
import type {PlannedExport} from './export-plan.js'
import {openRegister} from './export-records.js'
import {describeKept, describeOutcome, describePacked, isMisnamed, nothingMatched} from './export-words.js'
import {createHeartbeat} from './heartbeat.js'
import {type Exported, exportUpToNow, type OneExport} from './run-export.js'

/** What the exports of one command share. */
export type ExportTools = {opened: OpenedClient; register: ExportRegister; progress: Progress; engine: Engine}

/** An export to a file that can be stopped and gone on with. */
export class ExportWork extends ReadWork {
  protected async export(flags: ExportFlags, planned: PlannedExport): Promise<void> {
    const {'output-file': file = ''} = flags
    if (isMisnamed(flags, file)) this.caution(describePacked(file))
    this.cautionName(flags)
    await this.withEngine(flags, async (tools) => {
      await this.checkIds(flags, planned.ask.filters, tools.opened.client)
      const callOff = startDeadline({flags, clock: systemClock, stop})
      const one = watched(this.toOne(flags, planned, tools))
      try {
        const exported = await exportUpToNow(one, ({outcome, path}) => this.#tell(path, outcome, tools.opened))
        tools.progress.end()
        if (exported) await this.#conclude(flags, tools.opened, exported)
        else await this.#concludeNothing(flags, planned.ask, tools.opened)
      } finally {
        callOff()
      }
    })
  }

  /** The layout is needed where the last export of a name is to be found. */
  protected async estimate(flags: ExportFlags, ask: ExportAsk, layout: ExportLayout | undefined): Promise<void> {
    await this.withEngine(flags, async ({opened, register}) => {
      const [{estimateExport}, {renderEstimate, toShown}] = await Promise.all([
        import('../../reports/export/estimate.js'),
        import('./show-estimate.js'),
      ])
      const source = toSource(opened)
      const estimate = await estimateExport({
        client: opened.client,
        ask: layout ? findAsk({flags, planned: {layout, ask}, source, register}) : ask,
        maximumDays: maximumDays(register, source),
        pageSize: flags['page-size'] ?? limits.maximumPageSize,
        probes: flags['no-seam-probes'] !== true,
      })
      const shown = toShown(estimate, opened.client.quota(), Number(opened.resolved.values.rate.value))
      await this.present({data: shown, text: renderEstimate(shown), meta: {requests: toRequests(opened)}})
    })
  }

  /** Opens what exports need, and closes it however the work ends. */
  protected async withEngine(flags: ExportFlags, work: (tools: ExportTools) => Promise<void>): Promise<void> {
    const quotaClass = flags['since-last'] === undefined ? 'exports' : 'cron'
    const opened = await openClient(flags as ClientFlags, this.environment, this.messages, quotaClass)
    const register = await openRegister(this.environment)
    const progress = await this.startProgress(flags, opened)
    keepMemoryFlat()
    const {environment} = this
    const onNotice = (text: string) => this.notice(text)
    sayOnLeaving(
      () =>
        'Stopped immediately; what was read up to the last page is kept.\n→ Give the same command again: it resumes.',
    )
    const {version} = this
    try {
      const engine = toEngine({flags, opened, progress, register, environment, version, onNotice})
      await work({opened, register, progress, engine})
    } finally {
      progress.end()
      register.close()
      opened.client.close()
    }
  }

  protected toOne(flags: ExportFlags, planned: PlannedExport, {opened, register, engine}: ExportTools): OneExport {
    const basis = flags['time-basis'] === 'utc' ? 'UTC' : 'machine-local time'
    const onRange = ({start, end}: {start: string; end: string}) =>
      this.messages.note(`Reading ${start} … ${end}, ${basis}.`)
    return {
      ...{flags, planned, register, engine},
      record: {
        command: this.commandName,
        keepDays: Number(opened.resolved.values.keepRuns.value),
        nameRun: (id) => opened.client.nameRun(id),
      },
      toTell: (path) => ({onRange, onKept: (rows) => this.messages.tell(describeKept(path, rows))}),
    }
  }

  protected notice(text: string): void {
    if (text.startsWith('warning: ')) this.caution(text.slice('warning: '.length))
    else this.messages.note(text)
  }

  /** The last run of the name went beyond what is asked; where that is up to now, the clock here is days behind. */
  async #concludeNothing(flags: ExportFlags, {end}: ExportAsk, opened: OpenedClient): Promise<void> {
    const words = `Nothing is to be read: the last run went beyond ${end}`
    if (flags.end === undefined) this.caution(`${words}. The clock of this machine seems to be wrong`)
    else this.messages.note(`${words}.`)
    await this.present({data: null, meta: {requests: toRequests(opened)}})
  }

  #tell(path: string, outcome: ExportOutcome, {client}: OpenedClient): void {
    this.messages.note(describeOutcome(path, outcome, client.requestsUsed))
    for (const error of outcome.errors ?? []) this.messages.tell(toLines('incomplete', error))
  }

  async #conclude(flags: ExportFlags, opened: OpenedClient, {outcome, path}: Exported): Promise<void> {
    const {manifest, kind, errors = []} = outcome
    const isEmpty = manifest.rows === 0 && errors.length === 0 && flags['fail-on-empty'] === true
    this.#tell(path, outcome, opened)
    if (kind === 'incomplete') this.messages.tell(`${path} was not written; what was read is kept in ${path}.part.`)
    const {asked, served} = manifest.range
    await this.present({
      data: {...manifest, file: path} as unknown as JsonValue,
      meta: {
        profile: opened.resolved.profile,
        stage: opened.resolved.values.stage.value ?? '',
        pages: manifest.pages,
        requests: toRequests(opened),
        truncated: false,
        range: {asked, served},
      },
      exit: errors.length > 0 ? 'incomplete' : isEmpty ? 'empty' : 'ok',
      errors: isEmpty ? [nothingMatched] : errors,
    })
  }
}

/** A watcher sees every page, and the rows that are kept of an export that ends before its first one. */
function watched(one: OneExport): OneExport {
  const {engine, flags, toTell} = one
  const path = flags['heartbeat-file']
  if (path === undefined) return one
  const heart = createHeartbeat(path, systemClock)
  return {
    ...one,
    engine: {
      ...engine,
      whileHeld: heart.during,
      onProgress(seen) {
        heart.beat(seen.rows)
        engine.onProgress(seen)
      },
    },
    toTell(file) {
      const {onRange, onKept} = toTell(file)
      return {
        onRange,
        onKept(rows) {
          heart.keep(rows)
          onKept(rows)
        },
      }
    },
  }
}
