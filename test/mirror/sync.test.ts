import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {readOperation} from '../../src/contract/index.js'
import {mirrorTables} from '../../src/derive/mirror/tables.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {requestsOf} from '../support/binary.js'
import {expectedRows, foundRows, readRaw, syncHere} from '../support/mirror.js'
import {sharedPostgres} from '../support/postgres.js'

const day = 86_400_000
const text = (time: number) => new Date(time).toISOString().slice(0, 19)
const start = text(Date.now() - 40 * day)
const folder = mkdtempSync(join(tmpdir(), 'vendorctl-mirror-'))
const engines = ['sqlite', 'postgres'] as const
let count = 0

beforeAll(() => sharedPostgres())
afterAll(() => rmSync(folder, {recursive: true, force: true}))

async function newMirror(engine: (typeof engines)[number]): Promise<string> {
  return engine === 'sqlite' ? join(folder, `${count++}.db`) : (await sharedPostgres()).database()
}

async function withSandbox(work: (sandbox: Sandbox) => Promise<void>, options = {}): Promise<void> {
  const sandbox = await startSandbox({batches: 300, machines: 30, limits: false, ...options})
  try {
    await work(sandbox)
  } finally {
    await sandbox.close()
  }
}

const total = (sandbox: Sandbox) => Object.values(requestsOf(sandbox)).reduce((sum, one) => sum + one, 0)
const rangeOf = (end = text(Date.now() + 2 * day)) => ({StartDate: start, EndDate: end})

describe.each(engines)('a mirror in %s', (engine) => {
  test('holds cell by cell what the service sends, and a second sync changes nothing', () =>
    withSandbox(async (sandbox) => {
      const name = await newMirror(engine)

      const first = await syncHere(sandbox, name, {transactions: {late: 0}, start})
      const before = total(sandbox)
      const second = await syncHere(sandbox, name, {transactions: {late: 0}})
      const asked = total(sandbox) - before

      for (const table of mirrorTables) {
        const {path, range} = readOperation(table.operation)
        const filter = table.operation.startsWith('reports')
          ? await readInWindows(sandbox, path)
          : await readRaw(sandbox, path, range ? rangeFromStart() : {})
        expect(await foundRows(table, name, engine), table.name).toEqual(expectedRows(table, filter, engine))
      }
      expect(first).toMatchObject({errors: [], grade: 'A'})
      expect(second.tables.map(({added, changed, gone, back}) => added + changed + gone + back)).toEqual(
        mirrorTables.map(() => 0),
      )
      expect(asked).toBe(8) // one page of each list and of one window, and the login
    }))
})

const rangeFromStart = () => ({StartDate: text(Date.now() - 85 * day), EndDate: text(Date.now() + 2 * day)})

/** The service serves 31 days at a time. */
async function readInWindows(sandbox: Sandbox, path: string) {
  const {EndDate} = rangeOf()
  const middle = text(Date.now() - 15 * day)
  const records = [
    ...(await readRaw(sandbox, path, {StartDate: start, EndDate: middle})),
    ...(await readRaw(sandbox, path, {StartDate: middle, EndDate})),
  ]
  return [...new Map(records.map((record) => [record['id'], record])).values()]
}
