import {lstat, unlink} from 'node:fs/promises'
import {basename} from 'node:path'
import {exitCodeOf} from '../../contract/index.js'
import {CliFailure, type ErrorEntry, entryOf} from '../../core/errors.js'
import type {Column} from '../../formats/columns.js'
import {openPartFile, type PartFile, partName} from '../../formats/files/part-file.js'
import {counted} from '../../values/counted.js'
import {toDateTime} from '../../values/date-time.js'
import {isWidened} from '../read/report-range.js'
import {type Base, toBase} from './append-base.js'
import type {Checkpoint, StoredWindow} from './checkpoint.js'
import {digestOf} from './complete-file.js'
import {type Identity, identityDigest, serializerVersion} from './export-identity.js'
import type {ExportSink} from './export-sink.js'
import type {
  ExportAsk,
  ExportEngine,
  Exporting,
  ExportLayout,
  ExportOrder,
  FileEvent,
  KeysSince,
} from './export-types.js'
import {
  type Grade,
  isWorse,
  type Manifest,
  type ManifestWindow,
  manifestName,
  manifestSchema,
  parseManifest,
  printManifest,
  worst,
  writeManifest,
} from './manifest.js'
import {gradeOf, type WindowFacts} from './window-facts.js'

/** An export of which all windows are read. */
type Read = {
  ordered: ExportEngine & ExportOrder
  state: Checkpoint
  sink: ExportSink
  file: PartFile
  lost: ReadonlyMap<string, number>
  columns: readonly Column[] | undefined
  base: Base
}

/** Gives a complete file its name and its manifest. */
export async function* finishExport(read: Read): Exporting {
  const {ordered, state, sink, file, lost, base} = read
  const {path, requireGrade, skipEmpty} = ordered
  const windows = state.windows().map(({facts}) => JSON.parse(facts) as WindowFacts)
  const grade = worst(windows.filter((window) => window.state !== 'again').map(gradeOf))
  const build = () => base.add(buildManifest({...read, grade}))
  const errors = [...describeLost(lost, ordered), ...describeGrade(grade, windows, read)]
  const added = state.totals().rows - base.rows
  const end = {added, errors, probes: 0, wasSealed: false}
  const isKept = lost.size > 0 || isWorse(grade, requireGrade)
  if (isKept) return {kind: 'incomplete', manifest: build(), ...end}
  if (skipEmpty && added === 0) {
    const manifest = build()
    yield* tellWritten(ordered, {manifest: base.without(manifest), keysSince: keysSince(state), isFile: false})
    return {kind: 'skipped', manifest, ...end}
  }
  if (!state.hasEnd()) await sink.end(state.windows().length)
  await sink.settle()
  const manifest = build()
  const text = printManifest(manifest)
  state.seal(text)
  const written = {manifest: base.without(manifest), keysSince: keysSince(state)}
  yield {kind: 'sealed', ...written, text}
  await publish(file, state)
  await writeManifest(path, text)
  yield* tellWritten(ordered, {...written, isFile: true})
  return {kind: 'written', manifest, ...end}
}

const noTime =
  'warning: The service does not send its time, so the next run reads all of this again, and leaves out what it knows.'

async function* tellWritten(
  {isNamed}: ExportOrder,
  written: Omit<Extract<FileEvent, {kind: 'written'}>, 'kind'>,
): AsyncGenerator<FileEvent, void, void> {
  if (isNamed && written.manifest.startedAt === null) yield {kind: 'notice', text: noTime}
  yield {kind: 'written', ...written}
}

/** An earlier run had read all of the file: at most its names are missing. */
export async function* finishSealed(ordered: ExportOrder, state: Checkpoint, text: string): Exporting {
  const {path, overwrite, append, isNamed} = ordered
  const manifest = parseManifest(text, manifestName(path))
  const {base} = JSON.parse(state.facts()?.frozen ?? '{}') as {base?: Manifest}
  const {without, rows} = toBase(base)
  const written = {manifest: without(manifest), keysSince: keysSince(state)}
  yield {kind: 'sealed', ...written, text}
  const [part, named] = [await idOf(partName(path)), await idOf(path)]
  let digest = await digestOf(path)
  if (part !== undefined && part === named) await unlink(partName(path))
  else if (part !== undefined && digest !== manifest.digest) {
    const file = await openPartFile(path, {overwrite: overwrite || append, committed: state.committed()})
    await publish(file, state).finally(() => file.close())
    digest = await digestOf(path)
  }

  if (digest === undefined && isNamed) yield {kind: 'notice', text: describeMoved(path)}
  else if (digest !== manifest.digest)
    throw new CliFailure(`${ordered.path} was written, but has been removed or changed since.`, {
      code: 'OUTPUT_CHANGED',
      hints: [`Start over, with --overwrite too: ${ordered.history.startOver}`],
    })
  else await writeManifest(path, text)
  yield* tellWritten(ordered, {...written, isFile: true})
  return {kind: 'written', manifest, added: manifest.rows - rows, errors: [], probes: 0, wasSealed: true}
}

/** Gives NAME.part its name; one that is gone was never named, and is not complete any more. */
async function publish(file: PartFile, state: Checkpoint): Promise<void> {
  await file.publish().catch((error: unknown) => {
    if (error instanceof CliFailure && error.code === 'FILE_TAKEN') state.unseal()
    throw error
  })
}

/** Windows that reach beyond a moment may have records of it; a record too many does no harm. */
function keysSince(state: Checkpoint): KeysSince {
  return (moment) =>
    state
      .windows()
      .filter(({to}) => to >= moment)
      .flatMap(({partition}) => state.keysOf(partition))
}

async function idOf(path: string): Promise<string | undefined> {
  return lstat(path).then(
    ({dev, ino}) => `${dev} ${ino}`,
    () => undefined,
  )
}

/** Readers of the files of a named export may move them; NAME.part is removed only after the file has its name. */
function describeMoved(path: string): string {
  return `warning: ${path} was written by an earlier run and has been moved since; it is not written again.`
}

function describeLost(lost: ReadonlyMap<string, number>, {history}: ExportOrder): ErrorEntry[] {
  if (lost.size === 0) return []
  const fields = [...lost].map(([name, count]) => `${name} (${counted(count, 'value')})`).join(', ')
  const message = `the service sent fields after the header was written that have no column: ${fields}`
  const hint = `Use -o ndjson, which keeps every field, or name them with --columns and start over: ${history.startOver}`
  return [entryOf('FIELDS_NOT_SHOWN', message, {exit: exitCodeOf('incomplete').code, hint})]
}

function describeGrade(grade: Manifest['grade'], windows: readonly WindowFacts[], read: Read): ErrorEntry[] {
  if (grade === 'D') {
    const [first] = windows.filter(({state}) => state === 'drifted')
    const range = `${first?.served.start} … ${first?.served.end}`
    const message = `the data changed while it was read (${range}: ${first?.drift.at(-1)}); records may be missing`
    const hint = 'Run the same command again: it reads these windows again.'
    return [entryOf('DRIFT', message, {retry: 'safe', hint})]
  }

  const {requireGrade} = read.ordered
  if (!isWorse(grade, requireGrade)) return []
  const message = `the export proved grade ${grade}, and --require-grade asks for ${requireGrade}`
  const hint = grade === 'C' ? toProve(read) : lowerGrade
  return [entryOf('GRADE', message, {retry: 'safe', hint})]
}

/** Pages read without a check stay unproven: resuming does not check them again. */
function toProve({ordered: {requireGrade, history}, state}: Read): string {
  const {startOver} = history
  if (state.counts().probes === 0)
    return `What was read without checking its boundaries stays unproven. Ask for grade C, or start over: ${startOver.replace(' --no-boundary-checks', '')}`
  if (requireGrade === 'A') return lowerGrade
  const narrow = startOver.replace('--require-grade B', '--require-grade A')
  return `Not every boundary between pages could be proven. Ask for grade C, or read windows of one page each: ${narrow}`
}

const lowerGrade = 'Ask for a lower grade.'

/** The manifest of an export, from its checkpoint. */
function buildManifest({ordered, state, file, columns, grade}: Read & {grade: Grade}): Manifest {
  const {source, layout, ask, tool, path, clock} = ordered
  const {bytes, rows, records} = state.totals()
  const windows = state.windows()
  const facts = windows.map((window) => JSON.parse(window.facts) as WindowFacts)
  const stored = state.facts()
  return {
    schema: manifestSchema,
    file: basename(path),
    tool,
    command: identityDigest(JSON.parse(stored?.identity ?? '{}') as Identity),
    report: ask.report,
    ...source,
    format: layout.format,
    gzip: layout.gzip,
    rowsAre: layout.rows,
    dialect: toDialect(layout),
    columns: columns?.map(({name}) => name) ?? null,
    chosen: layout.chosen ? [...layout.chosen] : null,
    filters: ask.filters as Manifest['filters'],
    where: [...layout.where],
    timeBasis: ask.timeBasis,
    range: {
      asked: [ask.start, ask.end],
      served: servedRange(ask, facts),
      askedAs: [ask.moving.start ?? ask.start, ask.moving.end ?? ask.end],
    },
    windows: windows.map(toWindow),
    pages: facts.reduce((sum, {pages}) => sum + pages, 0),
    rows,
    batches: records,
    bytes,
    digest: `sha256:${file.digest()}`,
    grade,
    drift: facts.flatMap(({drift}) => drift),
    requests: {pages: state.counts().requests, probes: state.counts().probes},
    startedAt: stored?.startedAt === undefined ? null : toDateTime(stored.startedAt),
    finishedAt: toDateTime(clock.now()),
    serializer: serializerVersion,
  }
}

function toDialect({format, dialect = 'rfc4180', delimiter}: ExportLayout): Manifest['dialect'] {
  if (format !== 'csv' && format !== 'tsv') return null
  return {name: dialect, delimiter: delimiter ?? null, escapesFormulas: dialect === 'excel'}
}

/** Windows of a widened range were wider than what was asked. */
function servedRange(ask: ExportAsk, facts: readonly WindowFacts[]): [string, string] {
  if (isWidened(ask) || facts.length === 0) return [ask.start, ask.end]
  const starts = facts.map(({served}) => served.start).sort()
  const ends = facts.map(({served}) => served.end).sort()
  return [starts[0] ?? ask.start, ends.at(-1) ?? ask.end]
}

function toWindow({from, to, facts: text}: StoredWindow): ManifestWindow {
  const facts = JSON.parse(text) as WindowFacts
  const {served, pages, rows, records, proven, unproven, waiting, state} = facts
  return {
    asked: [from, to],
    served: [served.start, served.end],
    pages,
    rows,
    batches: records,
    seams: {proven, of: proven + unproven + waiting.length},
    grade: state === 'again' ? null : gradeOf(facts),
  }
}
