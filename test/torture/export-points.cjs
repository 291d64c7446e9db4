/**
 * Loaded before the program: counts the points at which an export may be killed, and kills it at the one that CRASH_AT
 * says: before and after each change of its files and each commit of its checkpoint. CRASH_HALF has a write put half of
 * its bytes on the disk first.
 */
const fs = require('node:fs')
const {syncBuiltinESMExports} = require('node:module')

const at = Number(process.env.CRASH_AT ?? 0)
const log = process.env.CRASH_LOG
let count = 0

function point(name) {
  count++
  if (log) fs.appendFileSync(log, `${count} ${name}\n`)
  if (count === at) process.kill(process.pid, 'SIGKILL')
}

function around(target, method, name, applies = () => true) {
  const original = target[method].bind(target)
  target[method] = (...given) => {
    if (!applies(...given)) return original(...given)
    point(`before ${name}`)
    const result = original(...given)
    if (typeof result?.then !== 'function') {
      point(`after ${name}`)
      return result
    }

    return result.then((value) => {
      point(`after ${name}`)
      return value
    })
  }
}

function watchHandle(handle) {
  const write = handle.write.bind(handle)
  handle.write = async (bytes, offset, length, position) => {
    if (count + 1 === at && length > 1) await write(bytes, offset, Math.ceil(length / 2), position)
    point('half a write')
    const result = await write(bytes, offset, length, position)
    point('after write')
    return result
  }
  for (const method of ['datasync', 'sync', 'truncate', 'chmod', 'writeFile']) around(handle, method, method)
  return handle
}

const {open} = fs.promises
fs.promises.open = async (path, flags, mode) => {
  const handle = await open(path, flags, mode)
  return /\.(part|json)$/.test(String(path)) ? watchHandle(handle) : handle
}
for (const method of ['rename', 'link', 'unlink']) around(fs.promises, method, method)
around(fs, 'rmSync', 'remove')
syncBuiltinESMExports()

const sqlite = process.getBuiltinModule('node:sqlite')
const {exec} = sqlite.DatabaseSync.prototype
sqlite.DatabaseSync.prototype.exec = function (sql) {
  if (!sql.startsWith('COMMIT')) return exec.call(this, sql)
  point('before commit')
  const result = exec.call(this, sql)
  point('after commit')
  return result
}
