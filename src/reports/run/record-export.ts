import {existsSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {type ReportId, reportOperation} from '../../contract/index.js'
import type {Lock} from '../../core/lock.js'
import {lockRun, runsFolder} from '../../core/run-id.js'
import {partName} from '../../formats/files/part-file.js'
import {counted} from '../../values/counted.js'
import {millisecondsPerDay, toDateTime} from '../../values/date-time.js'
import type {ServiceSource} from '../../values/service.js'
import {stateNameOf} from '../export/export-identity.js'
import type {
  ExportAsk,
  ExportEngine,
  ExportedBefore,
  ExportLayout,
  ExportOrder,
  ExportOutcome,
  FileEvent,
  FileHistory,
  KeysSince,
} from '../export/export-types.js'
import {finishIdOf, type Manifest} from '../export/manifest.js'
import {dropUnfinished} from '../export/output-lock.js'
import {identityOf} from '../export/sealed-file.js'
import type {ExportRegister, Finished} from '../register/export-register.js'
import type {NamedFacts} from '../register/named-marks.js'
import type {FoundFile} from '../register/shared-files.js'
import type {SharedMarks} from '../register/shared-marks.js'
import type {SharedFinish, Turn} from '../register/shared-turn.js'
import {type SinceLast, toWatermark} from '../register/since-last.js'
import {marksOf, shareCovered} from '../register/take-turn.js'
import {toCovered} from '../verify/days-read.js'
import {coverageScope} from './export-scopes.js'

/** The request of an export, without its records and layout. */
export type ExportRequest = Pick<ExportOrder, 'append' | 'fresh' | 'overwrite' | 'skipEmpty' | 'requireGrade'> & {
  /** The output file, with its placeholders. */
  file: string
  /** The end as it was typed. */
  end: string | undefined
  /** Ids of the filters that do not exist fail it before anything is read. */
  failOnMissing: boolean
  /** Whether the file waits for its delivery once it is complete. */
  delivers: boolean
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
  engine: ExportEngine
  /** Aborted when nothing new should begin. */
  signal: AbortSignal
  record: ExportEntry
}

/** Facts about an export for the list of runs and the count of requests. */
export type ExportEntry = {
  command: string
  /** Finished exports are forgotten after this many days. */
  keepDays: number
  nameRun: (id: string) => void
  /** The arguments of `vendorctl` that resume the export to a file, and that start it over, from any folder. */
  commandsOf: (path: string) => {resume: string; startOver: string}
  /** The request of a name of `--since-last`, for display. */
  named: NamedFacts
}

export type Exported = {outcome: ExportOutcome; path: string}

/** The start of an export and its file, which is that of an unfinished run of the same name. */
export type ExportTarget = {
  ask: ExportAsk
  path: string
  sinceLast: SinceLast | undefined
  before: ExportedBefore
  /** The right to write the name, where machines share it. */
  turn: Turn | undefined
  /** A file that another machine read completely, and that is recorded in the place of reading it. */
  found: FoundFile | undefined
  release: () => Promise<void>
}

/** Facts of this machine about earlier exports to a file. */
export function historyOf(
  {register, record}: OneExport,
  {path, turn}: Pick<ExportTarget, 'path' | 'turn'>,
): FileHistory {
  const name = stateNameOf(path)
  const formerly = register.findFormerly(name)
  const begun = register.findBegun(name)
  return {
    startOver: `vendorctl ${record.commandsOf(path).startOver}`,
    resume: begun === undefined ? 'Resume it with the command that began it.' : `Resume it: ${begun}`,
    rows: formerly?.rows ?? 0,
    ended: formerly
      ? `; the last export to it ended on ${toDateTime(formerly.at)}Z with ${counted(formerly.rows, 'row')}`
      : '',
    movedBy: turn?.movedBy,
  }
}

/**
 * Records an export to a file while it happens: its id when it begins, and at the end what it covered and its mark, in
 * one transaction; first where machines share it. `close` unlocks its id.
 */
export function createRecorder(one: OneExport, target: ExportTarget) {
  const {register, shared} = one
  const {turn, sinceLast, path} = target
  const notices: string[] = []
  let lock: Lock | undefined

  const record = async (event: FileEvent): Promise<void> => {
    switch (event.kind) {
      case 'begun':
        lock = recordBegin(one, path, event.isNew)
        break
      case 'sealed': {
        if (!turn || !sinceLast) break
        const finished = toFinished(one, target, event, true)
        const part = identityOf(partName(path))
        if (part !== undefined) register.keepPart(sinceLast, part)
        await turn.announce(toShared(finished, event.manifest, event.text))
        break
      }
      case 'written': {
        const finished = toFinished(one, target, event, event.isFile)
        const moved = await turn?.record(toShared(finished, event.manifest))
        if (!turn) await shareCovered(shared, finished, (text) => notices.push(text))
        register.finish({...finished, shared: moved})
      }
    }
  }
  return {
    async take(event: FileEvent): Promise<FileEvent[]> {
      await record(event)
      return [event, ...notices.splice(0).map((text) => ({kind: 'notice', text}) as const)]
    },
    close: () => lock?.remove(),
  }
}

/** Gives an export to this file its id, or finds that of the one that is resumed, and locks it. */
function recordBegin({register, record, engine}: OneExport, file: string, isNew: boolean): Lock {
  const {source, clock, folder} = engine
  const {command, keepDays, nameRun, commandsOf} = record
  const {profile, stage} = source
  const path = resolve(file)
  const now = clock.now()
  register.tidyActivities('export', now - keepDays * millisecondsPerDay, (name) =>
    existsSync(join(folder, `${name}.db`)),
  )
  const facts = {command, file, path, ...commandsOf(path), profile, stage}
  const {id} = register.beginActivity({kind: 'export', name: stateNameOf(file), createdAt: now, isNew, facts})
  const lock = lockRun(runsFolder(dirname(folder)), id)
  nameRun(id)
  return lock
}

/** Days that the service serves in one request: as learned, else by the contract. */
export function maximumDays(report: ReportId, source: ServiceSource, register: ExportRegister, now: number): number {
  const known = reportOperation(report).range.maximumDays
  const learned = register.findLongest(routeOf(report, source), now)
  return learned === undefined ? known : Math.min(known, learned / millisecondsPerDay)
}

/** Has later exports ask for no more than the service was seen to serve. */
export function keepLongest(
  report: ReportId,
  {source, clock}: ExportEngine,
  register: ExportRegister,
  longest: number,
): void {
  register.keepLongest(routeOf(report, source), longest, clock.now())
}

function routeOf(report: ReportId, {profile, baseUrl, stage}: ServiceSource): string {
  return JSON.stringify([profile, baseUrl, stage, report])
}

/** Records a file that another machine read completely. */
export async function recordFound(
  {request, register, engine}: OneExport,
  {sinceLast, turn}: ExportTarget,
  {finish, path, manifest}: FoundFile,
): Promise<Exported[]> {
  if (!sinceLast || !turn) return []
  const {name, scope} = sinceLast
  const {watermark: value, coverage, covered, last} = finish
  const shared = await turn.record(finish)
  register.finish({
    ...{scope: coverage, covered, last, shared, at: engine.clock.now(), watermark: {name, scope, value}},
    delivery: {path, owner: sinceLast, manifest, isAsked: request.delivers},
  })
  dropUnfinished(engine.folder, path)
  const {rows: added} = manifest
  return [{outcome: {kind: 'written', manifest, added, errors: [], probes: 0, wasSealed: true}, path}]
}

function toFinished(
  {request, planned: {layout}, register, engine: {source, clock}}: OneExport,
  {ask, sinceLast, turn, path: file}: ExportTarget,
  {manifest, keysSince}: {manifest: Manifest; keysSince: KeysSince},
  isWritten: boolean,
): Finished {
  const path = resolve(file)
  const {rows, bytes, requests} = manifest
  const before = sinceLast && marksOf(register, turn).findWatermark(sinceLast)
  const [from, to] = manifest.range.asked
  return {
    scope: coverageScope(source, ask.report, ask.filters),
    covered: layout.where.length > 0 ? [] : toCovered(manifest, path),
    watermark: sinceLast && {
      ...{name: sinceLast.name, scope: sinceLast.scope},
      value: toWatermark(sinceLast, manifest, keysSince, before),
    },
    last: {from, to, rows, file: isWritten ? path : null, at: clock.now()},
    run: {name: stateNameOf(path), rows, requests: requests.pages + requests.probes},
    ...(isWritten && {
      file: {path, bytes, isAdded: request.append && !request.fresh},
      delivery: {path, owner: sinceLast, manifest, isAsked: request.delivers},
    }),
    at: clock.now(),
  }
}

/** The announcement of a finished export of a name, with its file and the text of its manifest. */
function toShared(finished: Finished, manifest: Manifest, text = ''): SharedFinish {
  const {watermark, last, scope, covered, file, delivery} = finished
  if (!watermark || !last) throw new TypeError('an export without a name has no mark')
  const {digest, bytes} = manifest
  return {
    ...{id: finishIdOf(manifest), watermark: watermark.value, last, coverage: scope, covered},
    ...(file && {file: {path: file.path, digest, bytes, manifest: text, delivers: delivery?.isAsked === true}}),
  }
}
