/**
 * Loaded before the program: counts the points at which a process may be killed, and kills it at the one that
 * CRASH_AT says. Before and after: each commit of a state file, each write to a network socket, each rename, each fsync.
 */
const fs = require('node:fs')
const net = require('node:net')

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
    if (typeof result?.then === 'function') {
      return result.then((value) => {
        point()
        return value
      })
    }

    point()
    return result
  }
}

const sqlite = process.getBuiltinModule('node:sqlite')
around(sqlite.DatabaseSync.prototype, 'exec', (sql) => sql.startsWith('COMMIT'))
around(net.Socket.prototype, '_writeGeneric', function () {
  return this !== process.stdout && this !== process.stderr
})
around(fs, 'renameSync')
around(fs, 'fsyncSync')
around(fs, 'writeFileSync')
around(fs.promises, 'rename')
