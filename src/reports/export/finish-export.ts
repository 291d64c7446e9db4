import {lstat, unlink} from 'node:fs/promises'
import {basename} from 'node:path'
import {exitCodeOf} from '../../contract/index.js'
import {CliFailure, type ErrorEntry, entryOf} from '../../core/errors.js'
import type {Column} from '../../formats/columns.js'
import {type Committed, openPartFile, type PartFile, partName} from '../../formats/files/part-file.js'
import {counted} from '../../values/counted.js'
import {toDateTime} from '../../values/date-time.js'
import {isWidened} from '../read/report-range.js'
import {addBase, type Base, withoutBase} from './append-base.js'
import type {Checkpoint, StoredWindow} from './checkpoint.js'
import {digestOf} from './complete-file.js'
import {type Identity, identityDigest, serializerVersion} from './export-identity.js'
import type {ExportSink} from './export-sink.js'
import type {ExportLayout, ExportOptions, ExportOutcome, KeysSince} from './export-types.js'
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

type Finish = {
  options: ExportOptions
  state: Checkpoint
  sink: ExportSink
  file: PartFile
  lost: ReadonlyMap<string, number>
  columns: readonly Column[] | undefined
  /** The content of the file before this export. */
  base: Base | undefined
}

/** Gives a complete file its name and its manifest. */
export async function finishExport(finish: Finish): Promise<ExportOutcome> {
  const {options, state, sink, file, lost, base} = finish
  const windows = state.windows().map(({facts}) => JSON.parse(facts) as WindowFacts)
  const grade = worst(windows.filter((window) => window.state !== 'again').map(gradeOf))
  const build = () => (base ? addBase(buildManifest({...finish, grade}), base) : buildManifest({...finish, grade}))
  const errors = [...describeLost(lost, options), ...describeGrade(grade, windows, options)]
  const isKept = lost.size > 0 || isWorse(grade, options.requireGrade)
  if (isKept) return {kind: 'incomplete', manifest: build(), errors}
  if (options.skipEmpty && state.totals().rows === (base?.rows ?? 0)) {
    const manifest = build()
    await options.onWritten?.(withoutBase(manifest, base), keysSince(state), 'skipped')
    return {kind: 'skipped', manifest, errors}
  }
  if (state.lastSegment()?.page !== 0) await sink.end(state.windows().length)
  await sink.settle()
  const manifest = build()
  state.seal(printManifest(manifest))
  await options.onSealed?.(withoutBase(manifest, base), keysSince(state), printManifest(manifest))
  await file.publish()
  await writeManifest(options.path, printManifest(manifest))
  await options.onWritten?.(withoutBase(manifest, base), keysSince(state), 'written')
  return {kind: 'written', manifest, errors}
}

/** An earlier run had read all of the file: at most its names are missing. */
export async function finishSealed(options: ExportOptions, state: Checkpoint, text: string): Promise<ExportOutcome> {
  const {path, overwrite, append = false} = options
  const manifest = parseManifest(text, manifestName(path))
  const {base} = JSON.parse(state.facts()?.frozen ?? '{}') as {base?: Base}
  await options.onSealed?.(withoutBase(manifest, base), keysSince(state), text)
  const [part, named] = [await idOf(partName(path)), await idOf(path)]
  let digest = await digestOf(path)
  if (part !== undefined && part === named) await unlink(partName(path))
  else if (part !== undefined && digest !== manifest.digest) {
    const file = await openPartFile(path, {overwrite: overwrite || append, committed: committedOf(state)})
    await file.publish().finally(() => file.close())
    digest = await digestOf(path)
  }

  if (digest === undefined && options.keepsKeys) options.onNotice(describeMoved(path))
  else if (digest !== manifest.digest) throw isGone(options)
  else await writeManifest(path, text)
  await options.onWritten?.(withoutBase(manifest, base), keysSince(state), 'written')
  return {kind: 'written', manifest, wasSealed: true}
}

/** What `NAME.part` must hold by the checkpoint: its length, and the digest of all bytes. */
export function committedOf(state: Checkpoint): Committed {
  const {bytes} = state.totals()
  const last = state.lastSegment()
  return last ? {bytes, digest: last.sha256} : {bytes}
}

/** Windows that reach beyond a moment may hold records of it; a record too many does no harm. */
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

function isGone({path, startOver = '--fresh'}: ExportOptions): CliFailure {
  return new CliFailure(`${path} was written, but has been removed or changed since.`, {
    code: 'OUTPUT_CHANGED',
    hints: [`Start over, with --overwrite too: ${startOver}`],
  })
}

function describeLost(lost: ReadonlyMap<string, number>, {startOver = '--fresh'}: ExportOptions): ErrorEntry[] {
  if (lost.size === 0) return []
  const fields = [...lost].map(([name, count]) => `${name} (${counted(count, 'value')})`).join(', ')
  const message = `the service sent fields after the header was written that have no column: ${fields}`
  const hint = `Use -o ndjson, which keeps every field, or name them with --columns and start over: ${startOver}`
  return [entryOf('FIELDS_NOT_SHOWN', message, {exit: exitCodeOf('incomplete').code, hint})]
}

function describeGrade(
  grade: Manifest['grade'],
  windows: readonly WindowFacts[],
  options: ExportOptions,
): ErrorEntry[] {
  if (grade === 'D') {
    const [first] = windows.filter(({state}) => state === 'drifted')
    const range = `${first?.served.start} … ${first?.served.end}`
    const message = `the data changed while it was read (${range}: ${first?.drift.at(-1)}); records may be missing`
    const hint = 'Run the same command again: it reads these windows again.'
    return [entryOf('DRIFT', message, {retry: 'safe', hint})]
  }

  if (!isWorse(grade, options.requireGrade)) return []
  const message = `the export proved grade ${grade}, and --require-grade asks for ${options.requireGrade}`
  const hint = grade === 'C' ? toProve(options) : 'Ask for a lower grade.'
  return [entryOf('GRADE', message, {retry: 'safe', hint})]
}

/** What was read without a check stays unproven: resuming checks nothing that was read. */
function toProve({probes, startOver = '--fresh'}: ExportOptions): string {
  if (!probes) return 'Leave --no-boundary-checks out and add --fresh, or ask for grade C.'
  return `What was read without checking its boundaries stays unproven. Ask for grade C, or start over: ${startOver}`
}

type Facts = {
  options: ExportOptions
  state: Checkpoint
  file: PartFile
  columns: readonly Column[] | undefined
  grade: Grade
}

/** The manifest of an export, from its checkpoint. */
function buildManifest({options, state, file, columns, grade}: Facts): Manifest {
  const {source, layout, ask, tool, path} = options
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
      served: servedRange(options, facts),
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
    finishedAt: toDateTime(options.clock.now()),
    serializer: serializerVersion,
  }
}

function toDialect({format, dialect = 'rfc4180', delimiter}: ExportLayout): Manifest['dialect'] {
  if (format !== 'csv' && format !== 'tsv') return null
  return {name: dialect, delimiter: delimiter ?? null, escapesFormulas: dialect === 'excel'}
}

/** Windows of a widened range were wider than what was asked. */
function servedRange({ask}: ExportOptions, facts: readonly WindowFacts[]): [string, string] {
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
