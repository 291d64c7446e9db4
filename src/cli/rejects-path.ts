import {stat} from 'node:fs/promises'
import {basename, dirname, extname, join} from 'node:path'
import {CliFailure} from '../errors.js'
import {readRows} from '../formats/read-rows.js'
import {isRecord} from '../values/json.js'

/** Names of the columns that a rejects file has behind those of its input. */
export const rejectNames = ['_line', '_code', '_message'] as const

/** `sites.rejects.csv` beside `sites.csv`; of standard input `stdin.rejects.csv` in the working folder. */
export function defaultRejectsPath(file: string, isTable: boolean): string {
  const ending = `.rejects.${isTable ? 'csv' : 'ndjson'}`
  if (file === '-') return `stdin${ending}`
  return join(dirname(file), `${basename(file, extname(file))}${ending}`)
}

/** Whether a file is there that is no rejects file of an earlier run and must not be replaced unasked. */
export async function isForeign(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (!found || found.size === 0) return false
  return !(await hasRejectNames(path).catch(() => false))
}

async function hasRejectNames(path: string): Promise<boolean> {
  const {header, rows} = await readRows(path)
  try {
    if (header) return rejectNames.every((name, place) => header.cells.at(place - rejectNames.length) === name)
    const first = (await rows.next()).value?.[0]
    const value = first?.kind === 'value' ? first.value : null
    return isRecord(value) && rejectNames.every((name) => Object.hasOwn(value, name))
  } finally {
    await rows.return()
  }
}

export function foreignFile(path: string): CliFailure {
  return new CliFailure(`${path} exists already and is no rejects file, so it is not replaced.`, {
    code: 'FILE_EXISTS',
    exit: 'usage',
    hints: ['Name another file with --rejects.'],
  })
}
