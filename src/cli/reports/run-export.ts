import {resolve} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {stateNameOf} from '../../reports/export/export-identity.js'
import type {ExportOptions} from '../../reports/export/export-types.js'
import type {ExportOutcome} from '../../reports/export/finish-export.js'
import type {ExportRegister} from '../../reports/register/export-register.js'
import {type Cron, startCron} from './cron.js'
import {wordsAgain} from './export-again.js'
import type {Engine} from './export-engine.js'
import type {ExportFlags} from './export-flags.js'
import type {PlannedExport} from './export-plan.js'
import {recordWritten} from './export-records.js'
import {type ExportRecord, recordBegin} from './export-run-record.js'

export type OneExport = {
  flags: ExportFlags
  planned: PlannedExport
  register: ExportRegister
  engine: Engine
  record: ExportRecord
  /** What is said of a file, once it is known which. */
  toTell: (path: string) => Pick<ExportOptions, 'onRange' | 'onKept'>
}

export type Exported = {outcome: ExportOutcome; path: string}

/**
 * Reads into one file what the flags ask for, and records what was read and up to where; undefined when the last run of
 * its name went beyond that, and when the file would be that of `except`.
 */
export async function exportFile(one: OneExport, except?: string): Promise<Exported | undefined> {
  const {engine} = one
  const cron = startCron({...one, ...engine})
  try {
    const {ask, path} = cron
    if (path === except) return undefined
    if (ask.start > ask.end) return await engine.whileHeld?.(async () => undefined)
    return {outcome: await exportWith(one, cron).catch((error: unknown) => fail(error, cron)), path}
  } finally {
    cron.release()
  }
}

/** Replacing the file of the run before would lose it. */
function fail(error: unknown, {sinceLast}: Cron): never {
  if (!(error instanceof CliFailure) || error.code !== 'FILE_EXISTS' || !sinceLast) throw error
  const {message, code, exit} = error
  throw new CliFailure(message, {
    ...{code, exit, cause: error},
    hints: ['Give each run a file of its own, as with tx-{date}-{time}.csv, or add to the file with --append.'],
  })
}

async function exportWith(one: OneExport, cron: Cron) {
  const {flags, planned, register, engine, toTell} = one
  const {ask, path, sinceLast, known} = cron
  const {layout} = planned
  const {runExport} = await import('../../reports/export/export.js')
  return runExport({
    ...engine,
    ...toTell(path),
    ...{path, ask, layout},
    overwrite: flags.overwrite === true,
    fresh: flags.fresh === true,
    startOver: `vendorctl ${wordsAgain(one.record.command, flags, resolve(path)).startOver}`,
    append: flags.append === true,
    formerly: register.findFormerly(stateNameOf(path)),
    begunAs: register.findBegun(stateNameOf(path)),
    requireGrade: flags['require-grade'] ?? 'C',
    ...(known && {known}),
    keepsKeys: sinceLast !== undefined,
    onBegin: recordBegin(one, path),
    onWritten: recordWritten({
      ...engine,
      register,
      layout,
      ask,
      sinceLast,
      path,
      isAdded: flags.append === true && flags.fresh !== true,
    }),
  })
}

/**
 * The same, and when that only finished what an earlier run of the name had begun, the rest up to now: behind it, or
 * into a file of its own. A file that would be replaced by that is left to be taken first.
 */
export async function exportUpToNow(one: OneExport, onEarlier: (earlier: Exported) => void) {
  const first = await exportFile(one)
  if (first?.outcome.kind !== 'written' || !isBehind(one, first)) return first
  const second = await exportFile(one, one.flags.append === true ? undefined : first.path)
  if (second) onEarlier(first)
  return second ?? first
}

function isBehind({flags, planned}: OneExport, {outcome}: Exported): boolean {
  return flags['since-last'] !== undefined && outcome.manifest.range.asked[1] < planned.ask.end
}
