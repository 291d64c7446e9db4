import {lstatSync, renameSync} from 'node:fs'
import {CliFailure} from '../../core/errors.js'
import {heldByOther, tryLock} from '../../core/lock.js'
import {neighbours} from '../../core/sqlite.js'
import {openExportRegister} from './export-register.js'
import {registerName} from './export-tables.js'

/**
 * Renames a register that cannot be used, with the files that belong to it; returns the new path. Undefined for one that
 * can be used. Throws `locked` while another process does the same.
 */
export function setAsideRegister(path: string, now: number): string | undefined {
  const lock = tryLock(`${path}.lock`, registerName)
  if (!lock) throw heldByOther(`${path}.lock`, registerName)
  try {
    if (isUsable(path)) return undefined
    const aside = `${path}.damaged-${now}`
    for (const end of ['', ...neighbours])
      if (lstatSync(`${path}${end}`, {throwIfNoEntry: false})) renameSync(`${path}${end}`, `${aside}${end}`)
    return aside
  } finally {
    lock.remove()
  }
}

function isUsable(path: string): boolean {
  if (!lstatSync(path, {throwIfNoEntry: false})) return true
  try {
    openExportRegister(path).close()
    return true
  } catch (error) {
    if (!(error instanceof CliFailure) || !['STATE_DAMAGED', 'STATE_FOLDER', 'STATE_NEWER'].includes(error.code))
      throw error
    return false
  }
}
