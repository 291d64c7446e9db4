import {createHash} from 'node:crypto'
import {stat} from 'node:fs/promises'
import {dateClockOf} from '../../contract/index.js'
import {flagText} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, entryOf} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {digestOf} from '../export/complete-file.js'
import {findManifest, type Manifest, manifestName} from '../export/manifest.js'
import {countRows} from './count-rows.js'

/** Reads the manifest beside a file, whichever of the two is named. Throws a `CliFailure` (invalid) without one. */
async function readManifestOf(named: string): Promise<{path: string; manifest: Manifest}> {
  const path = named.replace(/\.manifest\.json$/, '')
  const manifest = await findManifest(path)
  if (manifest) return {path, manifest}
  throw new CliFailure(await describeAbsence(path), {
    code: 'NO_MANIFEST',
    hints: [
      'A manifest comes with an export to csv, tsv, json or ndjson without --sort, --limit and --no-split: vendorctl reports transactions --start … --output-file …',
    ],
  })
}

async function describeAbsence(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return `${path} is a folder; name an exported file, or its manifest.`
  if (!found) return `There is no file ${path}, and no manifest ${manifestName(path)}.`
  const [, format] = /\.(xlsx|parquet|sqlite3?|db)$/i.exec(path) ?? []
  if (format === undefined) return `There is no manifest beside ${path}: ${manifestName(path)}`
  return `${path} has no manifest: exports in this format cannot be verified.`
}

/** Checks length, checksum and rows of a file against its manifest: the checksum proves the file, not the manifest. */
export async function verifyFile(named: string): Promise<{path: string; manifest: Manifest; errors: ErrorEntry[]}> {
  const {path, manifest} = await readManifestOf(named)
  const size = (await stat(path).catch(() => undefined))?.size
  const wrong = (what: string) => {
    const message = `${path} ${what}`
    return {path, manifest, errors: [entryOf('FILE_CHANGED', message, {file: path, hint: adviceToRead(manifest)})]}
  }
  if (size === undefined) return wrong('does not exist')
  if (size !== manifest.bytes)
    return wrong(`has ${counted(size, 'byte')}, but its manifest lists ${counted(manifest.bytes, 'byte')}`)
  const {digest, rows} = await readOnce(path, manifest)
  if (digest !== manifest.digest) return wrong('was changed: its checksum does not match its manifest')
  if (rows instanceof CliFailure) throw rows
  if (rows === manifest.rows) return {path, manifest, errors: []}
  return wrong(
    `has ${counted(rows, 'row')}, but its manifest lists ${counted(manifest.rows, 'row')}: the manifest was changed`,
  )
}

/** The name of `--since-last` by which a file was read. */
export function sinceNameOf({range: {askedAs}}: Pick<Manifest, 'range'>): string | undefined {
  return /^since last (.+)$/s.exec(askedAs?.[0] ?? '')?.[1]
}

/** How to read again what is in a file: the mark of a name is past it, so the same command would read what is newer. */
export function adviceToRead(manifest: Pick<Manifest, 'range' | 'report' | 'timeBasis'>): string {
  const name = sinceNameOf(manifest)
  if (name === undefined) return 'Export it again with --fresh --overwrite.'
  const [start, end] = manifest.range.asked
  const basis = manifest.timeBasis === dateClockOf(manifest.report) ? {} : {'time-basis': manifest.timeBasis}
  const flags = Object.entries({start, end, ...basis}).map(([flag, value]) => flagText(flag, value))
  return `Export its range into another file, with ${flags.join(' ')} instead of ${flagText('since-last', name)}, which reads what is newer.`
}

/** The checksum and the rows of a file; or why they cannot be counted, which a changed file explains. */
async function readOnce(
  path: string,
  manifest: Manifest,
): Promise<{digest: string | undefined; rows: number | CliFailure}> {
  const hash = createHash('sha256')
  let bytes = 0
  const rows = await countRows(path, manifest, (stretch) => {
    hash.update(stretch)
    bytes += stretch.length
  }).catch((error: unknown) => {
    if (error instanceof CliFailure) return error
    throw error
  })
  return {digest: bytes === manifest.bytes ? `sha256:${hash.digest('hex')}` : await digestOf(path), rows}
}
