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
import type {JsonRecord} from '../../values/json.js'
import {isWidened, toServiceRange} from '../read/report-range.js'
import {createWindows, restoreWindows, type Windows, type WindowsLeft} from '../read/windows.js'
import {type Base, findBase, noManifestToAppend, openOnBase} from './append-base.js'
import {type Checkpoint, openCheckpoint} from './checkpoint.js'
import {findComplete} from './complete-file.js'
import {differences, type Identity, namesOf, toIdentity} from './export-identity.js'
import {createExportRenderer, createExportSink} from './export-sink.js'
import type {ExportAsk, ExportOptions, ExportOutcome} from './export-types.js'
import {committedOf, finishExport, finishSealed} from './finish-export.js'
import {checkpointPath, lockBeside, lockOutput} from './output-lock.js'
import {readAllWindows} from './read-windows.js'
import {createSeenKeys} from './seen-keys.js'

/**
 * Reads a report into a file, from where an earlier run of the same export stopped. Throws a `CliFailure` when it is
 * stopped; what was read is kept, and the same command resumes. `locked` while another run writes there. Time: linear
 * in bytes; memory: the pages in flight and the keys of windows that touch, a few bytes each.
 */
export async function runExport(options: ExportOptions): Promise<ExportOutcome> {
  const {folder, path, whileLocked = (work) => work()} = options
  const lock = lockOutput(folder, path)
  const checkpoint = checkpointPath(folder, path)
  try {
    return await whileLocked(() => exportAlone(options, checkpoint))
  } finally {
    removeLeft(folder) // of a life that was killed right after its checkpoint had its name
    if (existsSync(checkpoint)) lock.release()
    else lock.remove()
  }
}

/** No other machine writes to the output file meanwhile. */
async function exportAlone(options: ExportOptions, checkpoint: string): Promise<ExportOutcome> {
  const beside = options.into ? undefined : lockBeside(options.path)
  try {
    return await exportLocked(options, checkpoint)
  } finally {
    beside?.remove()
  }
}

/** Runs an export that holds the lock of its output file, and drops its checkpoint once it is complete. */
async function exportLocked(options: ExportOptions, checkpoint: string): Promise<ExportOutcome> {
  const forget = () => removeDatabase(checkpoint)
  if (options.fresh) forget()
  const state = openOwnCheckpoint(checkpoint, options)
  const outcome = await beginOrResume(options, state).finally(() => {
    const isEmpty = state.totals().segments === 0
    state.close()
    if (isEmpty) forget()
  })
  if (outcome.kind !== 'incomplete') forget()
  if (outcome.kind === 'skipped') rmSync(partName(options.path), {force: true}) // no checkpoint needs it any more
  return outcome
}

/** Opens the checkpoint. A damaged one is needed for resuming only, so the hint is to start over. */
function openOwnCheckpoint(path: string, {startOver = '--fresh'}: ExportOptions): Checkpoint {
  try {
    return openCheckpoint(path)
  } catch (error) {
    if (!(error instanceof CliFailure) || error.code !== 'STATE_DAMAGED') throw error
    const {message, code, exit, hints} = error
    throw new CliFailure(message, {code, exit, cause: error, hints: [`Start over: ${startOver}`, ...hints]})
  }
}

async function beginOrResume(options: ExportOptions, state: Checkpoint): Promise<ExportOutcome> {
  const identity = toIdentity(options)
  const stored = options.fresh ? undefined : state.facts()
  const other = stored ? differences(JSON.parse(stored.identity) as Identity, identity) : []
  if (stored?.manifest !== undefined && other.length === 0) return finishSealed(options, state, stored.manifest)
  const complete = options.fresh || (stored && other.length === 0) ? undefined : await findComplete(options, identity)
  if (complete) return complete
  if (stored && other.length === 0) return resume(options, state)
  if (stored) checkLeft(options, state, other)
  return begin(options, state, identity)
}

async function begin(options: ExportOptions, state: Checkpoint, identity: Identity): Promise<ExportOutcome> {
  const {path, overwrite, append, ask, maximumDays, layout} = options
  const base = append ? await findBase(options) : undefined
  await checkOutput(path, overwrite || base !== undefined).catch((error: unknown) => {
    throw append && (error as {code?: string}).code === 'FILE_EXISTS' ? noManifestToAppend(path) : error
  })
  const {start, end} = toServiceRange(ask)
  const windows = createWindows(start, end, maximumDays)
  const edges = {start: ask.start, end: ask.end, ...(ask.moving.where && {where: layout.where})}
  const frozen: Frozen = {...edges, ...(base && {base}), ...(!options.known && {isFirst: true})}
  state.begin({identity: JSON.stringify(identity), frozen: JSON.stringify(frozen)}, JSON.stringify(windows.left))
  options.onBegin?.(true)
  options.onRange(frozen)
  return readAndClose(options, state, {windows, file: await openFile(options, state, base), base})
}

async function resume(options: ExportOptions, state: Checkpoint): Promise<ExportOutcome> {
  const {path} = options
  options.onBegin?.(false)
  const facts = state.facts()
  const {base, isFirst, where, ...range} = JSON.parse(facts?.frozen ?? '{}') as Frozen
  const {known, ...rest} = options
  const {rows, segments} = state.totals()
  const file = await openFile(options, state, base)
  options.onRange({...range, ...(where && {where})})
  if (segments > 0) options.onNotice(`Resuming ${path}: ${counted(rows, 'row')} there already.`)
  const windows = restoreWindows(JSON.parse(facts?.windows ?? '') as WindowsLeft)
  const layout = {...options.layout, ...(where && {where})}
  const begun = {...rest, layout, ...(known && !isFirst && {known}), ask: {...options.ask, ...range}}
  return readAndClose(begun, state, {windows, file, base})
}

/** What the first run of an export decided. */
type Frozen = Pick<ExportAsk, 'start' | 'end'> & {
  /** The conditions, where they move with the time. */
  where?: readonly string[]
  base?: Base
  /** Records that earlier files hold are not left out. */
  isFirst?: true
}

async function openFile(options: ExportOptions, state: Checkpoint, base: Base | undefined): Promise<PartFile> {
  const {path, overwrite, into} = options
  if (into) return into
  if (base && state.totals().segments === 0) return openOnBase(options, state, base)
  return openPartFile(path, {overwrite: overwrite || base !== undefined, committed: committedOf(state)})
}

type Opened = {windows: Windows; file: PartFile; base: Base | undefined}

/** Where nothing was committed there is nothing to resume: then not even an empty file stays. */
async function readAndClose(options: ExportOptions, state: Checkpoint, opened: Opened): Promise<ExportOutcome> {
  try {
    return await readInto(options, state, opened)
  } finally {
    await (state.totals().segments === 0 ? opened.file.discard() : opened.file.close())
  }
}

async function readInto(options: ExportOptions, state: Checkpoint, opened: Opened): Promise<ExportOutcome> {
  const {windows, file, base} = opened
  const {layout, ask} = options
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
    await readAllWindows({options, state, sink, seen, windows, counts, split: renderer.scan})
    const outcome = await finishExport({options, state, sink, file, lost, columns: renderer.columns, base})
    return {...outcome, probes: counts.probes - before}
  } catch (error) {
    await sink.settle().catch(() => undefined)
    const {segments, rows} = state.totals()
    if (segments > 0) options.onKept(rows)
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
    const moment = toMilliseconds(String(valueAt(seen, path) ?? ''))
    return moment === undefined || (moment >= from && moment <= to)
  }
}

/** Rows that took hours to read are dropped only on request, unless this version could not resume them. */
function checkLeft(
  {path, begunAs, startOver = '--fresh', onNotice}: ExportOptions,
  state: Checkpoint,
  other: string[],
) {
  const {rows, segments} = state.totals()
  if (segments === 0 || !existsSync(partName(path))) return
  const left = `${partName(path)} holds ${counted(rows, 'row')} of an unfinished export with another ${namesOf(other)}`
  if (other.every((part) => part === 'serializer')) return onNotice(`warning: ${left}; this one starts over.`)
  throw new CliFailure(`${left}.`, {
    code: 'OTHER_EXPORT',
    hints: [
      begunAs === undefined ? 'Resume it with the command that began it.' : `Resume it: ${begunAs}`,
      `Or begin this one, without those rows: ${startOver}`,
    ],
  })
}
