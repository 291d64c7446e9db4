import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'

/** Where no write waits for a disk. */
export const quickFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A folder of its own, removed at the end of the test; with `afterAll`, at the end of the file. */
export function makeFolder(atEnd: (work: () => void) => void = onTestFinished, within = tmpdir()): string {
  const folder = mkdtempSync(join(within, 'vendorctl-'))
  atEnd(() => rmSync(folder, {recursive: true, force: true}))
  return folder
}
