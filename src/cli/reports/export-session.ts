import {type ReportId, reportOperation, pace as usual} from '../../contract/index.js'
import {keepMemoryFlat} from '../../core/flat-memory.js'
import type {ExportEngine} from '../../reports/export/export-types.js'
import type {ExportRegister} from '../../reports/register/export-register.js'
import type {SharedMarks} from '../../reports/register/shared-marks.js'
import {maximumDays} from '../../reports/run/record-export.js'
import type {CommandContext} from '../app/command-context.js'
import {type OpenedClient, type OpenedNeeds, withNeeds} from '../client/open-client.js'
import {onSecondSignal} from '../terminal/signals.js'
import type {ExportFlags} from './export-flags.js'
import {openSharedMarks, withRegister} from './export-store.js'
import {createFollow, type Follow} from './follow-exports.js'

/** State that the exports of one command share. */
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
  const opening = ({opened, progress}: OpenedNeeds) =>
    withRegister(environment, async ({register, folder}) => {
      context.measure(() => opened.meta())
      const shared = await openSharedMarks(opened, environment)
      keepMemoryFlat()
      onSecondSignal(() => leavingWords)
      const served = maximumDays(report, opened.source, register, context.clock.now())
      const engine = {...toEngine(report, flags, opened, context), maximumDays: served, folder}
      const follow = createFollow(report, flags, {opened, register, progress, engine}, context)
      try {
        await work({opened, register, shared, engine, follow})
      } finally {
        progress.end()
        await shared?.close()
      }
    })
  await withNeeds(flags, context, opening, quotaClass)
}

const leavingWords =
  'Stopped immediately; what was read up to the last page is kept.\n→ Run the same command again: it resumes.'

function toEngine(
  report: ReportId,
  flags: ExportFlags,
  {client, source}: OpenedClient,
  {version, clock}: CommandContext,
): Omit<ExportEngine, 'folder' | 'maximumDays'> {
  return {
    ...{client, source, clock, tool: `vendorctl ${version}`},
    pageSize: flags['page-size'] ?? reportOperation(report).maximumPageSize,
    pagesInFlight: flags['pages-in-flight'] ?? usual.pagesInFlight,
    probes: flags['no-boundary-checks'] !== true,
  }
}
