import {existsSync, rmSync} from 'node:fs'
import {fieldsOfFilters} from '../../client/filter-check.js'
import {reportOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {removeDatabase} from '../../core/sqlite.js'
import {removeLeft} from '../../core/state-file.js'
import type {Column} from '../../formats/columns.js'
import {checkOutput, openPartFile, type PartFile, partName} from '../../formats/files/part-file.js'
import {valueAt} from '../../formats/record-path.js'
import {counted} from '../../values/counted.js'
import {toMilliseconds} from '../../values/date-time.js'
import {type JsonRecord, valueText} from '../../values/json.js'
import {isWidened, toServiceRange} from '../read/report-range.js'
import {createWindows, restoreWindows, type Windows, type WindowsLeft} from '../read/windows.js'
import {type Base, findBase, noManifestToAppend, openOnBase, toBase} from './append-base.js'
import {type Checkpoint, openCheckpoint} from './checkpoint.js'
import {findComplete} from './complete-file.js'
import {differences, type Identity, namesOf, toIdentity} from './export-identity.js'
import {createExportRenderer, createExportSink} from './export-sink.js'
import type {ExportAsk, ExportEngine, Exporting, ExportOrder, ExportOutcome, Notice} from './export-types.js'
import {finishExport, finishSealed} from './finish-export.js'
import type {Manifest} from './manifest.js'
import {checkpointPath, lockBeside, lockOutput} from './output-lock.js'
import {readAllWindows} from './read-windows.js'
import {createSeenKeys} from './seen-keys.js'

/**
 * Reads a report into a file, from where an earlier run of the same export stopped. Throws a `CliFailure` when it is
 * stopped; what was read is kept, and the same command resumes. `locked` while another run writes there. Time: linear
 * in bytes; memory: the pages in flight and the keys of windows that touch, a few bytes each.
 */
export async function* runExport(engine: ExportEngine, order: ExportOrder): Exporting {
  const {folder} = engine
  const {path} = order
  const lock = lockOutput(folder, path)
  const checkpoint = checkpointPath(folder, path)
  try {
    yield {kind: 'locked', path}
    const outcome = yield* exportAlone({...engine, ...order}, checkpoint)
    yield {kind: 'done', outcome}
    return outcome
  } finally {
    removeLeft(folder) // of a life that was killed right after its checkpoint had its name
    if (existsSync(checkpoint)) lock.release()
    else lock.remove()
  }
}

/** An export and how it is read. */
type Ordered = ExportEngine & ExportOrder

/** No other machine writes to the output file meanwhile. */
async function* exportAlone(ordered: Ordered, checkpoint: string): Exporting {
  const beside = ordered.into === 'file' ? lockBeside(ordered.path) : undefined
  try {
    return yield* exportLocked(ordered, checkpoint)
  } finally {
    beside?.remove()
  }
}

/** Runs an export that has the lock of its output file, and drops its checkpoint once it is complete. */
async function* exportLocked(ordered: Ordered, checkpoint: string): Exporting {
  const forget = () => removeDatabase(checkpoint)
  if (ordered.fresh) forget()
  const state = openOwnCheckpoint(checkpoint, ordered)
  let outcome: ExportOutcome
  try {
    outcome = yield* beginOrResume(ordered, state)
  } finally {
    const isEmpty = state.totals().segments === 0
    state.close()
    if (isEmpty) forget()
  }
  if (outcome.kind !== 'incomplete') forget()
  if (outcome.kind === 'skipped') rmSync(partName(ordered.path), {force: true}) // no checkpoint needs it any more
  return outcome
}

/** Opens the checkpoint. A damaged one is needed for resuming only, so the hint is to start over. */
function openOwnCheckpoint(path: string, {history}: ExportOrder): Checkpoint {
  try {
    return openCheckpoint(path)
  } catch (error) {
    if (!(error instanceof CliFailure) || error.code !== 'STATE_DAMAGED') throw error
    const {message, code, exit, hints} = error
    throw new CliFailure(message, {code, exit, cause: error, hints: [`Start over: ${history.startOver}`, ...hints]})
  }
}

async function* beginOrResume(ordered: Ordered, state: Checkpoint): Exporting {
  const identity = toIdentity(ordered)
  const stored = ordered.fresh ? undefined : state.facts()
  const other = stored ? differences(JSON.parse(stored.identity) as Identity, identity) : []
  const isSame = stored !== undefined && other.length === 0
  if (isSame && stored.manifest !== undefined) return yield* finishSealed(ordered, state, stored.manifest)
  const complete = ordered.fresh || isSame ? undefined : yield* findComplete(ordered, identity)
  if (complete) return complete
  if (isSame) return yield* resume(ordered, state)
  if (stored) yield* checkLeft(ordered, state, other)
  return yield* begin(ordered, state, identity)
}

/** Decisions of the first run of an export. */
type Frozen = Pick<ExportAsk, 'start' | 'end'> & {
  /** The conditions, where they move with the time. */
  where?: readonly string[]
  base?: Manifest
  /** Records in earlier files are not left out. */
  isFirst?: true
}

async function* begin(ordered: Ordered, state: Checkpoint, identity: Identity): Exporting {
  const {path, overwrite, append, ask, maximumDays, layout, before} = ordered
  const base = append ? await findBase(ordered) : undefined
  await checkOutput(path, overwrite || base !== undefined).catch((error: unknown) => {
    throw append && (error as {code?: string}).code === 'FILE_EXISTS' ? noManifestToAppend(path) : error
  })
  const {start, end} = toServiceRange(ask)
  const windows = createWindows(start, end, maximumDays)
  const range = {start: ask.start, end: ask.end, ...(ask.moving.where && {where: layout.where})}
  const frozen: Frozen = {...range, ...(base && {base}), ...(before.isFirst && {isFirst: true})}
  state.begin({identity: JSON.stringify(identity), frozen: JSON.stringify(frozen)}, JSON.stringify(windows.left))
  yield {kind: 'begun', isNew: true}
  yield {kind: 'range', timeBasis: ask.timeBasis, where: [], ...range}
  const isOnBase = base !== undefined && ordered.into === 'file'
  const file = isOnBase ? await openOnBase(ordered, state, base) : await openFile(ordered, state, base)
  return yield* readAndClose({ordered, state, windows, file, base: toBase(base)})
}

async function* resume(ordered: Ordered, state: Checkpoint): Exporting {
  const {path, before} = ordered
  yield {kind: 'begun', isNew: false}
  const facts = state.facts()
  const {base, isFirst = false, where, ...range} = JSON.parse(facts?.frozen ?? '{}') as Frozen
  const {rows, segments} = state.totals()
  const isOnBase = base !== undefined && segments === 0 && ordered.into === 'file'
  const file = isOnBase ? await openOnBase(ordered, state, base) : await openFile(ordered, state, base)
  yield {kind: 'range', timeBasis: ordered.ask.timeBasis, where: where ?? [], ...range}
  if (segments > 0) yield {kind: 'notice', text: `Resuming ${path}: ${counted(rows, 'row')} there already.`}
  const windows = restoreWindows(JSON.parse(facts?.windows ?? '') as WindowsLeft)
  const begun: Ordered = {
    ...ordered,
    layout: {...ordered.layout, ...(where && {where})},
    ask: {...ordered.ask, ...range},
    before: isFirst ? {isFirst, keys: []} : before,
  }
  return yield* readAndClose({ordered: begun, state, windows, file, base: toBase(base)})
}

async function openFile(ordered: Ordered, state: Checkpoint, base: Manifest | undefined): Promise<PartFile> {
  const {path, overwrite, into} = ordered
  if (into !== 'file') return into
  return openPartFile(path, {overwrite: overwrite || base !== undefined, committed: state.committed()})
}

/** An export that was begun or resumed; its range and conditions do not move any more. */
type Begun = {ordered: Ordered; state: Checkpoint; windows: Windows; file: PartFile; base: Base}

/** Where nothing was committed there is nothing to resume: then not even an empty file stays. */
async function* readAndClose(begun: Begun): Exporting {
  const {state, file} = begun
  try {
    return yield* readInto(begun)
  } finally {
    await (state.totals().segments === 0 ? file.discard() : file.close())
  }
}

async function* readInto({ordered, state, windows, file, base}: Begun): Exporting {
  const {layout, ask, path} = ordered
  const facts = state.facts()
  const columns = facts?.columns === undefined ? undefined : (JSON.parse(facts.columns) as Column[])
  const look = fieldsOfFilters(reportOperation(ask.report), {...ask.filters, StartDate: '', EndDate: ''})
  const lost = new Map(facts?.lost === undefined ? [] : (JSON.parse(facts.lost) as [string, number][]))
  const renderer = await createExportRenderer(layout, look, {rows: state.totals().rows, columns, lost})
  const counts = state.counts()
  const {probes: before} = counts
  const seen = createSeenKeys()
  const sink = createExportSink({
    ...{renderer, file, state, seen, gzip: layout.gzip, isAsked: toCondition(ask)},
    counts: () => ({...counts}),
  })
  try {
    const reading = {options: ordered, state, sink, seen, windows, counts, split: renderer.scan}
    if (!state.hasEnd()) yield* readAllWindows(reading) // behind its end no row may follow
    const outcome = yield* finishExport({ordered, state, sink, file, lost, base, columns: renderer.columns})
    return {...outcome, probes: counts.probes - before}
  } catch (error) {
    await sink.settle().catch(() => undefined)
    const {segments, rows} = state.totals()
    if (segments > 0) yield {kind: 'kept', path, rows}
    throw error
  } finally {
    await sink.settle().catch(() => undefined)
  }
}

/** Records of a widened range are checked one by one; one without a time is kept. */
function toCondition(ask: ExportAsk): (seen: JsonRecord) => boolean {
  if (!isWidened(ask)) return () => true
  const path = reportOperation(ask.report).range.on.split('.')
  const [from, to] = [toMilliseconds(ask.start) ?? 0, toMilliseconds(ask.end) ?? 0]
  return (seen) => {
    const moment = toMilliseconds(valueText(valueAt(seen, path) ?? ''))
    return moment === undefined || (moment >= from && moment <= to)
  }
}

/** Rows that took hours to read are dropped only on request, unless this version could not resume them. */
function* checkLeft({path, history}: ExportOrder, state: Checkpoint, other: string[]): Generator<Notice, void, void> {
  const {rows, segments} = state.totals()
  if (segments === 0 || !existsSync(partName(path))) return
  const left = `${partName(path)} has ${counted(rows, 'row')} of an unfinished export with another ${namesOf(other)}`
  if (other.every((part) => part === 'serializer')) {
    yield {kind: 'notice', text: `warning: ${left}; this one starts over.`}
    return
  }
  const hints = [history.resume, `Or begin this one, without those rows: ${history.startOver}`]
  throw new CliFailure(`${left}.`, {code: 'OTHER_EXPORT', hints})
}
