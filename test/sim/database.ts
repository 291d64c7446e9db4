import sqlite, {DatabaseSync, type StatementSync} from 'node:sqlite'
import {lifeOf, type Seat} from './body.js'

/** `node:sqlite` of a program: real databases on the disk of a machine, whose writes are effects. */
export function createSqlite(seat: Seat) {
  const open = new Set<DatabaseSync>()
  class Database extends DatabaseSync {
    readonly #path: string
    #isLazy = false
    #hasSyncedFolder = false

    constructor(path: string, options?: object) {
      const {disk} = lifeOf(seat).machine
      const isUrl = path.startsWith('file://')
      const isOnDisk = !isUrl && path !== '' && path !== ':memory:'
      const real = isUrl ? `file://${disk.real(path.slice(7))}` : isOnDisk ? disk.real(path) : path
      lifeOf(seat).effect('open', real)
      super(real, options)
      this.#path = isOnDisk ? real : ''
      open.add(this)
      if (isOnDisk) disk.openedDatabase(real)
    }

    override exec(sql: string): void {
      const level = [...sql.matchAll(/synchronous=(\w+)/g)].at(-1)?.[1]
      if (level) this.#isLazy = level !== 'FULL'
      if (level && this.#isLazy && this.#path) lifeOf(seat).machine.disk.openedLazily(this.#path)
      const still = sql.replace(/busy_timeout=\d+/, 'busy_timeout=0') // who holds a lock cannot run meanwhile
      const words = still.replaceAll(/synchronous=\w+/g, 'synchronous=OFF') // a RAM disk has nothing to wait for
      if (/^(PRAGMA|ROLLBACK|BEGIN)/.test(sql)) super.exec(words)
      else this.#change(words, () => super.exec(words))
    }

    override prepare(sql: string): StatementSync {
      const statement = super.prepare(sql)
      if (/^\s*(SELECT|PRAGMA|WITH)/i.test(sql)) return statement
      const run = statement.run.bind(statement)
      return Object.assign(statement, {run: (...given: never[]) => this.#change(sql, () => run(...given))})
    }

    override close(): void {
      if (open.delete(this)) super.close()
    }

    #change<Result>(sql: string, work: () => Result): Result {
      if (!this.#path) return work()
      lifeOf(seat).effect(`sql ${sql.slice(0, 40).split(/\s+/).slice(0, 3).join(' ')}`, this.#path)
      const result = work()
      if (!this.isTransaction && !this.#isLazy && !this.#hasSyncedFolder) {
        lifeOf(seat).machine.disk.syncedFolderOf(this.#path)
        this.#hasSyncedFolder = true
      }
      return result
    }
  }

  return {sqlite: {...sqlite, DatabaseSync: Database}, closeAll: () => [...open].forEach((one) => void one.close())}
}
