import type {ExportOutcome} from '../../reports/export/export-types.js'
import {counted, thousands} from '../../values/counted.js'
import {namesFormat} from '../read/format-of.js'

/**
 * One line about a file. Requests are those of this run, which may have resumed the file of an earlier one. The format is
 * that of the manifest: the file of an earlier run may have another name than the flags give.
 */
export function describeOutcome(path: string, {kind, manifest, probes}: ExportOutcome, used: number): string {
  const {pages, grade, format} = manifest
  const rows = `${counted(manifest.rows, 'row')}${namesFormat(path, format) ? '' : ` as ${format}`}`
  if (kind === 'complete') return `${path} is already complete: ${rows}, grade ${grade}; nothing was read.`
  const checks = probes > 0 ? ` (${thousands(probes)} for page boundaries)` : ''
  if (kind === 'skipped') {
    const read = `${counted(pages, 'page')}, ${counted(used, 'request')}${checks}, grade ${grade}`
    return `No ${manifest.rows > 0 ? 'new rows' : 'rows'}, so ${path} was not written: ${read}`
  }
  const file = kind === 'incomplete' ? `${path}.part` : path
  return `${file}: ${rows}, ${counted(pages, 'page')}, ${counted(used, 'request')}${checks}, grade ${grade}`
}

/** Whether a file is compressed by gzip under a name that says otherwise. */
export function isMisnamed({gzip}: {gzip?: boolean | undefined}, file: string): boolean {
  return gzip === true && !/\.gz$/i.test(file)
}

export function describeCompressed(file: string): string {
  return `${file} is compressed, as --gzip asks, and its name does not say so; ${file}.gz would`
}
