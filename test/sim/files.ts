import * as real from 'node:fs'
import * as promises from 'node:fs/promises'
import {Readable} from 'node:stream'
import {type Disk, visibleRoot} from './disk.js'

/** What a life lets its modules do. */
export type Hooks = {
  disk: Disk
  /** To be called before an effect: counts it, and throws when the life is dead, dies now, or the disk refuses it. */
  effect(name: string, path: string): void
  /** Throws when the life is dead. */
  live(): void
  /** A moment of the disk, for calls that are waited for. */
  moment(): Promise<void>
  /** Answers files of the system, such as the id of its boot. */
  system(path: string): string | undefined
  /** Writes to standard output (1) or error (2). */
  print(descriptor: 1 | 2, bytes: Uint8Array): void
  now(): number
}

type Call = (...given: never[]) => unknown
type Options = {flag?: string | number; flags?: string | number; recursive?: boolean}
type Bytes = Uint8Array
type Reading = {highWaterMark?: number; end?: number}

const {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC} = real.constants
const isAsking = (bits: number, letters: RegExp) => (flags: string | number) =>
  typeof flags === 'number' ? (flags & bits) !== 0 : letters.test(flags)
const isWriting = isAsking(O_WRONLY | O_RDWR, /[wa+]/)
const isCreating = isAsking(O_CREAT, /[wa]/)
const isTruncating = isAsking(O_TRUNC, /w/)

/** `node:fs` and `node:fs/promises` of a program, over the disk of the machine that its life runs on. */
export function createFiles(hooks: Hooks) {
  const open = new Map<number, {path: string; isChanged: boolean}>()
  const changed = (descriptor: number, name: string) => {
    const file = open.get(descriptor)
    hooks.effect(name, file?.path ?? '')
    if (!file) return
    hooks.disk.willWrite(file.path, descriptor)
    file.isChanged = true
  }
  const removing = (path: string, remove: () => void) => {
    const noteRemoved = hooks.disk.willRemove(path)
    remove()
    noteRemoved()
  }

  const mutations = {
    openSync(path: string, flags: string | number = 'r', mode?: number) {
      const isNew = isCreating(flags) && !real.existsSync(path)
      if (isWriting(flags)) hooks.effect('open', path)
      if (isTruncating(flags)) hooks.disk.willWrite(path)
      const descriptor = real.openSync(path, flags, mode)
      open.set(descriptor, {path, isChanged: isNew})
      if (isNew) hooks.disk.created(path)
      return descriptor
    },
    closeSync(descriptor: number) {
      const file = open.get(descriptor)
      if (!open.delete(descriptor)) throw Object.assign(new Error('EBADF: bad file descriptor, close'), {code: 'EBADF'})
      if (file?.isChanged) real.futimesSync(descriptor, hooks.now() / 1e3, hooks.now() / 1e3)
      real.closeSync(descriptor)
    },
    writeSync(descriptor: number, bytes: Bytes | string, ...more: never[]) {
      if (descriptor === 1 || descriptor === 2) {
        const data =
          typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        hooks.print(descriptor, data.subarray(Number(more[0] ?? 0)))
        return data.length - Number(more[0] ?? 0)
      }
      changed(descriptor, 'write')
      if (bytes.length >= hugeBytes) {
        // The reserve of a journal: nobody reads it back, and as a hole it costs no memory.
        real.ftruncateSync(descriptor, bytes.length)
        return bytes.length
      }
      return real.writeSync(descriptor, bytes as Uint8Array, ...more)
    },
    writeFileSync(path: string | number, data: string | Uint8Array, options?: Options | string) {
      if (typeof path === 'number') {
        changed(path, 'write')
        return real.writeFileSync(path, data)
      }
      const isNew = !real.existsSync(path)
      hooks.effect('write', path)
      hooks.disk.willWrite(path)
      real.writeFileSync(path, data, options as never)
      if (isNew) hooks.disk.created(path)
      real.utimesSync(path, hooks.now() / 1e3, hooks.now() / 1e3)
    },
    appendFileSync: (path: string, data: string, options: Options = {}) =>
      mutations.writeFileSync(path, data, {...options, flag: 'a'}),
    fsyncSync(descriptor: number) {
      hooks.effect('sync', open.get(descriptor)?.path ?? '')
      hooks.disk.synced(descriptor)
    },
    ftruncateSync(descriptor: number, length: number) {
      changed(descriptor, 'truncate')
      real.ftruncateSync(descriptor, length)
    },
    renameSync(from: string, to: string) {
      hooks.effect('rename', to)
      removing(to, () => real.renameSync(from, to))
      hooks.disk.renamed(from, to)
    },
    linkSync(from: string, to: string) {
      hooks.effect('link', to)
      real.linkSync(from, to)
      hooks.disk.linked(to)
    },
    rmSync(path: string, options?: real.RmOptions) {
      if (real.lstatSync(path, {throwIfNoEntry: false})) hooks.effect('remove', path)
      removing(path, () => real.rmSync(path, options))
    },
    unlinkSync(path: string) {
      hooks.effect('remove', path)
      removing(path, () => real.unlinkSync(path))
    },
    mkdirSync(path: string, options?: real.MakeDirectoryOptions) {
      if (!real.existsSync(path)) hooks.effect('folder', path)
      return real.mkdirSync(path, options)
    },
    readdirSync: (path: string, options?: never) =>
      (real.readdirSync(path, options) as (string | real.Dirent)[]).sort((one, other) =>
        nameOf(one) < nameOf(other) ? -1 : 1,
      ),
    readFileSync(path: string | number, options?: never) {
      const answer = typeof path === 'string' ? hooks.system(path) : undefined
      return answer ?? real.readFileSync(path, options)
    },
  }

  const sync = (name: string): Call | undefined => {
    const own = mutations[(name === 'fdatasyncSync' ? 'fsyncSync' : name) as keyof typeof mutations] as Call | undefined
    const call = own ?? ((real as unknown as Record<string, Call>)[name] as Call | undefined)
    return typeof call === 'function' ? toVisible(call, hooks, twoPaths.test(name) ? 2 : 1) : undefined
  }
  const later = (name: string) => {
    const call = sync(`${name}Sync`)
    if (!call) return undefined
    return async (...given: never[]) => {
      await hooks.moment()
      return call(...given)
    }
  }
  const calls = new Map<string, unknown>()
  const find = (name: string) => {
    if (!calls.has(name)) calls.set(name, make(name))
    return calls.get(name)
  }
  const make = (name: string) => {
    if (name === 'promises') return files.promises
    if (name === 'createReadStream') return createReadStream
    return name.endsWith('Sync') ? sync(name) : (real as unknown as Record<string, unknown>)[name]
  }

  const files = {
    fs: new Proxy(real, {get: (_, name) => (typeof name === 'string' ? find(name) : undefined)}),
    promises: new Proxy(promises, {get: (_, name) => (typeof name === 'string' ? promised(name) : undefined)}),
    /** Closes what a dead life had open. */
    closeAll() {
      for (const descriptor of open.keys()) real.closeSync(descriptor)
      open.clear()
    },
  }
  return files

  function promised(name: string) {
    if (name === 'constants') return real.constants
    if (name === 'open') return async (...given: never[]) => toHandle((await (openLater as Call)(...given)) as number)
    return later(name) ?? refuse(name)
  }

  async function openLater(path: string, flags?: string, mode?: number): Promise<number> {
    await hooks.moment()
    return (sync('openSync') as Call)(...([path, flags, mode] as never[])) as number
  }

  function createReadStream(path: string, {highWaterMark, end}: Reading = {}) {
    return Readable.from(
      (async function* () {
        yield* toHandle(await openLater(path)).chunks(highWaterMark, end)
      })(),
      {objectMode: false},
    )
  }

  function toHandle(fd: number) {
    const run = async (name: string, ...given: unknown[]) => {
      await hooks.moment()
      return (sync(name) as Call)(...(given as never[]))
    }
    let isOpen = true
    const handle = {
      fd,
      stat: (options?: object) => run('fstatSync', fd, options),
      sync: () => run('fsyncSync', fd),
      datasync: () => run('fsyncSync', fd),
      truncate: (length = 0) => run('ftruncateSync', fd, length),
      chmod: (mode: number) => run('fchmodSync', fd, mode),
      read: async (buffer: Bytes, ...more: unknown[]) => {
        return {bytesRead: await run('readSync', fd, buffer, ...more), buffer}
      },
      write: async (buffer: Bytes, ...more: unknown[]) => {
        return {bytesWritten: await run('writeSync', fd, buffer, ...more), buffer}
      },
      writeFile: (data: string | Uint8Array) => run('writeFileSync', fd, data),
      async close() {
        if (isOpen) await run('closeSync', fd)
        isOpen = false
      },
      createReadStream: ({highWaterMark}: Reading = {}) =>
        Readable.from(handle.chunks(highWaterMark), {objectMode: false}),
      async *chunks(size = 65_536, end = Number.POSITIVE_INFINITY) {
        try {
          for (let left = end + 1; left > 0; ) {
            const buffer = Buffer.allocUnsafeSlow(Math.min(size, left))
            const {bytesRead} = await handle.read(buffer, 0, buffer.length, null)
            if (bytesRead === 0) return
            left -= Number(bytesRead)
            yield buffer.subarray(0, Number(bytesRead))
          }
        } finally {
          await handle.close()
        }
      },
    }
    return handle
  }
}

const hugeBytes = 4_194_304

const nameOf = (entry: string | real.Dirent) => (typeof entry === 'string' ? entry : entry.name)

function refuse(name: string): never {
  throw new Error(`the simulation has no fs.${name}`)
}

const twoPaths = /^(rename|link|symlink|copyFile|cp)Sync$/

/** A call whose first arguments may be visible paths, and whose result and errors name visible paths. */
function toVisible(call: Call, hooks: Hooks, paths: number): Call {
  return (...given: unknown[]) => {
    hooks.live()
    const {disk} = hooks
    const mapped = given.map((each, place) => (place < paths ? toReal(each, disk) : each))
    try {
      const result = call(...(mapped as never[]))
      return typeof result === 'string' && result.startsWith(disk.root) ? disk.visible(result) : result
    } catch (error) {
      const {message, path, dest} = error as NodeJS.ErrnoException & {dest?: string}
      if (!(error instanceof Error)) throw error
      if (message.includes(disk.root)) error.message = disk.visible(message)
      throw Object.assign(error, path && {path: disk.visible(path)}, dest && {dest: disk.visible(dest)})
    }
  }
}

function toReal(given: unknown, disk: Disk): unknown {
  if (typeof given === 'string') return disk.real(given)
  return given instanceof URL && given.pathname.startsWith(visibleRoot) ? disk.real(given.pathname) : given
}
