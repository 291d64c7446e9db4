import type {Database} from '../../core/sqlite.js'
import {createPageIntake, isScanned, type ScannedPage} from '../../formats/scan/page-renderer.js'
import type {LoadTable, LoadTables} from '../load/load-table.js'
import {mergeStage, noChanges} from '../load/merge.js'
import {type Loader, quote, type Statements, stageOf} from '../load/mirror-database.js'
import {createRecordRows} from '../load/record-rows.js'
import {toIntakeOptions} from '../load/to-intake.js'
import {createSqliteRows} from './sqlite-rows.js'

/** Puts records of one page; returns how many lines they have. */
type PutPage = (page: ScannedPage, taken: readonly number[]) => number

export type Opened = {
  database: Database
  db: Statements
  guard: <Result>(work: () => Result) => Result
}

/** SQLITE_CONSTRAINT: a row of that key is there. */
const constraint = 19

/**
 * Rows go into the tables while pages come, in a transaction that stays open until they are kept. A page with a row that
 * is there already goes into the stage instead, and is compared when it is kept.
 */
export function openSqliteLoader({database, db, guard}: Opened, tables: LoadTables, look: readonly string[]): Loader {
  const all = [tables.records, ...(tables.lines ? [tables.lines] : [])]
  const intake = createPageIntake(toIntakeOptions(tables, look), {holds: 'nothing'})
  const straightly = createPut((table) => table.name)
  const staging = createPut((table) => stageOf(table.name))
  for (const {name, key} of all) {
    const stage = quote(stageOf(name))
    guard(() =>
      database.exec(
        `DROP TABLE IF EXISTS temp.${stage}; CREATE TEMP TABLE ${stage} AS SELECT * FROM ${quote(name)} WHERE 0;
         CREATE INDEX temp.${quote(`${stageOf(name)}_key`)} ON ${stage} (${key.map(quote).join(', ')})`,
      ),
    )
  }
  let isOpen = false
  let isStaged = false
  let waiting = 0
  let straight = {records: 0, lines: 0}

  return {
    split: intake.scan,
    get waiting() {
      return waiting
    },
    page(page, take, isStraight) {
      const scanned = isScanned(page) ? page : intake.scan(page.bytes)
      const {ready} = intake.page(scanned, take)
      if (!isOpen) guard(() => database.exec('BEGIN IMMEDIATE'))
      isOpen = true
      waiting += scanned.bytes.length
      const found = {records: 0, lines: 0}
      for (const {page: one, taken} of ready) {
        const lines = (isStraight ? putPage(straightly, one, taken) : undefined) ?? stagePage(one, taken)
        found.records += taken.length
        found.lines += lines
        one.release()
      }
      return found
    },
    spill: async () => undefined,
    async keep({now, gone, along}) {
      if (!isOpen) guard(() => database.exec('BEGIN IMMEDIATE'))
      isOpen = true
      try {
        const counts = [straight.records, straight.lines]
        const changes =
          isStaged || gone ? await mergeStage(db, tables, {now, gone}) : all.map(({name}) => noChanges(name))
        await along?.()
        guard(() => {
          for (const {name} of isStaged ? all : []) database.exec(`DELETE FROM temp.${quote(stageOf(name))}`)
          database.exec('COMMIT')
        })
        for (const [place, one] of changes.entries()) one.added += counts[place] ?? 0
        settle()
        return changes
      } catch (error) {
        database.rollBack()
        settle()
        throw error
      }
    },
    async forget() {
      if (isOpen) database.rollBack()
      settle()
    },
  }

  function settle(): void {
    isOpen = false
    isStaged = false
    waiting = 0
    straight = {records: 0, lines: 0}
  }

  function createPut(nameOf: (table: LoadTable) => string): PutPage {
    const target = (table: LoadTable) => createSqliteRows(database, table, nameOf(table))
    const {records, lines} = tables
    const ofRecords = {table: records, target: target(records)}
    const ofLines = lines && {table: lines, target: target(lines)}
    const targets = [ofRecords.target, ...(ofLines ? [ofLines.target] : [])]
    const put = createRecordRows(ofRecords, ofLines, intake.shapes)
    return (page, taken) => {
      let count = 0
      for (const one of targets) one.clear() // what a page left that failed
      for (const index of taken) count += put(page, index)
      for (const one of targets) one.flush()
      return count
    }
  }

  /** Undefined, and nothing of the page is there, when a row is there already. */
  function putPage(put: PutPage, page: ScannedPage, taken: readonly number[]): number | undefined {
    let lines: number
    database.exec('SAVEPOINT page')
    try {
      lines = put(page, taken)
      database.exec('RELEASE page')
    } catch (error) {
      const {errcode} = error as {errcode?: number}
      database.rollBack('page')
      if (errcode !== undefined && (errcode & 0xff) === constraint) return undefined
      return guard(() => {
        throw error
      })
    }
    straight.records += taken.length
    straight.lines += lines
    return lines
  }

  function stagePage(page: ScannedPage, taken: readonly number[]): number {
    isStaged = true
    return guard(() => staging(page, taken))
  }
}
