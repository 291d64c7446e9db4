import type {Database} from '../../core/sqlite.js'
import {createPageIntake, isScanned, type ScannedPage} from '../../formats/scan/page-renderer.js'
import type {LoadTable, LoadTables} from '../load/load-table.js'
import {mergeStage} from '../load/merge.js'
import {type Loader, quote, type Statements, stageOf} from '../load/mirror-database.js'
import {createRecordRows} from '../load/record-rows.js'
import {toIntakeOptions} from '../load/to-intake.js'
import {createSqliteRows} from './sqlite-rows.js'

export type Opened = {
  database: Database
  db: Statements
  guard: <Result>(work: () => Result) => Result
}

/** Rows go into the stage while pages come, in a transaction that stays open until they are compared and kept. */
export function openSqliteLoader({database, db, guard}: Opened, tables: LoadTables, look: readonly string[]): Loader {
  const all = [tables.records, ...(tables.lines ? [tables.lines] : [])]
  const intake = createPageIntake(toIntakeOptions(tables, look), {holds: 'nothing'})
  const {records, lines} = tables
  const target = (table: LoadTable) => createSqliteRows(database, table, stageOf(table.name))
  for (const {name, key} of all) {
    const stage = quote(stageOf(name))
    guard(() =>
      database.exec(
        `DROP TABLE IF EXISTS temp.${stage}; CREATE TEMP TABLE ${stage} AS SELECT * FROM ${quote(name)} WHERE 0;
         CREATE INDEX temp.${quote(`${stageOf(name)}_key`)} ON ${stage} (${key.map(quote).join(', ')})`,
      ),
    )
  }
  const ofRecords = {table: records, target: target(records)}
  const ofLines = lines && {table: lines, target: target(lines)}
  const targets = [ofRecords.target, ...(ofLines ? [ofLines.target] : [])]
  const put = createRecordRows(ofRecords, ofLines, intake.shapes)
  let isOpen = false
  let waiting = 0

  return {
    split: intake.scan,
    get waiting() {
      return waiting
    },
    page(page, take) {
      const scanned = isScanned(page) ? page : intake.scan(page.bytes)
      const {ready} = intake.page(scanned, take)
      if (!isOpen) guard(() => database.exec('BEGIN IMMEDIATE'))
      isOpen = true
      waiting += scanned.bytes.length
      const found = {records: 0, lines: 0}
      for (const {page: one, taken} of ready) {
        found.records += taken.length
        found.lines += guard(() => putPage(one, taken))
        one.release()
      }
      return found
    },
    spill: async () => undefined,
    async keep({now, gone, along}) {
      if (!isOpen) guard(() => database.exec('BEGIN IMMEDIATE'))
      isOpen = true
      try {
        const changes = await mergeStage(db, tables, {now, gone})
        await along?.()
        guard(() => {
          for (const {name} of all) database.exec(`DELETE FROM temp.${quote(stageOf(name))}`)
          database.exec('COMMIT')
        })
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
    waiting = 0
  }

  function putPage(page: ScannedPage, taken: readonly number[]): number {
    let count = 0
    for (const one of targets) one.clear() // what a page left that failed
    for (const index of taken) count += put(page, index)
    for (const one of targets) one.flush()
    return count
  }
}
