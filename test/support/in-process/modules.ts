import * as net from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import * as sqlite from 'node:sqlite'

/** `node:os` of an environment. */
export function createOs({HOME, TMPDIR}: Record<string, string | undefined>): typeof os {
  return {...os, homedir: () => HOME ?? os.homedir(), tmpdir: () => TMPDIR ?? '/tmp'}
}

/** `node:path` in a working folder. */
export function createPath(cwd: string) {
  const own = {...path, resolve: (...parts: string[]) => path.resolve(cwd, ...parts)}
  const relative = (from: string, to: string) => path.relative(own.resolve(from), own.resolve(to))
  return Object.assign(own, {relative, posix: own})
}

/** `node:sqlite` whose databases are closed with the run, as the system closes them with a process. */
export function createSqlite() {
  const open = new Set<sqlite.DatabaseSync>()
  class Database extends sqlite.DatabaseSync {
    constructor(...given: ConstructorParameters<typeof sqlite.DatabaseSync>) {
      super(...given)
      open.add(this)
    }

    override close(): void {
      open.delete(this)
      super.close()
    }
  }
  const closeAll = () => {
    for (const database of open) database.close()
  }
  return {sqlite: {...sqlite, DatabaseSync: Database}, closeAll}
}

/** Timers that end with the run. */
export function createTimers() {
  const open = new Set<NodeJS.Timeout | NodeJS.Immediate>()
  const kept =
    <Given extends unknown[], Timer extends NodeJS.Timeout | NodeJS.Immediate>(begin: (...given: Given) => Timer) =>
    (...given: Given) => {
      const timer = begin(...given)
      open.add(timer)
      return timer
    }
  const calls = {
    setTimeout: kept(setTimeout),
    setInterval: kept(setInterval),
    setImmediate: kept(setImmediate),
    ...{clearTimeout, clearInterval, clearImmediate},
  }
  const clearAll = () => {
    for (const timer of open) (timer as NodeJS.Timeout)[Symbol.dispose]()
  }
  return {calls, clearAll}
}

/** `node:net` whose connections end with the run. */
export function createNet() {
  const open = new Set<net.Socket>()
  class Socket extends net.Socket {
    constructor(options?: net.SocketConstructorOpts) {
      super(options)
      open.add(this)
      this.once('close', () => open.delete(this))
    }
  }
  const destroyAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {net: {...net, Socket}, destroyAll}
}
