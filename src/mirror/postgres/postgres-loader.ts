import type {Postgres} from '../../core/postgres.js'
import {createPageIntake, isScanned, type PageOutput} from '../../formats/scan/page-renderer.js'
import type {LoadTables} from '../load/load-table.js'
import {mergeStage} from '../load/merge.js'
import {type Loader, quote, type Statements, stageOf} from '../load/mirror-database.js'
import {createRecordRows} from '../load/record-rows.js'
import {toIntakeOptions} from '../load/to-intake.js'
import {createCopyRows} from './copy-rows.js'

const chunkBytes = 256 * 1024

/** Rows wait as the text of COPY until they go into the stage, where they are compared when they are kept. */
export async function openPostgresLoader(
  postgres: Postgres,
  db: Statements,
  tables: LoadTables,
  look: readonly string[],
): Promise<Loader> {
  const all = [tables.records, ...(tables.lines ? [tables.lines] : [])]
  const intake = createPageIntake(toIntakeOptions(tables, look), {holds: 'nothing'})
  const filled = all.map((table) => ({table, rows: createCopyRows(table)}))
  const [records, lines] = filled
  const put = createRecordRows(
    {table: tables.records, target: (records as (typeof filled)[number]).rows},
    tables.lines && lines && {table: tables.lines, target: lines.rows},
    intake.shapes,
  )
  for (const {name} of all) {
    await postgres.run(`CREATE TEMP TABLE IF NOT EXISTS ${quote(stageOf(name))} (LIKE ${db.table(name)})`)
    await postgres.run(`TRUNCATE ${quote(stageOf(name))}`)
  }
  let waiting = 0
  let isSpilled = false

  const outputs = (): PageOutput[] => filled.map(({rows}) => rows.output)
  const settle = () => {
    for (const output of outputs()) output.at = 0
    waiting = 0
  }
  const copyAll = async () => {
    for (const {table, rows} of filled) {
      const columns = [...table.columns.map(({name}) => name), 'extra']
      if (rows.output.at > 0) await postgres.copy(quote(stageOf(table.name)), columns, chunks(rows.output.written()))
    }
  }
  const empty = async () => {
    for (const {name} of all) await postgres.run(`TRUNCATE ${quote(stageOf(name))}`)
  }

  return {
    split: intake.scan,
    get waiting() {
      return waiting
    },
    page(page, take) {
      const scanned = isScanned(page) ? page : intake.scan(page.bytes)
      const before = outputs().map(({at}) => at)
      const found = {records: 0, lines: 0}
      try {
        const {ready} = intake.page(scanned, take)
        for (const {page: one, taken} of ready) {
          for (const index of taken) found.lines += put(one, index)
          found.records += taken.length
          waiting += one.bytes.length
          one.release()
        }
      } catch (error) {
        for (const [place, output] of outputs().entries()) output.at = before[place] ?? 0
        throw error
      }
      return found
    },
    async spill() {
      await postgres.transaction(copyAll)
      isSpilled = true
      settle()
    },
    async keep({now, gone, along}) {
      const changes = await postgres.transaction(async () => {
        await copyAll()
        const merged = await mergeStage(db, tables, {now, gone})
        await along?.()
        await empty()
        return merged
      })
      isSpilled = false
      settle()
      return changes
    },
    async forget() {
      if (isSpilled) await empty()
      isSpilled = false
      settle()
    },
  }
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer, void, void> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}
