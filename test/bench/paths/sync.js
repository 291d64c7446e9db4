import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {registerHooks} from 'node:module'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {homeIn, runProgram, serviceAt, startServer} from './run.js'
import {createTable, medians} from './table.js'

const loader = fileURLToPath(new URL('../mirror-load.js', import.meta.url))
const most = {sqlite: 1.3, postgres: 1.5}

/** Prints a sync of the transaction report beside a bare loader of the same pages, into each engine; CPU of the program. */
export async function benchSync(folder, {runs, pages, promises}) {
  await using server = await startServer('../export-server.js', String(pages))
  const {startPostgres} = await importTypes('../../support/postgres.ts')
  const postgres = await startPostgres({settings: {shared_buffers: '256MB', max_wal_size: '4GB'}})
  try {
    const costs = Object.fromEntries(Object.keys(most).map((engine) => [engine, {bare: [], sync: [], again: []}]))
    for (let run = 0; run < runs; run++) {
      for (const engine of Object.keys(most)) {
        const newTarget = () =>
          engine === 'sqlite' ? join(mkdtempSync(join(folder, 'db-')), 'm.db') : postgres.database()
        const found = costs[engine]
        const [bare, synced] = [await newTarget(), await newTarget()]
        found.bare.push(load(engine, server.url, bare))
        const env = {...homeIn(folder, `${engine}-${run}`), ...serviceAt(server.url), VENDORCTL_DB: synced}
        const words = ['sync', '--with-transactions', '--start', '2026-01-01', '--skip', 'machine_rights', '--quiet']
        found.sync.push(runProgram(words, env))
        found.again.push(runProgram(words, env))
        for (const target of engine === 'sqlite' ? [bare, synced] : []) rmSync(join(target, '..'), {recursive: true})
      }
    }
    const {lines} = costs.sqlite.bare[0]
    const table = createTable(`Sync of ${lines.toLocaleString('en')} line items, median of ${runs}`, {promises})
    for (const [engine, found] of Object.entries(costs)) {
      const beside = {name: 'the bare loader', cost: medians(found.bare)}
      table.row(`bare loader, ${engine}`, beside.cost, {note: 'fetch, JSON.parse, insert or COPY: no checks'})
      table.row(`sync, ${engine}`, medians(found.sync), {beside, most: most[engine], megabytes: 250})
      table.row(`sync again, ${engine}`, medians(found.again), {beside})
    }
  } finally {
    await postgres.close()
  }
}

function load(engine, url, target) {
  const {status, stdout, stderr} = spawnSync(process.execPath, [loader, engine, url, target], {encoding: 'utf8'})
  if (status !== 0) throw new Error(`the bare loader ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}

/** A module of the tests, which name each other as the compiler has them. */
async function importTypes(name) {
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context)
      } catch (error) {
        if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
        return next(specifier.replace(/\.js$/, '.ts'), context)
      }
    },
  })
  return import(new URL(name, import.meta.url))
}
