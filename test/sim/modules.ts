import {createHash} from 'node:crypto'
import {createRequire} from 'node:module'
import * as os from 'node:os'
import {posix} from 'node:path'
import {DatabaseSync, type StatementSync} from 'node:sqlite'
import {Transform} from 'node:stream'
import type {Random} from '../../src/sandbox/seed/random.js'
import type {Hooks} from './files.js'

const load = createRequire(import.meta.url)

/** Node's module by its name, with or without `node:`. */
export const realModule = (name: string): object => load(name) as object

/** `node:crypto` whose random numbers are those of a seed; the rest is real. */
export function createCrypto(random: Random) {
  const real = load('node:crypto') as typeof import('node:crypto')
  const fill = (bytes: Uint8Array) => {
    const block = createHash('sha256').update(String(random())).digest()
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).fill(block)
    return bytes
  }
  const randomBytes = (size: number) => fill(Buffer.alloc(size))
  const randomUUID = () => {
    const hex = createHash('md5').update(String(random())).digest('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  const randomInt = (low: number, high?: number) =>
    high === undefined ? Math.floor(random() * low) : low + Math.floor(random() * (high - low))
  const own = {randomBytes, randomUUID, randomInt, getRandomValues: fill, subtle: real.webcrypto.subtle}
  return {...real, ...own, webcrypto: own} as unknown as typeof real
}

/** `node:os` of a machine. */
export function createOs(hostname: () => string, home: string) {
  const folders = {homedir: () => home, tmpdir: () => `${home}/tmp`}
  return {...os, ...folders, hostname, availableParallelism: () => 2} as typeof os
}

/** `node:zlib` that works at once, and not in a thread whose time is real. */
export function createZlib() {
  const real = load('node:zlib') as typeof import('node:zlib')
  const atOnce = (work: (bytes: Buffer) => Buffer) =>
    class extends Transform {
      readonly #chunks: Buffer[] = []
      override _transform(chunk: Buffer, _encoding: string, done: () => void) {
        this.#chunks.push(chunk)
        done()
      }
      override _flush(done: (error: null, bytes: Buffer) => void) {
        done(null, work(Buffer.concat(this.#chunks)))
      }
    }
  const InflateRaw = atOnce(real.inflateRawSync)
  const deflateRaw = (bytes: Buffer, _options: object, done: (error: null, bytes: Buffer) => void) =>
    queueMicrotask(() => done(null, real.deflateRawSync(bytes)))
  return {...real, createInflateRaw: () => new InflateRaw(), DeflateRaw: atOnce(real.deflateRawSync), deflateRaw}
}

/** `node:path` in a folder of its own. */
export function createPath(cwd: string) {
  const path = {...posix, resolve: (...parts: string[]) => posix.resolve(cwd, ...parts)}
  const relative = (from: string, to: string) => posix.relative(path.resolve(from), path.resolve(to))
  return Object.assign(path, {relative, posix: path})
}

/**
 * `node:sqlite` of a program: real databases on the disk of a machine, whose writes are effects. Statements keep their
 * database alive outside of what is collected, so that nothing here may hold a life itself: hooks change when it ends.
 */
export function createSqlite(hooks: Hooks) {
  const open = new Set<DatabaseSync>()
  class Database extends DatabaseSync {
    readonly #path: string
    #isLazy = false
    #hasSyncedFolder = false

    constructor(path: string, options?: object) {
      const isUrl = path.startsWith('file://')
      const isOnDisk = !isUrl && path !== '' && path !== ':memory:'
      const real = isUrl ? `file://${hooks.disk.real(path.slice(7))}` : isOnDisk ? hooks.disk.real(path) : path
      hooks.effect('open', real)
      super(real, options)
      this.#path = isOnDisk ? real : ''
      open.add(this)
      if (this.#path) hooks.disk.openedDatabase(this.#path)
    }

    override exec(sql: string): void {
      const level = [...sql.matchAll(/synchronous=(\w+)/g)].at(-1)?.[1]
      if (level && this.#path) {
        this.#isLazy = level !== 'FULL'
        if (this.#isLazy) hooks.disk.openedLazily(this.#path)
      }
      const words = sql.replace(/busy_timeout=\d+/, 'busy_timeout=0') // who holds a lock cannot run meanwhile
      this.#change(/^(PRAGMA|ROLLBACK|BEGIN)/.test(sql) ? undefined : words.slice(0, 40), () => super.exec(words))
    }

    override prepare(sql: string): StatementSync {
      const statement = super.prepare(sql)
      if (/^\s*(SELECT|PRAGMA|WITH)/i.test(sql)) return statement
      const run = statement.run.bind(statement) as (...given: unknown[]) => ReturnType<StatementSync['run']>
      const changing = (...given: unknown[]) => this.#change(sql.slice(0, 40), () => run(...given))
      return Object.assign(statement, {run: changing})
    }

    override close(): void {
      if (open.delete(this)) super.close()
    }

    #change<Result>(words: string | undefined, work: () => Result): Result {
      if (words !== undefined && this.#path) hooks.effect(`sql ${words.split(/\s+/).slice(0, 3).join(' ')}`, this.#path)
      const result = work()
      if (words !== undefined && this.#path && !this.isTransaction && !this.#isLazy && !this.#hasSyncedFolder) {
        hooks.disk.syncedFolderOf(this.#path)
        this.#hasSyncedFolder = true
      }
      return result
    }
  }

  const closeAll = () => {
    for (const database of [...open]) database.close()
  }
  return {sqlite: {...(load('node:sqlite') as object), DatabaseSync: Database}, closeAll}
}
