import {CliFailure, toEntries} from '../../core/errors.js'
import type {RunReport} from '../../runs/report/report.js'
import {keepMemoryFlatFor} from '../read/flat-memory.js'
import {sayCommand} from '../terminal/error-output.js'
import {openAnnotations} from './annotations.js'
import {reportWrite} from './report-write.js'
import type {Written} from './run-files.js'
import {checkSending} from './sending-flags.js'
import {openSession, type WriteRequest, type WriteSession} from './write-session.js'

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
  const annotations = await openAnnotations(flags, context.environment, sayCommand)
  let session: WriteSession | undefined
  try {
    session = await openSession(request)
    const report = await work(session).finally(session.progress.end)
    session.lazy.opened?.client.close()
    return await reportWrite(report, session, annotations)
  } catch (error) {
    if (error instanceof CliFailure) await annotations.say(toEntries(error))
    throw error
  } finally {
    await session?.discard()
    await annotations.discard()
  }
}
