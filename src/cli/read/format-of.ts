import {CliFailure, usage} from '../../core/errors.js'
import {
  formatTable,
  isFileFormat,
  isPictureFormat,
  type OutputFormat,
  outputFormats,
  type PictureFormat,
  type RecordFormat,
} from '../../formats/outputs/format-table.js'
import {suggest} from '../../values/suggest.js'
import {pictureHint} from '../app/usage-error.js'

/** Extensions of formats that are not written, with the nearest one that is; misspelled ones are found by likeness. */
const meantEnding: Record<string, string> = {xls: 'xlsx', xlsm: 'xlsx', pq: 'parquet', parq: 'parquet'}

type Named = {output?: OutputFormat | undefined; 'output-file'?: string | undefined}

/** The format of records that is in force. Throws `usage` for a picture, and as `askedFormat`. */
export function formatOf(named: Named, path: string | undefined): RecordFormat {
  const format = askedFormat(named, path)
  if (isPictureFormat(format)) throw usage(`This command writes no ${format}.`, pictureHint)
  return format
}

/**
 * The format in force: the flag, else by the ending of the file, else by whether a terminal shows it. Throws `usage`
 * for an ending that is nearly a known one: the file would have another format than its name promises.
 */
export function askedFormat({output}: Named, path: string | undefined): OutputFormat {
  if (output) return output
  const known = formatOfEnding(path)
  if (known) return known
  if (path !== undefined) refuseSlip(path)
  return isOnTerminal(path) ? 'table' : 'ndjson'
}

function formatOfEnding(path: string | undefined): OutputFormat | undefined {
  const ending = path?.split('.').at(-1)?.toLowerCase() ?? ''
  return outputFormats.find((format) => endingsOf(format).includes(ending))
}

function endingsOf(format: OutputFormat): readonly string[] {
  return formatTable[format].extensions
}

function refuseSlip(path: string): void {
  const ending = /\.([^./\\]{2,})$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const near = outputFormats.flatMap(endingsOf).filter((one) => one.length > 2 && ending.length > 2)
  const meant = meantEnding[ending] ?? suggest(ending, near)
  if (meant === undefined) return
  throw usage(
    `No format is called .${ending}: ${path}.`,
    `Did you mean .${meant}?`,
    'Or name the format with -o, such as -o ndjson.',
  )
}

/** The warning about a file whose name promises another format than `-o` asks for. */
export function describeContradiction({output, 'output-file': path = ''}: Named): string | undefined {
  const promised = formatOfEnding(path.replace(/\.gz$/i, ''))
  if (output === undefined || promised === undefined || promised === output) return undefined
  return `${path} will be ${output}, as -o asks, although its name says ${promised}`
}

/** The format of a file whose name does not show it, for people. */
export function unnamedFormat(named: Named, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const format = askedFormat(named, path.replace(/\.gz$/i, ''))
  return namesFormat(path, format) ? undefined : format
}

/** Whether the name of a file, compressed or not, shows its format. */
export function namesFormat(path: string, format: string): boolean {
  return formatOfEnding(path.replace(/\.gz$/i, '')) === format
}

/** Sentence for a table without rows; undefined for other formats, whose output shows it. */
export function describeNone(
  named: Named,
  path: string | undefined,
  {resource, isNarrowed}: {resource: string; isNarrowed: boolean},
): string | undefined {
  if (path !== undefined || formatOf(named, path) !== 'table') return undefined
  const noun = resource.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `No ${noun}s ${isNarrowed ? 'match' : 'yet'}.`
}

export function isOnTerminal(path: string | undefined): boolean {
  return path === undefined && process.stdout.isTTY === true
}

/** Throws a `CliFailure` (usage) where a terminal would show the source of a picture. */
export function refuseTerminal(picture: PictureFormat, path: string | undefined): void {
  if (!isOnTerminal(path)) return
  throw new CliFailure(`${picture} is written to a file or a pipe, not to a terminal`, {
    code: 'NEEDS_FILE',
    hints: [`Add --output-file NAME.${picture}`],
  })
}

/** Throws a `CliFailure` (usage) for a format that is no text and has no file to go to. */
export function checkHasFile({output}: {output?: OutputFormat | undefined}, path: string | undefined): void {
  if (output === undefined || path !== undefined || !isFileFormat(output)) return
  throw new CliFailure(`${output} is written to a file only, never to standard output`, {
    code: 'NEEDS_FILE',
    hints: [`Add --output-file NAME.${endingsOf(output)[0]}`],
  })
}
