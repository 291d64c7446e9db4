import {existsSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import type {Lock} from '../../core/lock.js'
import {partName} from '../../formats/files/part-file.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import {stateNameOf} from '../export/export-identity.js'
import type {ExportAsk, ExportLayout, ExportOptions, ExportOutcome, KeysSince} from '../export/export-types.js'
import {finishIdOf, type Manifest} from '../export/manifest.js'
import {dropUnfinished} from '../export/output-lock.js'
import {identityOf} from '../export/sealed-file.js'
import type {ExportRegister, Finished} from '../register/export-register.js'
import type {NamedFacts} from '../register/named-marks.js'
import type {FoundFile} from '../register/shared-files.js'
import type {SharedMarks} from '../register/shared-marks.js'
import type {SharedFinish, Turn} from '../register/shared-turn.js'
import {type SinceLast, toWatermark} from '../register/since-last.js'
import {lockActivity} from '../register/start-activity.js'
import {marksOf, shareCovered} from '../register/take-turn.js'
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

/** Where an export begins and the file that it writes, which is that of an unfinished run of the same name. */
export type ExportTarget = {
  ask: ExportAsk
  path: string
  sinceLast: SinceLast | undefined
  /** Keys that were exported before; undefined when nothing was. */
  known: readonly string[] | undefined
  /** The right to write the name, where machines share it. */
  turn: Turn | undefined
  /** A file that another machine read completely, and that is recorded in the place of reading it. */
  found: FoundFile | undefined
  release: () => Promise<void>
}

/** Gives an export to this file its id when it begins, and finds it again when it is resumed; `end` unlocks it. */
export function registerBegin(
  {register, record, engine}: OneExport,
  file: string,
): {begin: (isNew: boolean) => void; end: () => void} {
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
    const facts = {command, file, path, ...commandsOf(path), profile, stage}
    const {id} = register.beginActivity({kind: 'export', name: stateNameOf(file), createdAt: now, isNew, facts})
    lock = lockActivity(dirname(folder), id)
    nameRun(id)
  }
  return {begin, end: () => lock?.remove()}
}

const noTime =
  'warning: The service does not send its time, so the next run reads all of this again, and leaves out what it knows.'

/** Registers a finished export: what it covered, and its watermark, in one transaction; first where machines share it. */
export function registerWritten(one: OneExport, target: ExportTarget): Pick<ExportOptions, 'onSealed' | 'onWritten'> {
  const {register, shared, engine} = one
  const {turn, sinceLast, path} = target
  return {
    ...(turn &&
      sinceLast && {
        onSealed: async (manifest, keysSince, text) => {
          const finished = toFinished(one, target, manifest, keysSince, 'written')
          const part = identityOf(partName(path))
          if (part !== undefined) register.keepPart(sinceLast, part)
          await turn.announce(toShared(finished, manifest, text))
        },
      }),
    async onWritten(manifest, keysSince, kind) {
      const finished = toFinished(one, target, manifest, keysSince, kind)
      if (sinceLast && manifest.startedAt === null) engine.onNotice(noTime)
      const moved = await turn?.record(toShared(finished, manifest))
      if (!turn) await shareCovered(shared, finished, engine.onNotice)
      register.finish({...finished, shared: moved})
    },
  }
}

/** Records a file that another machine read completely. */
export async function recordFound(
  {request, register, engine}: OneExport,
  {sinceLast, turn}: ExportTarget,
  {finish, path, manifest}: FoundFile,
): Promise<{outcome: ExportOutcome; path: string} | undefined> {
  if (!sinceLast || !turn) return undefined
  const {name, scope} = sinceLast
  const {watermark: value, coverage, covered, last} = finish
  const shared = await turn.record(finish)
  register.finish({
    ...{scope: coverage, covered, last, shared, at: engine.clock.now(), watermark: {name, scope, value}},
    delivery: {path, owner: sinceLast, manifest, isAsked: request.delivers},
  })
  dropUnfinished(engine.folder, path)
  return {outcome: {kind: 'written', manifest, wasSealed: true}, path}
}

function toFinished(
  {request, planned: {layout}, register, engine: {source, clock}}: OneExport,
  {ask, sinceLast, turn, path: file}: ExportTarget,
  manifest: Manifest,
  keysSince: KeysSince,
  kind: 'written' | 'skipped',
): Finished {
  const path = resolve(file)
  const isWritten = kind === 'written'
  const {rows, bytes, requests} = manifest
  const before = sinceLast && marksOf(register, turn).findWatermark(sinceLast)
  const value = sinceLast && toWatermark(sinceLast, manifest, keysSince, before)
  const [from, to] = manifest.range.asked
  return {
    scope: coverageScope(source, ask.report, ask.filters),
    covered: layout.where.length > 0 ? [] : toCovered(manifest, path),
    watermark: sinceLast && value && {name: sinceLast.name, scope: sinceLast.scope, value},
    last: {from, to, rows, file: isWritten ? path : null, at: clock.now()},
    run: {name: stateNameOf(path), rows, requests: requests.pages + requests.probes},
    ...(isWritten && {
      file: {path, bytes, isAdded: request.append && !request.fresh},
      delivery: {path, owner: sinceLast, manifest, isAsked: request.delivers},
    }),
    at: clock.now(),
  }
}

/** A finished export of a name as it is announced, with its file and the text of its manifest, and recorded. */
function toShared(finished: Finished, manifest: Manifest, text = ''): SharedFinish {
  const {watermark, last, scope, covered, file, delivery} = finished
  if (!watermark || !last) throw new TypeError('an export without a name has no mark')
  const {digest, bytes} = manifest
  return {
    ...{id: finishIdOf(manifest), watermark: watermark.value, last, coverage: scope, covered},
    ...(file && {file: {path: file.path, digest, bytes, manifest: text, delivers: delivery?.isAsked === true}}),
  }
}
