import {existsSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import type {Clock} from '../../core/clock.js'
import type {Lock} from '../../core/lock.js'
import {makeRunId} from '../../core/run-id.js'
import {partName} from '../../formats/files/part-file.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import {stateNameOf} from '../export/export-identity.js'
import type {
  ExportAsk,
  ExportLayout,
  ExportOptions,
  ExportOutcome,
  ExportSource,
  KeysSince,
} from '../export/export-types.js'
import type {Manifest} from '../export/manifest.js'
import {identityOf} from '../export/sealed-file.js'
import type {ExportRegister, Finished} from '../register/export-register.js'
import type {NamedFacts} from '../register/named-marks.js'
import {dropUnfinished} from '../register/reset-mark.js'
import type {FoundFile} from '../register/shared-files.js'
import type {SharedMarks} from '../register/shared-marks.js'
import type {Turn} from '../register/shared-turn.js'
import {type SinceLast, toWatermark} from '../register/since-last.js'
import {lockActivity} from '../register/start-activity.js'
import {announce, marksOf, record, shareCovered, toShared} from '../register/take-turn.js'
import {toCovered} from '../verify/days-read.js'
import {coverageScope} from './export-scopes.js'

/** An export as it is asked for, besides what is read and how it is laid out. */
export type ExportRequest = {
  /** The output file, with its placeholders. */
  file: string
  /** The end as it was typed. */
  end: string | undefined
  append: boolean
  fresh: boolean
  overwrite: boolean
  skipEmpty: boolean
  /** Whether the file waits for its delivery once it is complete. */
  delivers: boolean
  requireGrade: ExportOptions['requireGrade']
  /** A name of `--since-last`; `late`: milliseconds by which records may turn up late. */
  sinceLast: {name: string; late: number} | undefined
}

/** The report that is read, and its layout. */
export type PlannedExport = {layout: ExportLayout; ask: ExportAsk}

export type OneExport = {
  request: ExportRequest
  planned: PlannedExport
  register: ExportRegister
  /** Given where machines share their marks. */
  shared?: SharedMarks | undefined
  engine: Engine
  record: ExportEntry
  /** The messages about the export to one file. */
  reportOn: (path: string) => Pick<ExportOptions, 'onRange' | 'onKept'>
}

/** The options of an export but for what is read and where it goes. */
export type Engine = Omit<ExportOptions, 'ask' | 'layout' | 'path' | 'overwrite' | 'fresh' | 'requireGrade'>

/** What the list of runs and the count of requests record of an export. */
export type ExportEntry = {
  command: string
  /** Finished exports are forgotten after this many days. */
  keepDays: number
  nameRun: (id: string) => void
  /** The arguments of `vendorctl` that resume the export to a file, and that start it over, from any folder. */
  commandsOf: (path: string) => {resume: string; startOver: string}
  /** What a name of `--since-last` reads, as it is shown. */
  named: NamedFacts
}

/** Gives an export to this file its id when it begins, and finds it again when it is resumed; `end` unlocks it. */
export function registerBegin(one: OneExport, file: string): {begin: (isNew: boolean) => void; end: () => void} {
  const {register, record, engine} = one
  const {source, clock, folder} = engine
  const {command, keepDays, nameRun, commandsOf} = record
  const {profile, stage} = source
  const path = resolve(file)
  let lock: Lock | undefined
  const begin = (isNew: boolean) => {
    const now = clock.now()
    register.tidyActivities('export', now - keepDays * millisecondsPerDay, (name) =>
      existsSync(join(folder, `${name}.db`)),
    )
    const {id} = register.beginActivity({
      ...{kind: 'export', name: stateNameOf(file), createdAt: now, isNew},
      facts: {command, file, path, ...commandsOf(path), profile, stage},
      makeId: () => makeRunId(now),
    })
    lock = lockActivity(dirname(folder), id)
    nameRun(id)
  }
  return {begin, end: () => lock?.remove()}
}

type Recording = {
  register: ExportRegister
  /** Given where machines share their marks; `turn` for a named export. */
  shared: SharedMarks | undefined
  turn: Turn | undefined
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

/** Registers a finished export: what it covered, and its watermark, in one transaction; first where machines share it. */
export function registerWritten(recording: Recording): Pick<ExportOptions, 'onSealed' | 'onWritten'> {
  const {register, turn, shared, sinceLast, onNotice} = recording
  return {
    ...(turn &&
      sinceLast && {
        onSealed: async (manifest, keysSince, text) => {
          const finished = toFinished(recording, manifest, keysSince, 'written')
          const part = identityOf(partName(recording.path))
          if (part !== undefined) register.keepPart(sinceLast, part)
          await announce(sinceLast, turn, toShared(finished, manifest, text))
        },
      }),
    async onWritten(manifest, keysSince, kind) {
      const finished = toFinished(recording, manifest, keysSince, kind)
      if (sinceLast && manifest.startedAt === null) onNotice(noTime)
      const moved = turn && sinceLast && (await record(sinceLast, turn, toShared(finished, manifest)))
      if (!turn) await shareCovered(shared, finished, onNotice)
      register.finish({...finished, ...(moved && {shared: moved})})
    },
  }
}

/** Records a file that another machine read completely. */
export async function recordFound(
  {request, register, engine}: OneExport,
  {sinceLast, turn}: {sinceLast: SinceLast | undefined; turn: Turn | undefined},
  {finish, path, manifest}: FoundFile,
): Promise<{outcome: ExportOutcome; path: string} | undefined> {
  if (!sinceLast || !turn) return undefined
  const moved = await record(sinceLast, turn, finish)
  const at = engine.clock.now()
  register.finish({
    ...{scope: finish.coverage, covered: finish.covered, last: finish.last, at, shared: moved},
    watermark: {name: sinceLast.name, scope: sinceLast.scope, value: finish.watermark},
    delivery: {path, owner: sinceLast, manifest, isAsked: request.delivers},
  })
  dropUnfinished(engine.folder, path)
  return {outcome: {kind: 'written', manifest, wasSealed: true}, path}
}

function toFinished(
  {register, turn, source, layout, ask, sinceLast, path: file, isAdded, isToDeliver, clock}: Recording,
  manifest: Manifest,
  keysSince: KeysSince,
  kind: 'written' | 'skipped',
): Finished {
  const path = resolve(file)
  const isWritten = kind === 'written'
  const before = sinceLast && marksOf(register, turn).findWatermark(sinceLast.name, sinceLast.scope)
  const value = sinceLast && toWatermark(sinceLast, manifest, keysSince, before)
  const [from, to] = manifest.range.asked
  return {
    scope: coverageScope(source, ask.report, ask.filters),
    covered: layout.where.length > 0 ? [] : toCovered(manifest, path),
    watermark: sinceLast && value && {name: sinceLast.name, scope: sinceLast.scope, value},
    last: {from, to, rows: manifest.rows, file: isWritten ? path : null, at: clock.now()},
    run: {name: stateNameOf(path), rows: manifest.rows, requests: sum(manifest.requests)},
    ...(isWritten && {
      file: {path, bytes: manifest.bytes, isAdded},
      delivery: {path, owner: sinceLast, manifest, isAsked: isToDeliver},
    }),
    at: clock.now(),
  }
}

function sum({pages, probes}: Manifest['requests']): number {
  return pages + probes
}
