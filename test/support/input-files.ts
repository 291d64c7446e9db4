import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll} from 'vitest'
import {makeFolder} from './folder.js'

export type InputFiles = {
  folder(): string
  /** Writes a file into the folder and returns its path. */
  write(name: string, content: string | Buffer): Promise<string>
}

/** A folder for the files of one test file, taken away at its end. */
export function useInputFiles(): InputFiles {
  let folder = ''
  beforeAll(() => {
    folder = makeFolder(afterAll)
  })
  return {
    folder: () => folder,
    async write(name, content) {
      const path = join(folder, name)
      await writeFile(path, content)
      return path
    },
  }
}
