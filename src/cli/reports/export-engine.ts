import {readOperation, transactionReport} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {checkFits} from '../../quota/quota-failures.js'
import type {ExportOptions, ExportSource} from '../../reports/export/export-types.js'
import type {ExportRegister} from '../../reports/register/export-register.js'
import {exportsFolder} from '../../reports/register/export-runs.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import {stopSignal} from '../app/signals.js'
import type {OpenedClient} from '../client/open-client.js'
import {fingerprint} from '../settings/fingerprint.js'
import type {Progress} from '../terminal/progress.js'
import {createPace, createShare} from '../terminal/progress-text.js'
import {defaultPagesInFlight, type ExportFlags} from './export-flags.js'

/** The options of an export but for what is read and where it goes. */
export type Engine = Omit<ExportOptions, 'ask' | 'layout' | 'path' | 'overwrite' | 'fresh' | 'requireGrade'>

export type EngineTools = {
  flags: ExportFlags
  opened: OpenedClient
  progress: Progress
  register: ExportRegister
  environment: Environment
  version: string
  onNotice: (text: string) => void
}

const millisecondsPerDay = 86_400_000

/** What every export of a run shares, whatever it reads and wherever it goes. */
export function toEngine(tools: EngineTools): Engine {
  const {flags, opened, progress, register, environment, version, onNotice} = tools
  const [pace, share] = [createPace(systemClock.monotonic), createShare()]
  const source = toSource(opened)
  return {
    client: opened.client,
    clock: systemClock,
    signal: stopSignal,
    source,
    folder: exportsFolder(stateFolder(environment)),
    tool: `vendorctl ${version}`,
    maximumDays: maximumDays(register, source),
    ...(flags['page-size'] !== undefined && {pageSize: flags['page-size']}),
    pagesInFlight: flags['pages-in-flight'] ?? defaultPagesInFlight,
    probes: flags['no-seam-probes'] !== true,
    onRange: () => undefined,
    onKept: () => undefined,
    onNotice,
    onLongest: (longest) => register.keepLongest(routeOf(source), longest, systemClock.now()),
    onForecast: (requests) => checkRequests(flags, opened, requests),
    onProgress: ({rows, ...position}) => {
      const {window, page, totalPages} = position
      progress.update(`Window ${window} · page ${page} of ${totalPages} · ${pace(rows, share(position))}`)
    },
  }
}

export function toSource({resolved, found}: OpenedClient): ExportSource {
  return {
    baseUrl: resolved.values.baseUrl.value ?? '',
    stage: resolved.values.stage.value ?? '',
    keyFingerprint: fingerprint(found.credentials?.apiKey ?? ''),
    profile: resolved.profile,
  }
}

/** Days that the service serves at once: as it was learned, else as the contract says. */
export function maximumDays(register: ExportRegister, source: ExportSource): number {
  const known = readOperation(transactionReport).range?.maximumDays ?? Number.POSITIVE_INFINITY
  const learned = register.findLongest(routeOf(source), systemClock.now())
  return learned === undefined ? known : Math.min(known, learned / millisecondsPerDay)
}

function routeOf({profile, baseUrl, stage}: ExportSource): string {
  return JSON.stringify([profile, baseUrl, stage, transactionReport])
}

/** Says before the second request whether the export fits within the day; a ceiling of the user goes before that. */
function checkRequests(flags: ExportFlags, {client}: OpenedClient, requests: number): void {
  const {spread, 'max-requests': ceiling, 'until-quota': untilQuota} = flags
  if (ceiling === undefined) {
    checkFits({what: 'The export', requests, quota: client.quota(), untilQuota, days: spread})
  }
  if (spread !== undefined) client.spreadOver(requests, spread)
}
