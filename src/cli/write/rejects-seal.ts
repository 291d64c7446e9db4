import {createHash} from 'node:crypto'
import {createReadStream, readFileSync, writeFileSync} from 'node:fs'
import {realpath} from 'node:fs/promises'
import {join} from 'node:path'
import {makePrivateFolder} from '../../core/private-folder.js'

/** Tells a rejects file as this program wrote it from one that somebody changed since. */
export type Seals = {
  /** Whether the file is as it was written; false for one of which nothing is known. */
  isIntact(path: string): Promise<boolean>
  /** Remembers a file as it is now. A state folder that cannot be written only lets the file count as changed. */
  keep(path: string): Promise<void>
}

export function createSeals(stateFolder: string): Seals {
  const folder = join(stateFolder, 'rejects')
  const sealOf = async (path: string) => join(folder, digestOf(await realpath(path)))

  return {
    isIntact: (path) => holds(async () => readFileSync(await sealOf(path), 'utf8') === (await digestOfFile(path))),
    async keep(path) {
      await holds(async () => {
        makePrivateFolder(folder)
        writeFileSync(await sealOf(path), await digestOfFile(path), {mode: 0o600})
        return true
      })
    },
  }
}

async function holds(question: () => Promise<boolean>): Promise<boolean> {
  return question().catch(() => false)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
