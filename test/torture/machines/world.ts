import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type Sandbox, startSandbox} from '../../../src/sandbox/server.js'
import {type PostgresServer, startPostgres} from '../../support/postgres.js'
import {idealOf, type Judge, startJudge} from './judge.js'
import {type Machine, type MachineOptions, type Report, startMachine} from './machine.js'

/** A service, its judge, a store, and the machines that share it. */
export type World = {
  sandbox: Sandbox
  judge: Judge
  postgres: PostgresServer
  /** Of the store of this world, with all rights. */
  database: string
  /** Every machine that there ever was. */
  machines: readonly Machine[]
  add(options?: MachineOptions): Promise<Machine>
  sql(text: string): Promise<Record<string, string | null>[]>
  /** Lets all machines end, and compares what they, the judge, the service and the store say. */
  end(): Promise<Verdict>
}

export type Verdict = {
  /** From the first request until the machines were told to end, and those that arrived meanwhile. */
  seconds: number
  atWork: number
  served: number
  /** By the service, and by the judge. */
  refused: number
  judged: number
  /** Of what the service allows after a rest. */
  ideal: number
  counted: number
  /** Counted for machines that were killed, and perhaps never used. */
  unknown: number
  /** Of all machines, to the store. */
  asks: number
  /** Requests answered of each machine that was not killed. */
  each: number[]
  longest: number
  failures: Record<string, number>
  /** Processes that ended by themselves before they were told to. */
  fallen: number
  told: string[]
}

const ledgerSql = `SELECT
  (SELECT coalesce(sum(requests), 0) FROM vendorctl.budget_use) AS used,
  (SELECT coalesce(sum(leased), 0) FROM vendorctl.budget_machine) AS leased,
  (SELECT coalesce(sum(number), 0) FROM vendorctl.budget_machine) AS asks`

let server: Promise<PostgresServer> | undefined

export async function createWorld(): Promise<World> {
  server ??= startPostgres({settings: {fsync: 'on', full_page_writes: 'on'}})
  const postgres = await server
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-machines-'))
  const sandbox = await startSandbox({batches: 0, machines: 5})
  const judge = await startJudge(sandbox.url)
  const database = await postgres.database(`world_${Date.now()}`)
  const machines: Machine[] = []
  const sql = (text: string) => postgres.sql(text, database)

  return {
    ...{sandbox, judge, postgres, database, machines, sql},
    async add(options = {}) {
      const home = join(folder, String(machines.length))
      const machine = startMachine({home, database, sandbox, url: judge.url}, options)
      machines.push(machine)
      return machine
    },
    async end() {
      const [first = 0] = judge.arrivals
      const seconds = (performance.now() - first) / 1000
      const atWork = judge.arrivals.length
      const reports = await Promise.all(machines.flatMap(({end}) => end()))
      const [row] = await sql(ledgerSql)
      const {served, refused} = countRequests(sandbox)
      const alive = machines.filter(({wasKilled}) => !wasKilled())
      const verdict = {
        ...{seconds, atWork, served, refused, ...toldBy(reports.flat())},
        judged: judge.refused(),
        ideal: idealOf(seconds),
        counted: Number(row?.['used']) + Number(row?.['leased']),
        unknown: Number(row?.['leased']) + openWhenKilled(machines),
        fallen: machines.filter(({wasKilled, hasFallen}) => !wasKilled() && hasFallen()).length,
        asks: Number(row?.['asks']),
        each: alive.map((machine) => machine.answered()),
      }
      await Promise.all([judge.close(), sandbox.close()])
      rmSync(folder, {recursive: true, force: true})
      return verdict
    },
  }
}

/** Ends the server of all worlds. */
export async function closeWorlds(): Promise<void> {
  await (await server)?.close()
  server = undefined
}

/** A killed process may have counted requests that it never sent: one for each that it asked for together. */
function openWhenKilled(machines: readonly Machine[]): number {
  return machines.reduce((sum, {wasKilled, parallel}) => sum + (wasKilled() ? parallel : 0), 0)
}

function countRequests(sandbox: Sandbox): {served: number; refused: number} {
  const {gateway = {}, ...operations} = sandbox.requests()
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, one) => total + one, 0)
  return {served: Object.values(operations).reduce((total, counts) => total + sum(counts), 0), refused: sum(gateway)}
}

function toldBy(reports: readonly (Report | undefined)[]) {
  const failures: Record<string, number> = {}
  for (const report of reports)
    for (const [name, times] of Object.entries(report?.failures ?? {})) failures[name] = (failures[name] ?? 0) + times
  return {
    failures,
    longest: Math.max(0, ...reports.map((report) => report?.longest ?? 0)),
    told: [...new Set(reports.flatMap((report) => report?.told ?? []))],
  }
}
