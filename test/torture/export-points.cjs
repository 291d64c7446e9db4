/**
 * Loaded before the program: counts the points at which an export may be killed, and kills it at the one that CRASH_AT
 * says: before and after each change of its files and each commit of its checkpoint.
 */
const fs = require('node:fs')
const {syncBuiltinESMExports} = require('node:module')

const at = Number(process.env.CRASH_AT ?? 0)
let count = 0

function point() {
  if (++count === at) process.kill(process.pid, 'SIGKILL')
}

function around(target, method) {
  const original = target[method].bind(target)
  target[method] = (...given) => {
    point()
    const result = original(...given)
    if (typeof result?.then !== 'function') {
      point()
      return result
    }

    return result.then((value) => {
      point()
      return value
    })
  }
}

function watchHandle(handle) {
  const write = handle.write.bind(handle)
  handle.write = async (bytes, offset, length, position) => {
    if (count + 1 === at && length > 1) await write(bytes, offset, Math.ceil(length / 2), position)
    point()
    const result = await write(bytes, offset, length, position)
    point()
    return result
  }
  for (const method of ['datasync', 'sync', 'truncate', 'chmod', 'writeFile']) around(handle, method)
  return handle
}

const {open} = fs.promises
fs.promises.open = async (path, flags, mode) => {
  const handle = await open(path, flags, mode)
  return /\.(part|json)$/.test(String(path)) ? watchHandle(handle) : handle
}
for (const method of ['rename', 'link', 'unlink']) around(fs.promises, method)
around(fs, 'rmSync')
syncBuiltinESMExports()

const sqlite = process.getBuiltinModule('node:sqlite')
const {exec} = sqlite.DatabaseSync.prototype
sqlite.DatabaseSync.prototype.exec = function (sql) {
  if (!sql.startsWith('COMMIT')) return exec.call(this, sql)
  point()
  const result = exec.call(this, sql)
  point()
  return result
}
