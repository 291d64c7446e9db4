import {existsSync} from 'node:fs'
import files from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'

/**
 * Preloaded into a run of the program: makes the disk of the journals full.
 * FULL_FROM=N: from the Nth commit to a journal on. FULL_UNTIL_FREED=1: only while the reserve of room is there.
 * FULL_FILE=NAME: for what is written into this file. FULL_LOCK=1: for locks, which SQLite takes before it writes.
 */
const from = Number(process.env['FULL_FROM'] ?? Number.POSITIVE_INFINITY)
const untilFreed = process.env['FULL_UNTIL_FREED'] === '1'
let commits = 0

const {exec} = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (sql) {
  const path = this.location() ?? ''
  if (sql === 'COMMIT' && path.endsWith('.run') && ++commits >= from && isFull(path)) {
    Reflect.apply(exec, this, ['ROLLBACK'])
    throw full()
  }
  const done = Reflect.apply(exec, this, [sql])
  if (sql === 'BEGIN EXCLUSIVE' && path.endsWith('.lock') && process.env['FULL_LOCK'] === '1') throw full()
  return done
}

function full() {
  return Object.assign(new Error('database or disk is full'), {code: 'ERR_SQLITE_ERROR', errcode: 13})
}

function isFull(path) {
  return !untilFreed || existsSync(join(dirname(path), 'reserve'))
}

const {open} = files
files.open = async (path, ...options) => {
  const handle = await open(path, ...options)
  if (!String(path).endsWith(`${process.env['FULL_FILE']}.part`)) return handle
  handle.writeFile = async () => {
    throw Object.assign(new Error('no space left on device'), {code: 'ENOSPC'})
  }
  return handle
}
