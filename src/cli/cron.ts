import {join} from 'node:path'
import type {Clock} from '../clock.js'
import {CliFailure} from '../errors.js'
import {identityDigest} from '../reports/export-identity.js'
import type {ExportAsk, ExportSource} from '../reports/export-types.js'
import {fillTemplate} from '../reports/path-template.js'
import {findBegin, type SinceLast} from '../reports/since-last.js'
import type {ExportRegister} from '../state/export-register.js'
import {type Lock, tryLock} from '../state/lock.js'
import {toDuration} from './duration.js'
import type {ExportFlags} from './export-flags.js'
import type {PlannedExport} from './export-plan.js'
import {watermarkScope} from './export-records.js'
import {type Heartbeat, startHeartbeat} from './heartbeat.js'

/** What an export that runs by itself needs beside the export. */
export type Cron = {
  ask: ExportAsk
  path: string
  sinceLast: SinceLast | undefined
  /** Keys that were exported before. */
  known: readonly string[]
  onPage: () => void
  onRows: (rows: number) => void
  end: (state: 'done' | 'incomplete' | 'failed', rows: number) => void
  release: () => void
}

export type CronOptions = {
  flags: ExportFlags
  planned: PlannedExport
  source: ExportSource
  register: ExportRegister
  folder: string
  clock: Clock
}

/** Finds where to begin, takes the lock of the name, starts clocks. Throws `locked` when the name is being read. */
export function startCron({flags, planned, source, register, folder, clock}: CronOptions): Cron {
  const sinceLast = toSinceLast(flags, planned, source)
  const lock = sinceLast && takeLock(folder, sinceLast)
  try {
    const begin = sinceLast && findBegin(register, sinceLast, planned.ask.start || undefined)
    const ask = begin ? {...planned.ask, start: begin.start, moving: movingOf(planned.ask, sinceLast)} : planned.ask
    const values = {now: clock.now(), start: ask.start, end: ask.end, name: sinceLast?.name}
    const path = fillTemplate(flags['output-file'] ?? '', values)
    const beat = flags['heartbeat-file'] === undefined ? undefined : startHeartbeat(flags['heartbeat-file'], clock)
    const onPage = toDeadline(flags, clock)
    return {ask, path, sinceLast, known: begin?.keys ?? [], onPage, ...toWatch(beat), release: () => lock?.release()}
  } catch (error) {
    lock?.release()
    throw error
  }
}

function toSinceLast(flags: ExportFlags, {layout, ask}: PlannedExport, source: ExportSource): SinceLast | undefined {
  const name = flags['since-last']
  if (name === undefined) return undefined
  const late = flags.late === undefined ? 0 : toDuration(flags.late, 'late')
  return {name, scope: watermarkScope(source, layout, ask), timeBasis: ask.timeBasis, late}
}

/** The same name is the same command, wherever it has come to. */
function movingOf({moving, end}: ExportAsk, sinceLast: SinceLast | undefined): ExportAsk['moving'] {
  return {start: `since last ${sinceLast?.name}`, end: moving.end ?? end}
}

function takeLock(folder: string, {name, scope}: SinceLast): Lock {
  const file = identityDigest({name, scope}).slice(0, 32)
  const lock = tryLock(join(folder, `since-${file}.lock`), `The lock of --since-last ${name}`)
  if (lock) return lock
  throw new CliFailure(`Another run is reading --since-last ${name}.`, {
    code: 'NAME_LOCKED',
    exit: 'locked',
    retry: 'safe',
    hints: ['Wait until it has ended, then give the same command again.'],
  })
}

function toDeadline(flags: ExportFlags, clock: Clock): () => void {
  const text = flags['max-duration']
  if (text === undefined) return () => undefined
  const end = clock.monotonic() + toDuration(text, 'max-duration')
  return () => {
    if (clock.monotonic() < end) return
    throw new CliFailure(`Stopped after ${text}.`, {
      code: 'MAX_DURATION',
      exit: 'limited',
      retry: 'safe',
      hints: ['Give the same command again; it goes on.'],
    })
  }
}

function toWatch(beat: Heartbeat | undefined): Pick<Cron, 'onRows' | 'end'> {
  return {onRows: (rows) => beat?.beat(rows), end: (state, rows) => beat?.end(state, rows)}
}
