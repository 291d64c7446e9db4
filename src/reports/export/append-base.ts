import {existsSync, statSync} from 'node:fs'
import {reportOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {type Column, chooseColumns, toColumn, toPath} from '../../formats/columns.js'
import {openPartFile, type PartFile} from '../../formats/files/part-file.js'
import type {Checkpoint} from './checkpoint.js'
import {describeLayout, type Identity, namesOf, printFilters} from './export-identity.js'
import type {ExportAsk, ExportEngine, ExportLayout, ExportOrder} from './export-types.js'
import {findManifest, type Manifest} from './manifest.js'

/** Base of an export: nothing, or a file that was exported before. */
export type Base = {
  rows: number
  /** One manifest for all that is in the file. */
  add(manifest: Manifest): Manifest
  /** The manifest of what was added alone: its range, its windows and its requests. */
  without(manifest: Manifest): Manifest
}

export function toBase(base: Manifest | undefined): Base {
  if (!base) return {rows: 0, add: (manifest) => manifest, without: (manifest) => manifest}
  return {
    rows: base.rows,
    add: (manifest) => addBase(manifest, base),
    without: (manifest) => withoutBase(manifest, base),
  }
}

/**
 * The file that an export appends to; undefined when there is none yet. Throws `usage` when rows of this layout cannot
 * be added to it, or when it may have them already.
 */
export async function findBase(options: ToAppend): Promise<Manifest | undefined> {
  const {path, layout, ask} = options
  if (layout.format === 'json') throw cannotAppend(path, 'a JSON list has an end; ndjson can be added to')
  const isThere = existsSync(path)
  if (!isThere && options.fresh) return undefined
  const manifest = await findManifest(path)
  if (!isThere) checkNew(options, manifest)
  if (!manifest) return undefined
  if (manifest.report !== ask.report)
    throw cannotAppend(path, `it contains the ${reportOperation(manifest.report).report.name}`)
  const now = describeLayout(layout)
  const differs = (['format', 'gzip', 'rows', 'dialect', 'delimiter'] as const).filter(
    (name) => JSON.stringify(now[name]) !== JSON.stringify(layoutOf(manifest)[name]),
  )
  if (differs.length > 0) throw cannotAppend(path, `it was written with another ${namesOf(differs)}`)
  checkSource(manifest, options)
  if (options.before.isFirst) checkRange(manifest, options)
  return manifest
}

/** A new file under the old name would have the last nights only, and look complete; one without rows is no loss. */
function checkNew({path, history}: ToAppend, manifest: Manifest | undefined): void {
  const {rows, ended, movedBy, startOver} = history
  if (!manifest && rows === 0 && movedBy === undefined) return
  const gone =
    rows > 0 ? 'the file and its manifest are gone' : `it is not on this machine; ${movedBy} ran the name last`
  const why = manifest ? 'the file is gone, but its manifest is still there' : gone
  throw cannotAppend(path, `${why}${ended}`, [
    'Restore it, or start a new file with --fresh, which reads from --start if given.',
    `Start a new file: ${startOver}`,
  ])
}

type ToAppend = Pick<ExportEngine & ExportOrder, 'path' | 'layout' | 'ask' | 'source' | 'before' | 'fresh' | 'history'>

/** One manifest describes the complete file, so all of it comes from one service and the same filters. */
function checkSource(manifest: Manifest, {path, layout, ask, source}: ToAppend): void {
  const {baseUrl, stage, timeBasis, where} = manifest
  const differs = [
    ...(baseUrl === source.baseUrl && stage === source.stage ? [] : ['service']),
    ...(printFilters(manifest.filters as ExportAsk['filters']) === printFilters(ask.filters) ? [] : ['filter']),
    ...(JSON.stringify(where) === JSON.stringify(layout.where) ? [] : ['condition (--where)']),
    ...(timeBasis === ask.timeBasis ? [] : ['time basis']),
  ]
  if (differs.length > 0) throw cannotAppend(path, `it was read with another ${differs.join(', ')}`)
}

/** Records on a shared edge would be there twice. */
function checkRange({range}: Manifest, {path, ask}: ToAppend): void {
  const overlap = rangesOf({range}).find(([start, end]) => ask.start <= end && ask.end >= start)
  if (!overlap) return
  throw cannotAppend(path, `it already contains ${overlap.join(' … ')}`, [
    'Start after it, or let --since-last NAME find where to start.',
  ])
}

/** The ranges that a file was read from, oldest first; those that touch are one. */
export function rangesOf({range}: Pick<Manifest, 'range'>): [string, string][] {
  const joined: [string, string][] = []
  for (const [start, end] of [...(range.parts ?? [range.asked])].sort()) {
    const last = joined.at(-1)
    if (!last || start > last[1]) joined.push([start, end])
    else if (end > last[1]) last[1] = end
  }

  return joined
}

function layoutOf({format, gzip, rowsAre, dialect}: Manifest): Identity {
  return {format, gzip, rows: rowsAre, dialect: dialect?.name ?? null, delimiter: dialect?.delimiter ?? null}
}

/** Opens `NAME.part` as a copy of the file, and commits it as what the export begins with. */
export async function openOnBase(
  {path, layout}: Pick<ExportOrder, 'path' | 'layout'>,
  state: Checkpoint,
  base: Manifest,
): Promise<PartFile> {
  if (statSync(path, {throwIfNoEntry: false})?.size !== base.bytes) throw isChanged(path)
  const sha256 = base.digest.replace('sha256:', '')
  const file = await openPartFile(path, {
    overwrite: true,
    copy: true,
    committed: {bytes: base.bytes, digest: sha256},
  }).catch((error: unknown) => {
    throw (error as {code?: string}).code === 'PART_DAMAGED' ? isChanged(path) : error
  })
  const columns = toColumns(layout, base)
  state.commit(
    {
      ...{partition: 0, page: -1, size: 0, byteOffset: 0, bytes: base.bytes, sha256, keys: []},
      rows: base.rows,
      records: base.batches,
    },
    {requests: 0, probes: 0, ...(columns && {columns: JSON.stringify(columns)})},
  )
  return file
}

/** The columns of the header in the file. */
function toColumns(layout: ExportLayout, {columns}: Manifest): readonly Column[] | undefined {
  if (layout.format === 'ndjson') return undefined
  const known = new Map(layout.columns.map((column) => [column.name, column]))
  if (columns) return columns.map((name) => known.get(name) ?? toColumn(toPath(name), 'unknown'))
  return layout.chosen ? chooseColumns(layout.columns, layout.chosen) : layout.columns
}

function addBase(manifest: Manifest, base: Manifest): Manifest {
  const {range, windows, pages, drift, requests} = manifest
  return {
    ...manifest,
    range: {
      asked: hull(base.range.asked, range.asked),
      served: hull(base.range.served, range.served),
      askedAs: range.askedAs,
      parts: [...(base.range.parts ?? [base.range.asked]), range.asked],
    },
    windows: [...base.windows, ...windows],
    pages: base.pages + pages,
    drift: [...base.drift, ...drift],
    requests: {pages: base.requests.pages + requests.pages, probes: base.requests.probes + requests.probes},
    grade: [base.grade, manifest.grade].sort().at(-1) ?? manifest.grade,
  }
}

function hull(one: [string, string], other: [string, string]): [string, string] {
  return [one[0] < other[0] ? one[0] : other[0], one[1] > other[1] ? one[1] : other[1]]
}

function withoutBase(manifest: Manifest, base: Manifest): Manifest {
  const {range, windows, requests} = manifest
  const asked = range.parts?.at(-1) ?? range.asked
  return {
    ...manifest,
    range: {asked, served: asked, askedAs: range.askedAs},
    windows: windows.slice(base.windows.length),
    requests: {pages: requests.pages - base.requests.pages, probes: requests.probes - base.requests.probes},
  }
}

function cannotAppend(path: string, why: string, hints: readonly string[] = []): CliFailure {
  return new CliFailure(`--append: cannot append to ${path}: ${why}`, {
    code: 'APPEND',
    hints: [...hints, 'Write to another file.'],
  })
}

function isChanged(path: string): CliFailure {
  const hint = `See what is wrong with it: ${commandLine('reports verify', [path])}`
  return cannotAppend(path, 'it was changed and does not match its manifest', [hint])
}

/** A file without a manifest is not appended to. */
export function noManifestToAppend(path: string): CliFailure {
  return cannotAppend(path, 'there is no manifest beside it')
}
