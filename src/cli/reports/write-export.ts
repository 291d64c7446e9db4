import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import {pause} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {describeSettled} from '../../formats/conditions.js'
import {stateNameOf} from '../../reports/export/export-identity.js'
import type {ExportOutcome} from '../../reports/export/export-types.js'
import {clockNames} from '../../reports/read/report-range.js'
import {dropForeign} from '../../reports/register/shared-files.js'
import type {CommandContext} from '../app/command-context.js'
import type {Deliveries} from '../jobs/deliveries.js'
import {describeKept} from './describe-export.js'
import {commandsOf} from './export-commands.js'
import type {ExportFlags} from './export-flags.js'
import type {PlannedExport} from './export-plan.js'
import type {ExportSession} from './export-session.js'
import {type ExportTarget, openExportTarget} from './export-target.js'
import type {OneExport} from './register-export.js'
import {recordFound, registerBegin, registerWritten} from './register-export.js'

/** One export of a command, with what the command shares with its others. */
export function toOneExport(
  flags: ExportFlags,
  planned: PlannedExport,
  {opened, register, shared, engine}: ExportSession,
  {commandName, messages}: CommandContext,
): OneExport {
  const basis = clockNames[planned.ask.timeBasis]
  return {
    ...{flags, planned, register, shared, engine},
    record: {
      command: commandName,
      keepDays: Number(opened.resolved.values.keepRuns.value),
      nameRun: (id) => opened.client.nameRun(id),
    },
    reportOn: (path) => ({
      onRange({start, end, where = []}) {
        messages.note(`Reading ${start} … ${end}, ${basis}.`)
        if (where.length > 0) for (const note of describeSettled(flags.where ?? [], where)) messages.note(note)
      },
      onKept: (rows) => (flags['since-last'] === undefined ? messages.tell(describeKept(path, rows)) : undefined),
    }),
  }
}

export type Exported = {outcome: ExportOutcome; path: string}

/**
 * Reads into one file what the flags ask for, and registers what was read and up to where. Undefined when the last run
 * of its name read beyond that, and when the file would be that of `except`.
 */
export async function exportFile(one: OneExport, except?: string): Promise<Exported | undefined> {
  const {flags, engine} = one
  try {
    return await exportOnce(one, except)
  } catch (error) {
    const isTaken = error instanceof CliFailure && error.code === 'FILE_EXISTS'
    if (!isTaken || !flags['output-file']?.includes('{time}')) throw error
    await pause(1_000, engine.clock, engine.signal) // another run wrote it in this very second
    return exportOnce(one, except)
  }
}

async function exportOnce(one: OneExport, except: string | undefined): Promise<Exported | undefined> {
  const {engine} = one
  const target = await openExportTarget({...one, ...engine})
  try {
    const {ask, path, found, turn} = target
    if (found) return await recordFound(one, target, found)
    if (path === except) return undefined
    refuseReplacing(one, path)
    if (ask.start > ask.end) return await engine.whileHeld?.(async () => undefined)
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
function refuseReplacing({flags, register}: OneExport, path: string): void {
  const waiting = flags.overwrite === true && existsSync(path) ? register.findDelivery(resolve(path)) : undefined
  if (waiting?.state !== 'outstanding' || !waiting.owner) return
  throw new CliFailure(`${path} is not delivered yet, so it is not replaced; nothing was read.`, {
    code: 'DELIVERY_FAILED',
    exit: 'unavailable',
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
  const {flags, planned, register, shared, engine, reportOn} = one
  const {ask, path, sinceLast, turn, known} = target
  const {layout} = planned
  const {runExport} = await import('../../reports/export/export.js')
  const run = registerBegin(one, path)
  const exported = runExport({
    ...engine,
    ...reportOn(path),
    ...{path, ask, layout},
    overwrite: flags.overwrite === true,
    fresh: flags.fresh === true,
    startOver: `vendorctl ${commandsOf(one, path).startOver}`,
    append: flags.append === true,
    skipEmpty: flags['skip-empty'] === true,
    formerly: register.findFormerly(stateNameOf(path)),
    begunAs: register.findBegun(stateNameOf(path)),
    requireGrade: flags['require-grade'] ?? 'C',
    ...(known && {known}),
    keepsKeys: sinceLast !== undefined,
    onBegin: run.begin,
    ...registerWritten({
      ...{...engine, register, shared, turn, layout, ask, sinceLast, path},
      isAdded: flags.append === true && flags.fresh !== true,
      isToDeliver: flags.deliver !== undefined,
    }),
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
  const second = await exportFile(one, one.flags.append === true || kind === 'skipped' ? undefined : first.path)
  return second ? [first, second] : [first]
}

/**
 * Delivers what earlier runs left, exports up to now, delivers that, and removes what was delivered long ago.
 * Returns what was exported, in the order of its time.
 */
export async function exportAndDeliver(
  one: OneExport,
  deliveries: Deliveries | undefined,
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

function isBehind({flags, planned}: OneExport, {outcome}: Exported): boolean {
  return flags['since-last'] !== undefined && outcome.manifest.range.asked[1] < planned.ask.end
}
