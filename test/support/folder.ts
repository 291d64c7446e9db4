import {existsSync, mkdtempSync, rmSync, statfsSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test as base, onTestFinished} from 'vitest'

/** Where no write waits for a disk, as far as there is room: containers often have 64 MB. */
const quickFolder = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir()

/** A folder of its own, removed at the end of the test; with `afterAll`, at the end of the file. */
export function makeFolder(atEnd: (work: () => void) => void = onTestFinished, within = quickFolder): string {
  const folder = mkdtempSync(join(within, 'vendorctl-'))
  atEnd(() => rmSync(folder, {recursive: true, force: true}))
  return folder
}

/** Tests with a folder each. */
export const test = base.extend<{folder: string}>({
  folder: async ({onTestFinished: atEnd}, use) => use(makeFolder(atEnd)),
})

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false
  const {bavail, bsize} = statfsSync(path)
  return bavail * bsize > 2 ** 30
}
