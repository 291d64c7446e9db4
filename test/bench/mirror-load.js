// A bare loader of the report in a process of its own: fetch, JSON.parse and rows into the tables of a mirror. One
// transaction a page, prepared inserts or COPY, no checks, indexes at the end; digits are lost.
import {DatabaseSync} from 'node:sqlite'
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import pg from 'pg'
import {from} from 'pg-copy-streams'
import {renderIndexes, renderTables} from '../../build/derive/mirror/render-sql.js'
import {mirrorTables} from '../../build/derive/mirror/tables.js'
import {batchValues, lineValues} from './export-columns.js'
import {peakMegabytes} from './peak-memory.js'

const [way, url, target] = process.argv.slice(2)
const [batches, lines] = mirrorTables.filter(({operation}) => operation.endsWith('transactions'))
const namesOf = ({columns}) => columns.map(({name}) => name).filter((name) => name !== 'extra' && name !== 'deleted_at')
const start = process.hrtime.bigint()
const count = await {sqlite, postgres}[way]()
const seconds = Number(process.hrtime.bigint() - start) / 1e9
const {user, system} = process.cpuUsage()
const cpuSeconds = (user + system) / 1e6
process.stdout.write(JSON.stringify({lines: count, seconds, cpuSeconds, megabytes: peakMegabytes()}))

async function sqlite() {
  const database = new DatabaseSync(target)
  for (const statement of renderTables('sqlite')) database.exec(statement)
  database.exec('PRAGMA foreign_keys=OFF')
  const [batch, line] = [batches, lines].map((table) => {
    const names = namesOf(table)
    return database.prepare(`INSERT INTO ${table.name} (${names}) VALUES (${names.map(() => '?')})`)
  })
  let count = 0
  for await (const page of readPages()) {
    database.exec('BEGIN')
    for (const record of page) {
      batch.run(...batchValues(record).map(toSqlite))
      for (const [place, item] of record.lineItems.entries()) {
        line.run(record.id, place + 1, ...lineValues(item).map(toSqlite))
        count++
      }
    }
    database.exec('COMMIT')
  }
  for (const statement of renderIndexes()) database.exec(statement)
  database.close()
  return count
}

async function postgres() {
  const client = new pg.Client({connectionString: target})
  await client.connect()
  await client.query("SET TimeZone = 'UTC'")
  for (const statement of renderTables('postgres')) await client.query(statement)
  let count = 0
  for await (const page of readPages()) {
    let [ofBatches, ofLines] = ['', '']
    for (const record of page) {
      ofBatches += `${batchValues(record).map(toCopy).join('\t')}\n`
      for (const [place, item] of record.lineItems.entries()) {
        ofLines += `${toCopy(record.id)}\t${place + 1}\t${lineValues(item).map(toCopy).join('\t')}\n`
        count++
      }
    }
    await client.query('BEGIN')
    for (const [table, text] of [
      [batches, ofBatches],
      [lines, ofLines],
    ])
      await pipeline(Readable.from([text]), client.query(from(`COPY ${table.name} (${namesOf(table)}) FROM STDIN`)))
    await client.query('COMMIT')
  }
  for (const statement of renderIndexes()) await client.query(statement)
  await client.end()
  return count
}

async function* readPages() {
  for (let page = 1, total = 1; page <= total; page++) {
    const answer = await fetch(`${url}/reports/transactions`, {method: 'POST', body: '{}', headers: {page}})
    total = Number(answer.headers.get('total-pages'))
    yield await answer.json()
  }
}

function toSqlite(value) {
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}

function toCopy(value) {
  if (value === null || value === undefined) return '\\N'
  if (typeof value !== 'string') return String(value)
  return value.replace(/[\\\t\n\r]/g, (letter) => ({'\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r'})[letter])
}
