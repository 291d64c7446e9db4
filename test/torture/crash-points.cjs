/**
 * Loaded before the program: counts the points at which a process may be killed, by name, and kills it at the one that
 * CRASH_AT says. Before and after: each commit of a state file, each write to a network socket, each rename, each fsync.
 */
const fs = require('node:fs')
const net = require('node:net')

const at = Number(process.env.CRASH_AT ?? 0)
// Open from the start: what writes to it must not be a point itself.
const log = process.env.CRASH_LOG ? fs.openSync(process.env.CRASH_LOG, 'a') : undefined
let count = 0

function point(name) {
  count++
  if (log !== undefined) fs.writeSync(log, `${count} ${name}\n`)
  if (count === at) process.kill(process.pid, 'SIGKILL')
}

function around(target, method, name, applies = () => true) {
  const original = target[method]
  target[method] = function (...given) {
    if (!applies.call(this, ...given)) return original.apply(this, given)
    point(`before ${name}`)
    const result = original.apply(this, given)
    if (typeof result?.then === 'function') {
      return result.then((value) => {
        point(`after ${name}`)
        return value
      })
    }

    point(`after ${name}`)
    return result
  }
}

const sqlite = process.getBuiltinModule('node:sqlite')
around(sqlite.DatabaseSync.prototype, 'exec', 'commit', (sql) => sql.startsWith('COMMIT'))
around(net.Socket.prototype, '_writeGeneric', 'socket write', function () {
  return this !== process.stdout && this !== process.stderr
})
around(fs, 'renameSync', 'rename')
around(fs, 'fsyncSync', 'fsync')
around(fs, 'writeFileSync', 'write file')
around(fs.promises, 'rename', 'rename')
