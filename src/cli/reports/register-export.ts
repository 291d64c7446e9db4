import {existsSync} from 'node:fs'
import {join, resolve} from 'node:path'
import type {Clock} from '../../core/clock.js'
import {identityDigest, stateNameOf} from '../../reports/export/export-identity.js'
import type {ExportAsk, ExportLayout, ExportOptions, ExportSource} from '../../reports/export/export-types.js'
import type {Manifest} from '../../reports/export/manifest.js'
import type {ExportRegister} from '../../reports/register/export-register.js'
import {registerPath} from '../../reports/register/export-tables.js'
import {type SinceLast, toWatermark} from '../../reports/register/since-last.js'
import {toCovered} from '../../reports/verify/coverage.js'
import {makeRunId} from '../../runs/journal/run-folder.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import {printJson} from '../../values/json.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import {commandsOf} from './export-commands.js'
import type {ExportFlags} from './export-flags.js'
import type {PlannedExport} from './export-plan.js'

export type OneExport = {
  flags: ExportFlags
  planned: PlannedExport
  register: ExportRegister
  engine: Engine
  record: ExportEntry
  /** The messages about the export to one file. */
  reportOn: (path: string) => Pick<ExportOptions, 'onRange' | 'onKept'>
}

/** The options of an export but for what is read and where it goes. */
export type Engine = Omit<ExportOptions, 'ask' | 'layout' | 'path' | 'overwrite' | 'fresh' | 'requireGrade'>

export async function openRegister(environment: Environment): Promise<ExportRegister> {
  const {openExportRegister} = await import('../../reports/register/export-register.js')
  return openExportRegister(registerPath(stateFolder(environment)))
}

/** The scope of coverage: what can be seen with a key, and the filters. */
export function coverageScope({baseUrl, stage, keyFingerprint}: ExportSource, filters: ExportAsk['filters']): string {
  return identityDigest({baseUrl, stage, keyFingerprint, filters: JSON.parse(printJson(sortKeys(filters)))})
}

/** The scope of a watermark beside its name: other filters or columns have read nothing yet. */
export function watermarkScope(source: ExportSource, layout: ExportLayout, ask: ExportAsk): string {
  const {rows, chosen = null} = layout
  const {where = layout.where} = ask.moving
  const kind = {rows, chosen: chosen === null ? null : [...chosen], where: [...where], timeBasis: ask.timeBasis}
  return identityDigest({scope: coverageScope(source, ask.filters), ...kind})
}

function sortKeys(filters: ExportAsk['filters']): Record<string, never> {
  const entries = Object.entries(filters).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1))) as Record<string, never>
}

/** What the list of runs and the count of requests record of an export. */
export type ExportEntry = {
  command: string
  /** Finished exports are forgotten after this many days. */
  keepDays: number
  nameRun: (id: string) => void
}

/** Gives an export to this file its id when it begins, and finds it again when it is resumed. */
export function registerBegin({register, record, engine, flags}: OneExport, file: string): (isNew: boolean) => void {
  const {source, clock, folder} = engine
  const {command, keepDays, nameRun} = record
  const {profile, stage} = source
  const path = resolve(file)
  return (isNew) => {
    const now = clock.now()
    register.tidyRuns(now - keepDays * millisecondsPerDay, (name) => existsSync(join(folder, `${name}.db`)))
    const id = register.startRun({
      name: stateNameOf(file),
      facts: {command, file, path, ...commandsOf(command, flags, path), profile, stage},
      createdAt: now,
      isNew,
      makeId: () => makeRunId(now, Math.random),
    })
    nameRun(id)
  }
}

type Recording = {
  register: ExportRegister
  source: ExportSource
  layout: ExportLayout
  ask: ExportAsk
  sinceLast: SinceLast | undefined
  path: string
  /** Whether the file still holds what it held before. */
  isAdded: boolean
  /** Whether the file waits for its delivery from now on. */
  isToDeliver: boolean
  clock: Clock
  onNotice: (text: string) => void
}

const noTime =
  'warning: The service does not send its time, so the next run reads all of this again, and leaves out what it knows.'

/** Registers a finished export: what it covered, and its watermark, in one transaction. */
export function registerWritten(recording: Recording): NonNullable<ExportOptions['onWritten']> {
  const {register, source, layout, ask, sinceLast, path, isAdded, isToDeliver, clock, onNotice} = recording
  return (manifest, keysSince, kind) => {
    const isWritten = kind === 'written'
    const value = sinceLast && toWatermark(sinceLast, manifest, keysSince)
    const [from, to] = manifest.range.asked
    if (sinceLast && manifest.startedAt === null) onNotice(noTime)
    register.finish({
      scope: coverageScope(source, ask.filters),
      covered: layout.where.length > 0 ? [] : toCovered(manifest, resolve(path)),
      watermark: sinceLast && value && {name: sinceLast.name, scope: sinceLast.scope, value},
      last: {from, to, rows: manifest.rows, file: isWritten ? resolve(path) : null, at: clock.now()},
      run: {name: stateNameOf(path), rows: manifest.rows, requests: sum(manifest.requests)},
      ...(isWritten && {
        file: {path: resolve(path), bytes: manifest.bytes, isAdded},
        delivery: {path: resolve(path), owner: sinceLast, manifest, isAsked: isToDeliver},
      }),
      at: clock.now(),
    })
  }
}

function sum({pages, probes}: Manifest['requests']): number {
  return pages + probes
}
