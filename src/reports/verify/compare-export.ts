import {mkdtempSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {allFieldsOf, readOperation, transactionReport} from '../../contract/index.js'
import type {ErrorEntry} from '../../core/errors.js'
import {makePrivateFolder} from '../../core/private-folder.js'
import {stateFailure} from '../../core/state-failure.js'
import {columnsOf, toColumn, toPath} from '../../formats/columns.js'
import {lineColumns, lineNamesOf} from '../../formats/lines.js'
import type {DialectName} from '../../formats/names.js'
import type {PageFormat} from '../../formats/scan/page-renderer.js'
import {toDateTime, toMilliseconds} from '../../values/date-time.js'
import {rangesOf} from '../export/append-base.js'
import {runExport} from '../export/export.js'
import type {ExportAsk, ExportLayout, ExportOptions} from '../export/export-types.js'
import type {Manifest} from '../export/manifest.js'
import {readDigests} from './record-digests.js'

/** A record that is not as it was exported. */
export type Change = {id: string; change: 'added' | 'changed' | 'removed'}

export type Comparison = {
  changes: Change[]
  compared: number
  ranges: [string, string][]
  /** Why the comparison itself is not to be trusted: the data changed while it was read. */
  errors: ErrorEntry[]
}

/** Parts into which a range is cut to read some of them. */
const slices = 100

export type CompareOptions = {
  /** What is the same for every export but what is read and where it goes. */
  engine: Omit<ExportOptions, 'ask' | 'layout' | 'path' | 'overwrite' | 'fresh' | 'requireGrade'>
  /** Share of the range that is read, 0 to 1; removed records are found only by 1. */
  share: number
  random: () => number
}

/**
 * Reads what a file was exported from once more and compares record by record. Both are rendered in the same way, so
 * that only differences of the service count.
 */
export async function compareExport(
  path: string,
  manifest: Manifest,
  {engine, share, random}: CompareOptions,
): Promise<Comparison> {
  const folder = makeFolder(engine.folder)
  const ranges = pickRanges(manifest, share, random)
  try {
    const known = await readDigests(path, manifest)
    const changes: Change[] = []
    const errors: ErrorEntry[] = []
    const found = new Set<string>()
    for (const [index, range] of ranges.entries()) {
      const fresh = join(folder, String(index))
      const ask = toAsk(manifest, range)
      const outcome = await runExport({
        ...engine,
        folder,
        ask,
        layout: toLayout(manifest),
        path: fresh,
        overwrite: true,
        fresh: true,
        requireGrade: 'D',
      })
      errors.push(...(outcome.errors ?? []))
      for (const [id, digest] of await readDigests(fresh, manifest)) {
        if (found.has(id)) continue
        found.add(id)
        const before = known.get(id)
        if (before !== digest) changes.push({id, change: before === undefined ? 'added' : 'changed'})
      }
    }

    if (share >= 1) for (const id of known.keys()) if (!found.has(id)) changes.push({id, change: 'removed'})
    return {changes, compared: found.size, ranges, errors}
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

function pickRanges(manifest: Manifest, share: number, random: () => number): [string, string][] {
  const read = rangesOf(manifest)
  if (share >= 1) return read
  const all = read.flatMap(cutRange).map((range) => ({range, key: random()}))
  const picked = all.sort((one, other) => one.key - other.key).slice(0, Math.max(1, Math.round(all.length * share)))
  return picked.map(({range}) => range).sort()
}

/** Makes an empty folder for the comparison. Throws `storage`. */
function makeFolder(parent: string): string {
  try {
    makePrivateFolder(parent)
    return mkdtempSync(join(parent, 'compare-'))
  } catch (error) {
    throw stateFailure(error, 'The folder of exports', parent)
  }
}

function cutRange([start, end]: [string, string]): [string, string][] {
  const [from, to] = [toMilliseconds(start) ?? 0, toMilliseconds(end) ?? 0]
  const boundaryOf = (slice: number) =>
    toDateTime(slice === slices ? to : from + Math.floor(((to - from) * slice) / slices))
  return Array.from({length: slices}, (_, slice) => [boundaryOf(slice), boundaryOf(slice + 1)])
}

function toAsk({filters, timeBasis}: Manifest, [start, end]: [string, string]): ExportAsk {
  return {filters: filters as ExportAsk['filters'], start, end, moving: {}, timeBasis}
}

function toLayout({format, gzip, rowsAre, where, dialect, chosen, columns}: Manifest): ExportLayout {
  const fields = allFieldsOf(readOperation(transactionReport).resource)
  const lines = rowsAre === 'lines' ? lineNamesOf(fields) : undefined
  const ofContract = lines ? lineColumns(fields, lines) : columnsOf(fields)
  const known = new Set(ofContract.map(({name}) => name))
  const others = (columns ?? []).filter((name) => !known.has(name)).map((name) => toColumn(toPath(name), 'unknown'))
  return {
    format: format as PageFormat,
    gzip,
    rows: rowsAre,
    columns: [...ofContract, ...others],
    where,
    ...(lines && {lines}),
    ...((columns ?? chosen) && {chosen: columns ?? chosen ?? []}),
    ...(dialect && {dialect: dialect.name as DialectName}),
    ...(dialect?.delimiter != null && {delimiter: dialect.delimiter}),
  }
}
