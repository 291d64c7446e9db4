import fs, {existsSync} from 'node:fs'
import {syncBuiltinESMExports} from 'node:module'
import {dirname, join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'

/**
 * Preloaded into a run of the program: makes the disk of the journals full.
 * FULL_FROM=N: from the Nth commit to a journal on. FULL_UNTIL_FREED=1: only while the reserve of room is there.
 * FULL_FOR_FILES=1: no emergency file fits beside the journals either.
 */
const from = Number(process.env['FULL_FROM'] ?? Number.POSITIVE_INFINITY)
const untilFreed = process.env['FULL_UNTIL_FREED'] === '1'
let commits = 0

const {exec} = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (sql) {
  const path = this.location() ?? ''
  if (sql === 'COMMIT' && path.endsWith('.run') && ++commits >= from && isFull(path)) {
    Reflect.apply(exec, this, ['ROLLBACK'])
    throw Object.assign(new Error('database or disk is full'), {code: 'ERR_SQLITE_ERROR', errcode: 13})
  }
  return Reflect.apply(exec, this, [sql])
}

function isFull(path) {
  return !untilFreed || existsSync(join(dirname(path), 'ballast'))
}

if (process.env['FULL_FOR_FILES'] === '1') {
  const {openSync} = fs
  fs.openSync = (path, ...rest) => {
    if (/runs\/[^/]*\.emergency$/.test(String(path))) throw Object.assign(new Error('ENOSPC'), {code: 'ENOSPC'})
    return openSync(path, ...rest)
  }
  syncBuiltinESMExports()
}
