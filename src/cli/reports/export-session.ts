import {type ReportId, reportOperation, pace as usual} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import type {ExportEngine} from '../../reports/export/export-types.js'
import type {ExportRegister} from '../../reports/register/export-register.js'
import {exportsFolder, registerPath} from '../../reports/register/register-tables.js'
import type {SharedMarks} from '../../reports/register/shared-marks.js'
import {maximumDays} from '../../reports/run/record-export.js'
import type {CommandContext} from '../app/command-context.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import type {OpenedClient} from '../client/open-client.js'
import {type OpenedNeeds, withNeeds} from '../client/open-needs.js'
import {keepMemoryFlat} from '../read/flat-memory.js'
import {onSecondSignal} from '../terminal/signals.js'
import type {ExportFlags} from './export-flags.js'
import {createFollow, type Follow} from './follow-exports.js'
import {openSharedMarks} from './open-shared.js'

/** What the exports of one command share. */
export type ExportSession = {
  opened: OpenedClient
  register: ExportRegister
  /** Given where machines share their marks. */
  shared: SharedMarks | undefined
  engine: ExportEngine
  /** Shows the events of exports, and stops what does not fit within the day's requests. */
  follow: Follow
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
    const engine = toEngine({report, flags, opened, register}, context)
    const follow = createFollow(report, flags, {opened, register, progress, engine}, context)
    try {
      await work({opened, register, shared, engine, follow})
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

type Tools = Omit<ExportSession, 'engine' | 'shared' | 'progress' | 'follow'> & {report: ReportId; flags: ExportFlags}

function toEngine({report, flags, opened, register}: Tools, {environment, version}: CommandContext): ExportEngine {
  const {client, source} = opened
  return {
    ...{client, source, clock: systemClock, tool: `vendorctl ${version}`},
    folder: exportsFolder(stateFolder(environment)),
    maximumDays: maximumDays(report, source, register, systemClock.now()),
    pageSize: flags['page-size'] ?? reportOperation(report).maximumPageSize,
    pagesInFlight: flags['pages-in-flight'] ?? usual.pagesInFlight,
    probes: flags['no-boundary-checks'] !== true,
  }
}
