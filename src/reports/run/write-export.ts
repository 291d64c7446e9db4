import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import {pause} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {Exporting, ExportOrder, FileEvent} from '../export/export-types.js'
import {through} from '../export/follow-events.js'
import {refuseMissing} from '../read/missing-ids.js'
import {dropForeign} from '../register/shared-files.js'
import {openExportTarget} from './export-target.js'
import {
  createRecorder,
  type Exported,
  type ExportTarget,
  historyOf,
  type OneExport,
  recordFound,
} from './record-export.js'

/** Delivery of complete files. */
export type Delivering = {
  deliverLeft(): Promise<void>
  deliverNew(exported: Exported): Promise<void>
  removeOld(): Promise<void>
}

/** Events of one command that exports. */
export type ExportEvent =
  | FileEvent
  /** The last run of the name read beyond the requested range. */
  | {kind: 'nothing'}
  /** All is read; of each file, in the order of its time. */
  | {kind: 'exported'; exported: Exported}

/** The exports of one command while they happen; none where there is nothing to read. */
export type ExportingAll = AsyncGenerator<ExportEvent, Exported[], void>

/**
 * Reads into one file what the flags ask for, and registers what was read and up to where. Nothing when the last run
 * of its name read beyond that, and when the file would be that of `except`.
 */
export async function* exportFile(one: OneExport, except = ''): ExportingAll {
  const {request, engine, signal} = one
  try {
    return yield* exportOnce(one, except)
  } catch (error) {
    const nameExists = error instanceof CliFailure && error.code === 'FILE_EXISTS'
    if (!nameExists || !request.file.includes('{time}')) throw error
    await pause(1_000, engine.clock, signal) // another run wrote it in this very second
    return yield* exportOnce(one, except)
  }
}

async function* exportOnce(one: OneExport, except: string): ExportingAll {
  const target = yield* openExportTarget(one)
  try {
    const {ask, path, found} = target
    if (found) return await recordFound(one, target, found)
    if (path === except) return []
    refuseReplacing(one, path)
    if (ask.start > ask.end) {
      yield {kind: 'nothing'}
      return []
    }
    return [{outcome: yield* exportAnew(one, target), path}]
  } catch (error) {
    return fail(error, target)
  } finally {
    await target.release()
  }
}

/** Where NAME.part is of another machine, it is read again. */
async function* exportAnew(one: OneExport, target: ExportTarget): Exporting {
  try {
    return yield* exportInto(one, target)
  } catch (error) {
    const foreign = target.turn && dropForeign(error, {folder: one.engine.folder, path: target.path})
    if (foreign === undefined) throw error
    yield {kind: 'notice', text: foreign}
    return yield* exportInto(one, target)
  }
}

/** A mark has moved past the rows of a file that waits for its delivery: no other file would have them. */
function refuseReplacing({request, register}: OneExport, path: string): void {
  const waiting = request.overwrite && existsSync(path) ? register.findDelivery(resolve(path)) : undefined
  if (waiting?.state !== 'outstanding' || !waiting.owner) return
  throw new CliFailure(`${path} is not delivered yet, so it is not replaced; nothing was read.`, {
    code: 'DELIVERY_FAILED',
    retry: 'safe',
    hints: [
      `Why it was not delivered: ${commandLine('exports show', [waiting.owner.name])}`,
      'To read on although a delivery fails, give each run a file of its own, as with tx-{date}-{time}.csv.',
    ],
  })
}

/** Replacing the file of the previous run would lose it. */
function fail(error: unknown, {sinceLast}: ExportTarget): never {
  if (!(error instanceof CliFailure) || error.code !== 'FILE_EXISTS' || !sinceLast) throw error
  const {message, code, exit} = error
  throw new CliFailure(message, {
    ...{code, exit, cause: error},
    hints: ['Give each run a file of its own, as with tx-{date}-{time}.csv, or add to the file with --append.'],
  })
}

async function* exportInto(one: OneExport, target: ExportTarget): Exporting {
  const {request, planned, engine} = one
  const {append, fresh, overwrite, skipEmpty, requireGrade} = request
  const {ask, path, sinceLast, before} = target
  const {runExport} = await import('../export/export.js')
  const recorder = createRecorder(one, target)
  const order: ExportOrder = {
    ...{ask, path, before, layout: planned.layout, into: 'file'},
    ...{append, fresh, overwrite, skipEmpty, requireGrade},
    isNamed: sinceLast !== undefined,
    history: historyOf(one, target),
  }
  try {
    return yield* through(runExport(engine, order), recorder.take)
  } finally {
    recorder.close()
  }
}

/**
 * Exports up to now: where that only finished what an earlier run of the name had begun, the rest follows, appended or
 * in another file. A file that this would replace is kept, and the next run reads the rest.
 */
async function* exportUpToNow(one: OneExport): ExportingAll {
  const all = yield* exportFile(one)
  const [first] = all
  if (!first) return all
  const {kind} = first.outcome
  const isBehind = one.request.sinceLast !== undefined && first.outcome.manifest.range.asked[1] < one.planned.ask.end
  if ((kind !== 'written' && kind !== 'skipped') || !isBehind) return all
  return [...all, ...(yield* exportFile(one, one.request.append || kind === 'skipped' ? '' : first.path))]
}

/**
 * Delivers what earlier runs left, exports up to now, delivers that, and removes what was delivered long ago.
 * Returns what was exported, in the order of its time.
 */
export async function* exportAndDeliver(one: OneExport, deliveries: Delivering | undefined): ExportingAll {
  const {request, planned, engine} = one
  await deliveries?.deliverLeft()
  if (request.failOnMissing) await refuseMissing(planned.ask.report, planned.ask.filters, engine.client)
  const all = yield* exportUpToNow(one)
  for (const exported of all) yield {kind: 'exported', exported}
  for (const exported of all) await deliveries?.deliverNew(exported)
  await deliveries?.removeOld()
  return all
}
