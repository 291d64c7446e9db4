import {join} from 'node:path'
import {checkForecast} from '../client/forecast.js'
import {systemClock} from '../clock.js'
import {exitCodeOf, readOperation} from '../contract/index.js'
import type {ExportAsk, ExportLayout, ExportOptions} from '../reports/export-types.js'
import type {ExportOutcome} from '../reports/finish-export.js'
import type {JsonValue} from '../values/json.js'
import {defaultPagesInFlight, type ExportFlags} from './export-flags.js'
import {fingerprint} from './fingerprint.js'
import {toRequests} from './finish-read.js'
import {keepMemoryFlat} from './flat-memory.js'
import {stateFolder} from './folders.js'
import {type ClientFlags, type OpenedClient, openClient} from './open-client.js'
import type {Progress} from './progress.js'
import {createPace} from './progress-text.js'
import {ReadCommand} from './read-command.js'
import {stopSignal} from './signals.js'

/** The options of an export but for what is read and where it goes. */
type Engine = Omit<ExportOptions, 'ask' | 'layout' | 'path' | 'overwrite' | 'fresh' | 'requireGrade'>

export type PlannedExport = {layout: ExportLayout; ask: ExportAsk}

/** An export to a file that can be stopped and gone on with. */
export abstract class ExportCommand extends ReadCommand {
  protected async export(flags: ExportFlags, planned: PlannedExport): Promise<void> {
    const opened = await openClient(flags as ClientFlags, this.environment, this.messages, 'exports')
    const progress = await this.startProgress(flags)
    keepMemoryFlat()
    try {
      const {runExport} = await import('../reports/export.js')
      const outcome = await runExport(this.#toOptions(flags, planned, opened, progress))
      progress.end()
      await this.#conclude(flags, opened, outcome)
    } finally {
      progress.end()
      opened.client.close()
    }
  }

  #toOptions(
    flags: ExportFlags,
    {layout, ask}: PlannedExport,
    opened: OpenedClient,
    progress: Progress,
  ): ExportOptions {
    const basis = ask.timeBasis === 'utc' ? 'UTC' : 'machine-local time'
    return {
      ...this.engineOf(flags, opened, progress).engine,
      layout,
      ask,
      path: flags['output-file'] ?? '',
      overwrite: flags.overwrite === true,
      fresh: flags.fresh === true,
      requireGrade: flags['require-grade'] ?? 'C',
      onRange: ({start, end}) => this.messages.note(`Reading ${start} … ${end}, ${basis}.`),
      onKept: (rows) => this.messages.tell(describeKept(flags, rows)),
    }
  }

  /** What every export of this run shares, whatever it reads and wherever it goes. */
  protected engineOf(
    flags: ExportFlags,
    opened: OpenedClient,
    progress: Progress,
  ): {engine: Engine; random: () => number} {
    const {client, resolved, found} = opened
    const pace = createPace(systemClock.monotonic)
    const engine: Engine = {
      client,
      clock: systemClock,
      signal: stopSignal,
      source: {
        baseUrl: resolved.values.baseUrl.value ?? '',
        stage: resolved.values.stage.value ?? '',
        keyFingerprint: fingerprint(found.credentials?.apiKey ?? ''),
        profile: resolved.profile,
      },
      folder: join(stateFolder(this.environment), 'exports'),
      tool: `vendorctl ${this.config.version}`,
      maximumDays: readOperation('reports.transactions').range?.maximumDays ?? Number.POSITIVE_INFINITY,
      ...(flags['page-size'] !== undefined && {pageSize: flags['page-size']}),
      pagesInFlight: flags['pages-in-flight'] ?? defaultPagesInFlight,
      probes: flags['no-seam-probes'] !== true,
      onRange: () => undefined,
      onKept: () => undefined,
      onNotice: (text) => this.#notice(text),
      onForecast: (requests) => this.#checkForecast(flags, opened, requests),
      onProgress: ({window, page, totalPages, rows, done}) =>
        progress.update(`Window ${window} · page ${page} of ${totalPages} · ${pace(rows, done)}`),
    }
    return {engine, random: opened.random}
  }

  #notice(text: string): void {
    if (text.startsWith('warning: ')) this.caution(text.slice('warning: '.length))
    else this.messages.note(text)
  }

  #checkForecast(flags: ExportFlags, {client}: OpenedClient, requests: number): void {
    if (flags['max-requests'] !== undefined) return
    const untilQuota = flags['until-quota'] === true
    const quota = client.quota()
    checkForecast({what: 'The export', requests, quota, untilQuota, ...(flags.spread && {days: flags.spread})})
    if (flags.spread !== undefined) client.spreadOver(requests, flags.spread)
  }

  async #conclude(flags: ExportFlags, opened: OpenedClient, outcome: ExportOutcome): Promise<void> {
    const {manifest, kind, errors = []} = outcome
    const path = flags['output-file'] ?? ''
    const isEmpty = manifest.rows === 0 && errors.length === 0 && flags['fail-on-empty'] === true
    const shown = isEmpty ? [nothingMatched] : errors
    this.messages.note(describe(path, outcome, opened.client.requestsUsed))
    for (const {message, hint} of errors) this.messages.tell(`incomplete: ${message}\n→ ${hint}`)
    if (kind === 'incomplete') this.messages.tell(`${path} was not written; what was read is kept in ${path}.part.`)
    await this.present({
      data: {...manifest, file: path} as unknown as JsonValue,
      meta: {
        profile: opened.resolved.profile,
        stage: opened.resolved.values.stage.value ?? '',
        pages: manifest.pages,
        requests: toRequests(opened),
        truncated: false,
        range: {asked: manifest.range.asked, served: manifest.range.served},
      },
      exit: errors.length > 0 ? 'incomplete' : isEmpty ? 'empty' : 'ok',
      errors: shown,
    })
  }
}

const nothingMatched = {
  code: 'EMPTY',
  message: 'nothing matched',
  exit: exitCodeOf('empty').code,
  changed: 'none',
  retry: 'after-fix',
  hint: 'Check the filters and the range, or leave --fail-on-empty out.',
} as const

function describe(path: string, {kind, manifest}: ExportOutcome, used: number): string {
  const {rows, pages, grade, requests} = manifest
  if (kind === 'complete')
    return `${path} is complete already: ${count(rows, 'row')}, grade ${grade}; nothing was read.`
  const probes = requests.probes > 0 ? ` (${requests.probes} of them for seams)` : ''
  return `${path}: ${count(rows, 'row')}, ${count(pages, 'page')}, ${count(used, 'request')}${probes}, grade ${grade}`
}

function describeKept({'output-file': path}: ExportFlags, rows: number): string {
  return `${path}.part holds ${count(rows, 'row')}; the same command goes on from there.`
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? '' : 's'}`
}
