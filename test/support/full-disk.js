import {existsSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'

/**
 * Preloaded into a run of the program: makes the disk of the journals full.
 * FULL_FROM=N: from the Nth commit to a journal on. FULL_UNTIL_FREED=1: only while the reserve of room is there.
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
  return !untilFreed || existsSync(join(dirname(path), 'reserve'))
}
