import {CliFailure} from '../errors.js'
import {type Column, chooseColumns, toColumn, toPath} from '../formats/columns.js'
import {openPartFile, type PartFile} from '../formats/part-file.js'
import type {ExportState} from '../state/export-state.js'
import {describeLayout, type Identity} from './export-identity.js'
import type {ExportLayout, ExportOptions} from './export-types.js'
import {findManifest, type Manifest} from './manifest.js'

/** What an export adds to: a file that was exported before, and what its manifest says of it. */
export type Base = Manifest

/**
 * The file that an export is to add to; undefined when there is none yet. Throws `usage` when rows of this layout
 * cannot be added to it.
 */
export async function findBase({path, layout}: Pick<ExportOptions, 'path' | 'layout'>): Promise<Base | undefined> {
  if (layout.format === 'json') throw cannotAppend(path, 'a JSON list has an end; ndjson can be added to')
  const manifest = await findManifest(path)
  if (!manifest) return undefined
  const now = describeLayout(layout)
  const differs = (['format', 'gzip', 'rows', 'dialect', 'delimiter'] as const).filter(
    (name) => JSON.stringify(now[name]) !== JSON.stringify(layoutOf(manifest)[name]),
  )
  if (differs.length > 0) throw cannotAppend(path, `it was written with another ${differs.join(', ')}`)
  return manifest
}

function layoutOf({format, gzip, rowsAre, dialect}: Manifest): Identity {
  return {format, gzip, rows: rowsAre, dialect: dialect?.name ?? null, delimiter: dialect?.delimiter ?? null}
}

/** Opens `NAME.part` as a copy of the file, and commits it as what the export begins with. */
export async function openOnBase(options: ExportOptions, state: ExportState, base: Base): Promise<PartFile> {
  const {path, layout} = options
  const sha256 = base.digest.replace('sha256:', '')
  const file = await openPartFile(path, {
    overwrite: true,
    copy: true,
    committed: {bytes: base.bytes, last: {byteOffset: 0, sha256}},
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

/** The columns of the header that stands in the file. */
function toColumns(layout: ExportLayout, {columns}: Base): readonly Column[] | undefined {
  if (layout.format === 'ndjson') return undefined
  const known = new Map(layout.columns.map((column) => [column.name, column]))
  if (columns) return columns.map((name) => known.get(name) ?? toColumn(toPath(name), 'unknown'))
  return layout.chosen ? chooseColumns(layout.columns, layout.chosen) : layout.columns
}

/** One manifest for all that is in the file. */
export function addBase(manifest: Manifest, base: Base): Manifest {
  const {range, windows, pages, drift, requests} = manifest
  const earliest = (one: string, other: string) => (one < other ? one : other)
  return {
    ...manifest,
    range: {
      asked: [earliest(base.range.asked[0], range.asked[0]), range.asked[1]],
      served: [earliest(base.range.served[0], range.served[0]), range.served[1]],
      askedAs: range.askedAs,
    },
    windows: [...base.windows, ...windows],
    pages: base.pages + pages,
    drift: [...base.drift, ...drift],
    requests: {pages: base.requests.pages + requests.pages, probes: base.requests.probes + requests.probes},
    grade: [base.grade, manifest.grade].sort().at(-1) ?? manifest.grade,
  }
}

function cannotAppend(path: string, why: string): CliFailure {
  return new CliFailure(`--append: ${path} cannot be added to: ${why}`, {
    code: 'APPEND',
    exit: 'usage',
    hints: ['Write to another file.'],
  })
}

/** A file that nothing vouches for is not added to. */
export function noManifestToAppend(path: string): CliFailure {
  return cannotAppend(path, 'there is no manifest beside it that says what it holds')
}
