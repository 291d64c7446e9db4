import {dirname, join} from 'node:path'
import {systemClock} from '../clock.js'
import {limits} from '../contract/index.js'
import type {ExportAsk, ExportOptions} from '../reports/export-types.js'
import type {ExportOutcome} from '../reports/finish-export.js'
import type {ExportRegister} from '../state/export-register.js'
import type {JsonValue} from '../values/json.js'
import {startCron} from './cron.js'
import {type Engine, maximumDays, toEngine, toSource} from './export-engine.js'
import type {ExportFlags} from './export-flags.js'
import type {PlannedExport} from './export-plan.js'
import {openRegister, recordWritten} from './export-records.js'
import {describeKept, describeOutcome, nothingMatched} from './export-words.js'
import {toRequests} from './finish-read.js'
import {keepMemoryFlat} from './flat-memory.js'
import {type ClientFlags, type OpenedClient, openClient} from './open-client.js'
import type {Progress} from './progress.js'
import {ReadCommand} from './read-command.js'

/** What the exports of one command share. */
export type ExportTools = {opened: OpenedClient; register: ExportRegister; progress: Progress; engine: Engine}

/** An export to a file that can be stopped and gone on with. */
export abstract class ExportCommand extends ReadCommand {
  protected async export(flags: ExportFlags, planned: PlannedExport): Promise<void> {
    await this.withEngine(flags, async (tools) => {
      const first = await this.exportOne(flags, planned, tools)
      const isBehind = flags['since-last'] !== undefined && first?.kind === 'written' && first.wasSealed === true
      const outcome = isBehind ? await this.exportOne(flags, planned, tools) : first
      if (outcome) await this.#conclude(flags, tools.opened, outcome)
    })
  }

  protected async estimate(flags: ExportFlags, ask: ExportAsk): Promise<void> {
    await this.withEngine(flags, async ({opened, register}) => {
      const [{estimateExport}, {renderEstimate, toShown}] = await Promise.all([
        import('../reports/estimate.js'),
        import('./show-estimate.js'),
      ])
      const estimate = await estimateExport({
        client: opened.client,
        ask,
        maximumDays: maximumDays(register, toSource(opened)),
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
    const progress = await this.startProgress(flags)
    keepMemoryFlat()
    const {environment} = this
    const onNotice = (text: string) => this.notice(text)
    const {version} = this.config
    try {
      const engine = toEngine({flags, opened, progress, register, environment, version, onNotice})
      await work({opened, register, progress, engine})
    } finally {
      progress.end()
      register.close()
      opened.client.close()
    }
  }

  /** One file; undefined when its range is empty. */
  protected async exportOne(
    flags: ExportFlags,
    planned: PlannedExport,
    {opened, register, progress, engine}: ExportTools,
  ): Promise<ExportOutcome | undefined> {
    const source = toSource(opened)
    const {folder} = engine
    const cron = startCron({flags, planned, source, register, folder, clock: systemClock})
    const {ask, sinceLast} = cron
    try {
      if (ask.start > ask.end) {
        this.messages.note(`Nothing is to be read: the last run went beyond ${ask.end}.`)
        return undefined
      }
      const options: ExportOptions = {
        ...engine,
        ...this.#toFile(flags, cron.path),
        layout: planned.layout,
        ask,
        known: cron.known,
        keepsKeys: sinceLast !== undefined,
        onPage: cron.onPage,
        onProgress: (seen) => {
          cron.onRows(seen.rows)
          engine.onProgress(seen)
        },
        onWritten: recordWritten({register, source, layout: planned.layout, ask, sinceLast, onNotice: engine.onNotice}),
      }
      const {runExport} = await import('../reports/export.js')
      const outcome = await runExport(options)
      progress.end()
      cron.end(outcome.kind === 'incomplete' ? 'incomplete' : 'done', outcome.manifest.rows)
      return outcome
    } catch (error) {
      cron.end('failed', 0)
      throw error
    } finally {
      cron.release()
    }
  }

  protected notice(text: string): void {
    if (text.startsWith('warning: ')) this.caution(text.slice('warning: '.length))
    else this.messages.note(text)
  }

  #toFile(flags: ExportFlags, path: string) {
    const basis = flags['time-basis'] === 'utc' ? 'UTC' : 'machine-local time'
    return {
      path,
      overwrite: flags.overwrite === true,
      fresh: flags.fresh === true,
      append: flags.append === true,
      requireGrade: flags['require-grade'] ?? 'C',
      onRange: ({start, end}: {start: string; end: string}) =>
        this.messages.note(`Reading ${start} … ${end}, ${basis}.`),
      onKept: (rows: number) => this.messages.tell(describeKept(path, rows)),
    } as const
  }

  async #conclude(flags: ExportFlags, opened: OpenedClient, outcome: ExportOutcome): Promise<void> {
    const {manifest, kind, errors = []} = outcome
    const path = join(dirname(flags['output-file'] ?? ''), manifest.file)
    const isEmpty = manifest.rows === 0 && errors.length === 0 && flags['fail-on-empty'] === true
    this.messages.note(describeOutcome(path, outcome, opened.client.requestsUsed))
    for (const {message, hint} of errors) this.messages.tell(`incomplete: ${message}\n→ ${hint}`)
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
