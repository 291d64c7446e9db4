/**
 * Loaded before the program: counts the points at which a process may be killed, and kills it at the one that CRASH_AT
 * says. Before and after: each commit of a state file, each write to a network socket, each change of a file by its name
 * or its handle, each fsync; and in the middle of what is written to the file of an export.
 */
const fs = require('node:fs')
const net = require('node:net')
const {syncBuiltinESMExports} = require('node:module')

const at = Number(process.env.CRASH_AT ?? 0)
let count = 0

function point() {
  if (++count === at) process.kill(process.pid, 'SIGKILL')
}

function around(target, method, applies = () => true) {
  const original = target[method]
  target[method] = function (...given) {
    if (!applies.call(this, ...given)) return original.apply(this, given)
    point()
    const result = original.apply(this, given)
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
    return write(bytes, offset, length, position)
  }
  for (const method of ['write', 'datasync', 'sync', 'truncate', 'chmod', 'writeFile']) around(handle, method)
  return handle
}

const {open} = fs.promises
fs.promises.open = async (path, flags, mode) => {
  const handle = await open(path, flags, mode)
  return /\.(part|json)$/.test(String(path)) ? watchHandle(handle) : handle
}
for (const method of ['rename', 'link', 'unlink']) around(fs.promises, method)
for (const method of ['renameSync', 'fsyncSync', 'writeFileSync', 'rmSync']) around(fs, method)
around(net.Socket.prototype, '_writeGeneric', function () {
  return this !== process.stdout && this !== process.stderr
})
syncBuiltinESMExports()

const sqlite = process.getBuiltinModule('node:sqlite')
around(sqlite.DatabaseSync.prototype, 'exec', (sql) => sql.startsWith('COMMIT'))
