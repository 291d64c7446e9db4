import {type ReportId, reportOperation, pace as usual} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {checkFits} from '../../quota/quota.js'
import type {ExportSource} from '../../reports/export/export-types.js'
import type {ExportRegister} from '../../reports/register/export-register.js'
import {exportsFolder, registerPath} from '../../reports/register/register-tables.js'
import type {SharedMarks} from '../../reports/register/shared-marks.js'
import type {Engine} from '../../reports/run/record-export.js'
import type {CommandContext} from '../app/command-context.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import {notice} from '../app/messages.js'
import type {OpenedClient} from '../client/open-client.js'
import {type OpenedNeeds, withNeeds} from '../client/open-needs.js'
import {keepMemoryFlat} from '../read/flat-memory.js'
import type {Progress} from '../terminal/progress.js'
import {createPace, createShare} from '../terminal/progress-text.js'
import {onSecondSignal, stopSignal} from '../terminal/signals.js'
import type {ExportFlags} from './export-flags.js'
import {openSharedMarks} from './open-shared.js'

/** What the exports of one command share. */
export type ExportSession = {
  opened: OpenedClient
  register: ExportRegister
  /** Given where machines share their marks. */
  shared: SharedMarks | undefined
  progress: Progress
  engine: Engine
}

/** Opens what exports need, and closes it however the work ends. */
export async function withExportSession(
  report: ReportId,
  flags: ExportFlags,
  context: CommandContext,
  work: (session: ExportSession) => Promise<void>,
): Promise<void> {
  const {environment} = context
  const quotaClass = flags['since-last'] === undefined ? 'exports' : 'cron'
  const opening = async ({opened, progress}: OpenedNeeds) => {
    context.measure(() => opened.meta())
    const register = await openRegister(environment)
    const shared = await openSharedMarks(opened, environment)
    keepMemoryFlat()
    onSecondSignal(() => leavingWords)
    const engine = toEngine({report, flags, opened, register, progress}, context)
    try {
      await work({opened, register, shared, progress, engine})
    } finally {
      progress.end()
      await shared?.close()
      register.close()
    }
  }
  await withNeeds(flags, context, opening, quotaClass)
}

export async function openRegister(environment: Environment): Promise<ExportRegister> {
  const {openExportRegister} = await import('../../reports/register/export-register.js')
  return openExportRegister(registerPath(stateFolder(environment)))
}

const leavingWords =
  'Stopped immediately; what was read up to the last page is kept.\n→ Run the same command again: it resumes.'

const millisecondsPerDay = 86_400_000

type Tools = Omit<ExportSession, 'engine' | 'shared'> & {report: ReportId; flags: ExportFlags}

function toEngine(
  {report, flags, opened, register, progress}: Tools,
  {environment, version, ...output}: CommandContext,
): Engine {
  const [pace, share] = [createPace(systemClock.monotonic), createShare()]
  const source = opened.source
  return {
    client: opened.client,
    clock: systemClock,
    signal: stopSignal(),
    source,
    folder: exportsFolder(stateFolder(environment)),
    tool: `vendorctl ${version}`,
    maximumDays: maximumDays(report, register, source),
    pageSize: flags['page-size'],
    pagesInFlight: flags['pages-in-flight'] ?? usual.pagesInFlight,
    probes: flags['no-boundary-checks'] !== true,
    onRange: () => undefined,
    onKept: () => undefined,
    onNotice: (text) => notice(text, output),
    onLongest: (longest) => register.keepLongest(routeOf(report, source), longest, systemClock.now()),
    onForecast: (requests) => checkRequests(flags, opened, requests),
    onProgress: ({rows, ...position}) => {
      const {window, page, totalPages} = position
      progress.update(`Window ${window} · page ${page} of ${totalPages} · ${pace(rows, share(position))}`)
    },
  }
}

/** Days that the service serves in one request: as learned, else by the contract. */
export function maximumDays(report: ReportId, register: ExportRegister, source: ExportSource): number {
  const known = reportOperation(report).range.maximumDays
  const learned = register.findLongest(routeOf(report, source), systemClock.now())
  return learned === undefined ? known : Math.min(known, learned / millisecondsPerDay)
}

function routeOf(report: ReportId, {profile, baseUrl, stage}: ExportSource): string {
  return JSON.stringify([profile, baseUrl, stage, report])
}

/** Throws before the second request when the export does not fit within the day; a ceiling of the user comes first. */
function checkRequests(flags: ExportFlags, {client}: OpenedClient, requests: number): void {
  const {spread, 'max-requests': ceiling, 'until-quota': untilQuota} = flags
  if (ceiling === undefined) {
    checkFits({what: 'The export', requests, quota: client.quota(), untilQuota, days: spread})
  }
  if (spread !== undefined) client.spreadOver(requests, spread)
}
