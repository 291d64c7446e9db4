import {stat} from 'node:fs/promises'
import {basename, dirname, extname, join} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {readRows} from '../../formats/read/read-rows.js'
import {isRecord} from '../../values/json.js'
import type {Seals} from './rejects-seal.js'

/** Names of the columns that a rejects file has behind those of its input. */
export const rejectNames = ['_line', '_code', '_message'] as const

/** `sites.rejects.csv` beside `sites.csv`; of standard input `stdin.rejects.csv` in the working folder. */
export function defaultRejectsPath(file: string, isTable: boolean): string {
  const ending = `.rejects.${isTable ? 'csv' : 'ndjson'}`
  if (file === '-') return `stdin${ending}`
  return join(dirname(file), `${basename(file, extname(file))}${ending}`)
}

/** Where the rejects go unless somebody says so, and which rejects files somebody changed and are kept. */
export type FreePath = {path: string; kept: string[]}

/**
 * A path for rejects that replaces nothing but rejects as they were written: `sites.rejects-2.csv` when somebody changed
 * `sites.rejects.csv`. Throws `usage` when the file there is not a rejects file.
 */
export async function findFreePath(path: string, seals: Seals): Promise<FreePath> {
  const kept: string[] = []
  for (let number = 1; ; number++) {
    const next = number === 1 ? path : addNumber(path, number)
    if (await isFree(next, seals)) return {path: next, kept}
    if (number === 1 && !(await isRejects(next))) throw foreignFile(next)
    kept.push(next)
  }
}

function addNumber(path: string, number: number): string {
  const ending = extname(path)
  return `${path.slice(0, path.length - ending.length)}-${number}${ending}`
}

async function isFree(path: string, seals: Seals): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (!found || found.size === 0) return true
  return (await isRejects(path)) && (await seals.isIntact(path))
}

async function isRejects(path: string): Promise<boolean> {
  return hasRejectNames(path).catch(() => false)
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

function foreignFile(path: string): CliFailure {
  return new CliFailure(`${path} exists and is not a rejects file, so it is not replaced.`, {
    code: 'FILE_EXISTS',
    exit: 'usage',
    hints: ['Name another file with --rejects.'],
  })
}
