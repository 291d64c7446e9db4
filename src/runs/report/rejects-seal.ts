import {createHash, hash} from 'node:crypto'
import {createReadStream, readFileSync, writeFileSync} from 'node:fs'
import {realpath, stat} from 'node:fs/promises'
import {basename, dirname, extname, join} from 'node:path'
import {makePrivateFolder} from '../../core/private-file.js'
import {toFixedPath} from '../check/input-source.js'

/** Tells a rejects file as this program wrote it from one that somebody changed since. */
export type Seals = ReturnType<typeof createSeals>

export function createSeals(stateFolder: string) {
  const folder = join(stateFolder, 'rejects')
  const sealOf = async (path: string) => join(folder, hash('sha256', await realpath(path)))

  return {
    /** Whether the file is as it was written; false for one of which nothing is known. */
    isIntact: (path: string) =>
      succeeds(async () => readFileSync(await sealOf(path), 'utf8') === (await digestOfFile(path))),
    /** Remembers the contents of a file. Without a writable state folder the file merely counts as changed. */
    async keep(path: string): Promise<void> {
      await succeeds(async () => {
        makePrivateFolder(folder)
        writeFileSync(await sealOf(path), await digestOfFile(path), {mode: 0o600})
        return true
      })
    },
  }
}

async function succeeds(question: () => Promise<boolean>): Promise<boolean> {
  return question().catch(() => false)
}

async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Names of the columns that a rejects file has behind those of its input. */
export const rejectNames = ['_line', '_code', '_message'] as const

/** Where the rejects go unless `--rejects` names a file, and which files were in the way and are kept. */
type FreePath = {path: string; kept: string[]}

/**
 * A path for the rejects of an input where no file is, an empty one, or rejects as they were written: `sites.rejects.csv` beside
 * `sites.csv`, `sites.rejects-2.csv` for the rejects of that file, or when somebody changed it; of standard input
 * `stdin.rejects.csv` in the working folder.
 */
export async function findFreePath(input: string, ending: string, seals: Seals): Promise<FreePath> {
  const {stem, first} = toStem(input)
  const kept: string[] = []
  for (let number = first; ; number++) {
    const path = `${stem}.rejects${number === 1 ? '' : `-${number}`}.${ending}`
    if (await isFree(path, seals)) return {path, kept}
    kept.push(path)
  }
}

const rejectsName = /^(.+)\.rejects(?:-(\d+))?$/

/** The name of an input without its ending and what a rejects file has behind it, and the next number. */
function toStem(input: string): {stem: string; first: number} {
  if (toFixedPath(input) === undefined) return {stem: 'stdin', first: 1}
  const name = basename(input, extname(input))
  const [, source, number = '1'] = rejectsName.exec(name) ?? []
  return {stem: join(dirname(input), source ?? name), first: source === undefined ? 1 : Number(number) + 1}
}

async function isFree(path: string, seals: Seals): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return !found || found.size === 0 || (await seals.isIntact(path))
}
