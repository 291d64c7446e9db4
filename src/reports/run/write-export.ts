import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import {pause} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {stateNameOf} from '../export/export-identity.js'
import type {ExportOutcome} from '../export/export-types.js'
import {dropForeign} from '../register/shared-files.js'
import {openExportTarget} from './export-target.js'
import {type ExportTarget, type OneExport, recordFound, registerBegin, registerWritten} from './record-export.js'

/** What becomes of complete files. */
export type Delivering = {
  deliverLeft(): Promise<void>
  deliverNew(exported: Exported): Promise<void>
  removeOld(): Promise<void>
}

export type Exported = {outcome: ExportOutcome; path: string}

/**
 * Reads into one file what the flags ask for, and registers what was read and up to where. Undefined when the last run
 * of its name read beyond that, and when the file would be that of `except`.
 */
export async function exportFile(one: OneExport, except?: string): Promise<Exported | undefined> {
  const {request, engine} = one
  try {
    return await exportOnce(one, except)
  } catch (error) {
    const isTaken = error instanceof CliFailure && error.code === 'FILE_EXISTS'
    if (!isTaken || !request.file.includes('{time}')) throw error
    await pause(1_000, engine.clock, engine.signal) // another run wrote it in this very second
    return exportOnce(one, except)
  }
}

async function exportOnce(one: OneExport, except: string | undefined): Promise<Exported | undefined> {
  const {engine} = one
  const target = await openExportTarget(one)
  try {
    const {ask, path, found, turn} = target
    if (found) return await recordFound(one, target, found)
    if (path === except) return undefined
    refuseReplacing(one, path)
    if (ask.start > ask.end) return await engine.whileLocked?.(async () => undefined)
    const work = () => exportInto(one, target)
    const again = (error: unknown) => (turn && dropForeign(error, {...engine, path}) ? work() : Promise.reject(error))
    return {
      outcome: await work()
        .catch(again)
        .catch((error: unknown) => fail(error, target)),
      path,
    }
  } finally {
    await target.release()
  }
}

/** A mark has moved past the rows of a file that waits for its delivery: no other file would hold them. */
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

async function exportInto(one: OneExport, target: ExportTarget) {
  const {request, planned, register, engine, reportOn, record} = one
  const {append, fresh, overwrite, skipEmpty, requireGrade} = request
  const {ask, path, sinceLast, known} = target
  const {runExport} = await import('../export/export.js')
  const run = registerBegin(one, path)
  const exported = runExport({
    ...engine,
    ...reportOn(path),
    ...{path, ask, layout: planned.layout, append, fresh, overwrite, skipEmpty, requireGrade},
    startOver: `vendorctl ${record.commandsOf(path).startOver}`,
    formerly: register.findFormerly(stateNameOf(path)),
    begunAs: register.findBegun(stateNameOf(path)),
    ...(known && {known}),
    keepsKeys: sinceLast !== undefined,
    onBegin: run.begin,
    ...registerWritten(one, target),
  })
  return exported.finally(run.end)
}

/**
 * Exports up to now: where that only finished what an earlier run of the name had begun, the rest follows, appended or
 * in another file. A file that this would replace is kept, and the next run reads the rest.
 */
async function exportUpToNow(one: OneExport): Promise<Exported[]> {
  const first = await exportFile(one)
  if (!first) return []
  const {kind} = first.outcome
  if ((kind !== 'written' && kind !== 'skipped') || !isBehind(one, first)) return [first]
  const second = await exportFile(one, one.request.append || kind === 'skipped' ? undefined : first.path)
  return second ? [first, second] : [first]
}

/**
 * Delivers what earlier runs left, exports up to now, delivers that, and removes what was delivered long ago.
 * Returns what was exported, in the order of its time.
 */
export async function exportAndDeliver(
  one: OneExport,
  deliveries: Delivering | undefined,
  {onRead, beforeReading}: {beforeReading?: () => Promise<void>; onRead?: (exported: Exported[]) => void} = {},
): Promise<Exported[]> {
  await deliveries?.deliverLeft()
  await beforeReading?.()
  const all = await exportUpToNow(one)
  onRead?.(all)
  for (const exported of all) await deliveries?.deliverNew(exported)
  await deliveries?.removeOld()
  return all
}

function isBehind({request, planned}: OneExport, {outcome}: Exported): boolean {
  return request.sinceLast !== undefined && outcome.manifest.range.asked[1] < planned.ask.end
}
