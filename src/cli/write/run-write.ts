import {CliFailure, toEntries} from '../../core/errors.js'
import {keepMemoryFlatFor} from '../../core/flat-memory.js'
import {withEarlierChange} from '../../runs/earlier-runs/related-runs.js'
import type {RunReport} from '../../runs/report/report.js'
import type {Compared} from '../../runs/rows/phases.js'
import {type RowSource, write} from '../../runs/write/write.js'
import {sayCommand} from '../terminal/error-output.js'
import {openAnnotations} from './annotations.js'
import {openWrite, type WriteRequest, type WriteSession} from './open-write.js'
import {reportWrite} from './report-write.js'
import {refuseSameFiles, type Written} from './run-files.js'
import {checkSending, toSending} from './sending-flags.js'
import type {WriteFlags} from './write-flags.js'

type Judge = Parameters<typeof write>[0]['judge']

/** A write of rows, from its flags to its exit code; `finish` completes its report. */
export async function writeRows(
  request: WriteRequest,
  rows: RowSource,
  {finish = (report) => report, judge}: {finish?: (report: RunReport) => RunReport; judge?: Judge} = {},
): Promise<void> {
  const asked = {...toAsked(request.flags), rows, ...(judge && {judge})}
  await runWrite(request, async ({needs}) => finish(await write(asked, needs)))
}

/** The request of a write, from its flags. */
export function toAsked(flags: WriteFlags) {
  return {
    sending: toSending(flags),
    dryRun: flags['dry-run'] ?? false,
    sendUnchanged: flags['send-unchanged'] ?? false,
    maxRecords: flags['max-records'],
    detailedExit: flags['detailed-exitcode'] ?? false,
    judge: (compared: Compared) => compared,
  }
}

/**
 * A write from its flags to its exit code: everything it needs is opened, `work` makes the report of its run, and the
 * report is shown. Gives the files that were written; undefined where not all could be shown.
 */
export async function runWrite(
  request: WriteRequest,
  work: (session: WriteSession) => Promise<RunReport>,
): Promise<Written | undefined> {
  const {flags, context} = request
  keepMemoryFlatFor(flags.file)
  checkSending(flags)
  await refuseSameFiles(flags)
  const annotations = await openAnnotations(flags, context.environment, sayCommand)
  let session: WriteSession | undefined
  try {
    session = await openWrite(request)
    const report = await work(session).finally(session.close)
    return await reportWrite(sentEarlier(session) ? {...report, sentEarlier: true} : report, session, annotations)
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    const failure = session && sentEarlier(session) ? withEarlierChange(error) : error
    const {groups} = failure
    await annotations.say(toEntries(failure), groups.length > 0 ? groups : undefined)
    throw failure
  } finally {
    await session?.discard()
    await annotations.discard()
  }
}

function sentEarlier({keepers}: WriteSession): boolean {
  return keepers.some((keeper) => keeper.sentEarlier)
}
