import {createHash} from 'node:crypto'
import {Readable} from 'node:stream'
import {createGunzip} from 'node:zlib'
import type {DialectName} from '../../formats/names.js'
import {inputFailure} from '../../formats/read/input-failure.js'
import {type RowFile, readRows} from '../../formats/read/read-rows.js'
import type {InputFormat, Row} from '../../formats/read/row.js'
import {isRecord, printJson} from '../../values/json.js'
import {recordKey} from '../../values/record-key.js'
import {delimiterOf, type Manifest} from '../export/manifest.js'

/** A short digest of all rows of each record, by the id of the record as text. */
export type RecordDigests = ReadonlyMap<string, string>

const digestLength = 16

/**
 * The records of an exported file, one digest each: rows with the same id, one after the other, are one record. Throws
 * a `CliFailure` (invalid) at a file without the column id, or that cannot be read.
 */
export async function readDigests(path: string, manifest: Manifest): Promise<RecordDigests> {
  const {format, gzip, dialect, columns} = manifest
  const file = await readRows(path, {
    format: format as InputFormat,
    delimiter: delimiterOf(manifest),
    dialect: dialect?.name as DialectName | undefined,
    blankIsNull: true,
    ...(gzip && {through: unpack}),
  }).catch((error: unknown) => {
    if ((error as {code?: string}).code === 'EMPTY_FILE') return undefined
    throw error
  })
  const digests = new Map<string, string>()
  if (!file) return digests
  const read = createReader(file, columns)
  try {
    for await (const stretch of file.rows) for (const row of stretch) add(digests, read(row))
  } catch (error) {
    if ((error as {code?: string}).code !== 'EMPTY_FILE') throw error
  }

  return digests
}

type OneRow = {id: string; text: string}

function add(digests: Map<string, string>, {id, text}: OneRow): void {
  const before = digests.get(id) ?? ''
  digests.set(id, createHash('sha256').update(`${before} ${text}`).digest('base64').slice(0, digestLength))
}

function createReader({header, name}: RowFile, columns: readonly string[] | null): (row: Row) => OneRow {
  const wanted = columns ?? header?.cells ?? []
  const places = wanted.map((column) => header?.cells.indexOf(column) ?? -1)
  const idPlace = header?.cells.findIndex((cell) => cell.toLowerCase() === 'id') ?? -1
  if (header && idPlace < 0) throw noIds(name)
  return (row) => {
    if (row.kind === 'broken') throw inputFailure('BROKEN_ROW', row.why, {file: name, line: row.line})
    if (row.kind === 'cells') {
      const {cells, quoted = []} = row
      return {id: cells[idPlace] ?? '', text: printJson(places.map((place) => cellOf(cells, quoted, place)))}
    }
    if (!isRecord(row.value)) throw inputFailure('BROKEN_ROW', 'no record', {file: name, line: row.line})
    return {id: recordKey(row.value).replace(/^\w+ /, ''), text: printJson(row.value)}
  }
}

/** An empty text and no value are two things. */
function cellOf(cells: readonly string[], quoted: readonly number[], place: number): string | null {
  const cell = cells[place]
  return cell === undefined || (cell === '' && !quoted.includes(place)) ? null : cell
}

function noIds(file: string) {
  return inputFailure('MISSING_COLUMN', 'it has no column id, so its records cannot be told apart', {file}, [
    'Export it with the column id.',
  ])
}

/** The bytes of a compressed export: one member after the other. */
async function* unpack(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unpacked = createGunzip()
  const packed = Readable.from(bytes)
  packed.on('error', (error) => unpacked.destroy(error))
  yield* packed.pipe(unpacked) as AsyncIterable<Buffer>
}
