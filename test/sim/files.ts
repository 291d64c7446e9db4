import * as real from 'node:fs'
import {Readable} from 'node:stream'
import type {Body} from './body.js'
import type {Disk} from './disk.js'
import {refusing} from './modules.js'

type Call = (...given: unknown[]) => unknown
type Options = {flag?: string; mode?: number; flush?: boolean}
type Bytes = Uint8Array | string
type Reading = {highWaterMark?: number; end?: number}
const hugeBytes = 4_194_304
const twoPaths = /^(rename|link|symlink|copyFile|cp)Sync$/
const {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC} = real.constants
const isAsking = (bits: number, letters: RegExp) => (flags: string | number) =>
  typeof flags === 'number' ? (flags & bits) !== 0 : letters.test(flags)
const isWriting = isAsking(O_WRONLY | O_RDWR, /[wa+]/)
const isCreating = isAsking(O_CREAT, /[wa]/)
const isTruncating = isAsking(O_TRUNC, /w/)

/** `node:fs` and `node:fs/promises` of a program, over the disk of the machine that its life runs on. */
export function createFiles(body: Body) {
  const open = new Map<number, {path: string; isChanged: boolean}>()
  const effect = (name: string, path: string): Disk => {
    body.life.effect(name, path)
    return body.life.machine.disk
  }
  const changing = (descriptor: number, name: string) => {
    const file = open.get(descriptor) ?? {path: '', isChanged: false}
    effect(name, file.path).willWrite(file.path, descriptor)
    file.isChanged = true
  }
  const now = () => body.life.machine.wallClock() / 1e3

  const own = {
    openSync(path: string, flags: string | number = 'r', mode?: number) {
      const {disk} = body.life.machine
      const isNew = isCreating(flags) && !real.existsSync(path)
      if (isWriting(flags)) effect('open', path)
      if (isTruncating(flags)) disk.willWrite(path)
      const descriptor = real.openSync(path, flags, mode)
      open.set(descriptor, {path, isChanged: isNew})
      if (isNew) disk.created(path)
      return descriptor
    },
    closeSync(descriptor: number) {
      const file = open.get(descriptor)
      if (!open.delete(descriptor)) throw Object.assign(new Error('EBADF: bad file descriptor, close'), {code: 'EBADF'})
      if (file?.isChanged) real.futimesSync(descriptor, now(), now())
      real.closeSync(descriptor)
    },
    writeSync(descriptor: number, bytes: Bytes, ...more: never[]) {
      if (descriptor === 1 || descriptor === 2) {
        body.life.print(descriptor, `${Buffer.from(bytes as string).subarray(more[0])}`)
        return bytes.length
      }
      changing(descriptor, 'write')
      if (bytes.length < hugeBytes) return real.writeSync(descriptor, bytes as Uint8Array, ...more)
      // The reserve of a journal: nobody reads it back, and as a hole it costs no memory.
      real.ftruncateSync(descriptor, bytes.length)
      return bytes.length
    },
    writeFileSync(path: string | number, data: Bytes, options?: Options) {
      if (typeof path === 'number') {
        changing(path, 'write')
        return real.writeFileSync(path, data)
      }
      const isNew = !real.existsSync(path)
      const disk = effect('write', path)
      disk.willWrite(path)
      real.writeFileSync(path, data, options)
      if (isNew) disk.created(path)
      real.utimesSync(path, now(), now())
      if (options?.flush !== true) return
      const descriptor = own.openSync(path)
      own.fsyncSync(descriptor)
      own.closeSync(descriptor)
    },
    appendFileSync: (path: string, data: string, options: Options = {}) =>
      own.writeFileSync(path, data, {...options, flag: 'a'}),
    fsyncSync: (descriptor: number) => effect('sync', open.get(descriptor)?.path ?? '').synced(descriptor),
    ftruncateSync(descriptor: number, length = 0) {
      changing(descriptor, 'truncate')
      real.ftruncateSync(descriptor, length)
    },
    renameSync: (from: string, to: string) => effect('rename', to).rename(from, to),
    linkSync(from: string, to: string) {
      const disk = effect('link', to)
      real.linkSync(from, to)
      disk.linked(to)
    },
    rmSync(path: string, options?: real.RmOptions) {
      if (real.lstatSync(path, {throwIfNoEntry: false})) effect('remove', path)
      body.life.machine.disk.removing(path, () => real.rmSync(path, options))
    },
    unlinkSync: (path: string) => effect('remove', path).removing(path, () => real.unlinkSync(path)),
    mkdirSync(path: string, options?: real.MakeDirectoryOptions) {
      if (!real.existsSync(path)) effect('folder', path)
      return real.mkdirSync(path, options)
    },
    readdirSync: (path: string) => real.readdirSync(path).sort(),
    readFileSync: (path: string | number, options?: never) =>
      path === '/proc/sys/kernel/random/boot_id' ? body.life.machine.boot : real.readFileSync(path, options),
  }

  /** A call that is waited for, which takes a moment of the disk. */
  const later =
    (name: string, ...first: unknown[]) =>
    async (...given: unknown[]) => {
      await body.moment()
      return calls[name]?.(...first, ...given)
    }
  const calls: Record<string, Call> = {}
  const promises: Record<string, Call> = {}
  for (const [name, call] of Object.entries({...real, ...own})) {
    if (!name.endsWith('Sync')) continue
    calls[name] = toVisible(call as Call, body, twoPaths.test(name) ? 2 : 1)
    promises[name.slice(0, -'Sync'.length)] = later(name)
  }

  const stream = (...given: Parameters<typeof chunksOf>) => Readable.from(chunksOf(...given), {objectMode: false})

  async function* chunksOf(file: number | Promise<number>, {highWaterMark = 65_536, end = Infinity}: Reading = {}) {
    const handle = toHandle(await file)
    try {
      for (let left = end + 1; left > 0; ) {
        const buffer = Buffer.allocUnsafeSlow(Math.min(highWaterMark, left))
        const {bytesRead} = await handle.read(buffer, 0, buffer.length, null)
        if (bytesRead === 0) return
        left -= Number(bytesRead)
        yield buffer.subarray(0, Number(bytesRead))
      }
    } finally {
      await handle.close()
    }
  }

  function toHandle(fd: number) {
    let isOpen = true
    return {
      ...{fd, stat: later('fstatSync', fd), sync: later('fsyncSync', fd), datasync: later('fsyncSync', fd)},
      ...{chmod: later('fchmodSync', fd), truncate: later('ftruncateSync', fd), writeFile: later('writeFileSync', fd)},
      read: async (...given: [Bytes, ...unknown[]]) => ({bytesRead: await later('readSync', fd)(...given)}),
      write: async (...given: [Bytes, ...unknown[]]) => ({bytesWritten: await later('writeSync', fd)(...given)}),
      async close() {
        if (isOpen) await later('closeSync', fd)()
        isOpen = false
      },
      createReadStream: (reading?: Reading) => stream(fd, reading),
    }
  }

  const openLater = later('openSync') as (path: string, flags?: string, mode?: number) => Promise<number>
  const files = refusing('fs', {
    ...promises,
    constants: real.constants,
    open: async (...given: Parameters<typeof openLater>) => toHandle(await openLater(...given)),
  })
  const createReadStream = (path: string, reading?: Reading) => stream(openLater(path), reading)
  return {
    fs: {...real, ...calls, promises: files, createReadStream},
    promises: files,
    closeAll() {
      for (const descriptor of open.keys()) real.closeSync(descriptor)
      open.clear()
    },
  }
}

/** A call whose first arguments may be visible paths, and whose result and errors name visible paths. */
function toVisible(call: Call, body: Body, paths: number): Call {
  return (...given) => {
    const {disk} = body.life.machine
    try {
      const result = call(...given.map((one, at) => (typeof one === 'string' && at < paths ? disk.real(one) : one)))
      return typeof result === 'string' && result.startsWith(disk.root) ? disk.visible(result) : result
    } catch (error) {
      const shown = error as Record<string, unknown>
      for (const name of ['message', 'path', 'dest'])
        if (typeof shown[name] === 'string') shown[name] = disk.visible(shown[name])
      throw error
    }
  }
}
