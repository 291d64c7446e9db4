import {readFile} from 'node:fs/promises'
import {isReportId, type ReportId, transactionReport} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {openAtomicFile} from '../../formats/files/atomic-file.js'
import {errorCodeOf} from '../../formats/files/file-failure.js'
import type {DialectName} from '../../formats/names.js'
import {toDialect} from '../../formats/write/dialect.js'
import {findRecord, type JsonRecord, printJson} from '../../values/json.js'
import type {ServiceSource} from '../../values/service.js'
import type {TimeBasis} from '../read/report-range.js'

export const manifestSchema = 'vendorctl-manifest/1'

/** Meaning of a row: a line item, a batch, or a record of a report that has no lines. */
export type RowKind = 'lines' | 'batches' | 'records'

/** One window as it was read. */
export type ManifestWindow = {
  asked: [string, string]
  served: [string, string]
  pages: number
  rows: number
  batches: number
  /** Boundaries between pages that were proven, of those there were; files of every version have the name. */
  seams: {proven: number; of: number}
  /** Null when the window was read again in narrower windows, which follow. */
  grade: Grade | null
}

/** The description beside an exported file. */
export type Manifest = ServiceSource & {
  schema: typeof manifestSchema
  file: string
  tool: string
  /** Digest of what was asked, equal for the same export only. */
  command: string
  /** Manifests of earlier versions have none, and are of the first report. */
  report: ReportId
  format: string
  gzip: boolean
  rowsAre: RowKind
  dialect: {name: string; delimiter: string | null; escapesFormulas: boolean} | null
  /** Columns in their order; null when every field is written as it came. */
  columns: string[] | null
  /** Names of `--columns`; null for all columns. */
  chosen: string[] | null
  filters: JsonRecord
  where: string[]
  timeBasis: TimeBasis
  range: {
    asked: [string, string]
    served: [string, string]
    askedAs: [string, string]
    /** The request of each run, where rows were appended. */
    parts?: [string, string][]
  }
  windows: ManifestWindow[]
  pages: number
  rows: number
  /** Records of the report; files of every version have the name. */
  batches: number
  bytes: number
  digest: string
  grade: Grade
  /** Changes while it was read, which was then repeated; empty when there were none. */
  drift: string[]
  requests: {pages: number; probes: number}
  /** By the clock of the service, UTC. */
  startedAt: string | null
  finishedAt: string | null
  serializer: number
}

export function manifestName(path: string): string {
  return `${path}.manifest.json`
}

/** The separator of cells in the file; undefined for json, and where the manifest does not record it. */
export function delimiterOf({format, dialect}: Pick<Manifest, 'format' | 'dialect'>): string | undefined {
  if (!dialect || (format !== 'csv' && format !== 'tsv')) return undefined
  return toDialect(format, dialect.name as DialectName, dialect.delimiter ?? undefined).delimiter
}

export function printManifest(manifest: Manifest): string {
  return `${printJson(manifest as unknown as JsonRecord, 2)}\n`
}

/** Tells one finished run of a name from all others, however often it is recorded. */
export function finishIdOf({startedAt, finishedAt, range, digest}: Manifest): string {
  return [startedAt, finishedAt, ...range.asked, digest].join(' ')
}

/** Writes the manifest: synced, renamed, the folder synced. From then on the export is done. */
export async function writeManifest(path: string, text: string): Promise<void> {
  const file = await openAtomicFile(manifestName(path), {overwrite: true})
  await file.write(text)
  await file.commit()
}

/** The manifest beside a file; undefined when there is none. Throws a `CliFailure` (invalid) when it is no manifest. */
export async function findManifest(path: string): Promise<Manifest | undefined> {
  const name = manifestName(path)
  const text = await readFile(name, 'utf8').catch((error: unknown) => {
    if (errorCodeOf(error) === 'ENOENT' || errorCodeOf(error) === 'ENOTDIR') return undefined
    throw noManifest(name, `cannot be read (${errorCodeOf(error)})`)
  })
  return text === undefined ? undefined : parseManifest(text, name)
}

export function parseManifest(text: string, name: string): Manifest {
  const record = findRecord(text)
  if (!record) throw noManifest(name, 'is not JSON')
  if (record['schema'] !== manifestSchema) throw noManifest(name, `is not of the schema ${manifestSchema}`)
  const plain = {...JSON.parse(printJson(record)), filters: record['filters']} // whose ids may have more digits
  const manifest: Partial<Manifest> = {report: transactionReport, ...plain}
  if (!isReportId(String(manifest.report))) throw noManifest(name, 'is of a report that this version does not know')
  if (!isComplete(manifest)) throw noManifest(name, 'is not complete')
  return manifest
}

/** Whether all members that later code relies on are there. */
function isComplete(manifest: Partial<Manifest>): manifest is Manifest {
  const {digest, file, format, rows, bytes, range, windows, grade} = manifest
  const texts = [digest, file, format, grade, range?.asked?.[0], range?.asked?.[1]]
  return (
    texts.every((value) => typeof value === 'string') &&
    [rows, bytes].every((value) => typeof value === 'number') &&
    Array.isArray(windows)
  )
}

function noManifest(name: string, why: string): CliFailure {
  return new CliFailure(`${name} ${why}.`, {
    code: 'MANIFEST',
    hints: ['Export its range into another file, without --since-last; a manifest is written beside it.'],
  })
}

/** Strength of the proof of an export that nothing is missing. */
export type Grade = 'A' | 'B' | 'C' | 'D'

const grades: readonly Grade[] = ['A', 'B', 'C', 'D']

export function worst(found: readonly Grade[]): Grade {
  return grades[Math.max(0, ...found.map((grade) => grades.indexOf(grade)))] ?? 'A'
}

export function isWorse(grade: Grade, than: Grade): boolean {
  return grades.indexOf(grade) > grades.indexOf(than)
}
