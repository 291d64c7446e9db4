import {spawnSync} from 'node:child_process'
import {readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {homeIn, printed, runProgram, serviceAt, serviceOf, startSandbox, startServer} from './run.js'
import {writeSites} from './sites.js'
import {createTable} from './table.js'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const cost = new URL('../cost.js', import.meta.url).href
/** What the service allows. */
const [perSecond, atOnce] = [20, 100]
/** Pages that a list asks for together. */
const inFlight = 4
const pageSize = 2_000
const rates = [
  {requests: 300, latency: 0, most: 1.08},
  {requests: 600, latency: 0, most: 1.08},
  {requests: 300, latency: 300, most: 1.15},
]

/** Prints lists, waits, runs and the sandbox; with `isQuick` smaller ones, without those that take their time. */
export async function benchOthers(folder, {isQuick}) {
  const table = createTable('Lists, waits, writes and the sandbox', {promises: !isQuick})
  const share = isQuick ? 0.05 : 1
  await benchMachines(folder, table, 500 * share)
  if (!isQuick) for (const rate of rates) await benchRate(folder, table, rate)
  await benchLatency(folder, table, isQuick ? 20 : 80)
  await benchWrites(folder, table, 100_000 * share)
  await benchPlan(folder, table, 1_000_000 * share)
  if (!isQuick) await benchSandbox(folder, table)
}

async function benchMachines(folder, table, pages) {
  await using server = await startServer('machine-server.js', String(pages * pageSize), '0')
  const env = {...homeIn(folder, 'machines'), ...serviceAt(server.url)}
  const floor = {name: 'naive loop', cost: runLoop(server.url, folder)}
  table.row(`naive loop, ${(pages * pageSize).toLocaleString('en')} machines`, floor.cost)
  table.row('machines list -o csv', runProgram(['machines', 'list', '-q', '-o', 'csv'], env), {
    beside: floor,
    most: 0.7,
  })
  table.row('machines list --json', runProgram(['machines', 'list', '--json'], env), {beside: floor, megabytes: 200})
}

function runLoop(url, folder) {
  const report = join(folder, 'loop.json')
  const start = process.hrtime.bigint()
  const {status, stderr} = spawnSync(
    process.execPath,
    ['--import', cost, here('machine-loop.js'), url, join(folder, 'loop.csv')],
    {env: {PATH: process.env.PATH, BENCH_COST: report}, encoding: 'utf8'},
  )
  if (status !== 0) throw new Error(`the loop ended with ${status}: ${stderr}`)
  return {...JSON.parse(readFileSync(report, 'utf8')), seconds: Number(process.hrtime.bigint() - start) / 1e9}
}

/** The program's own pace against the limits of the service, which counts. */
async function benchRate(folder, table, {requests, latency, most}) {
  const pages = requests - 1
  await using server = await startServer('machine-server.js', String(pages), String(latency), 'limited')
  const home = homeIn(folder, `rate-${requests}-${latency}`)
  const {VENDORCTL_RATE: _rate, VENDORCTL_BURST: _burst, ...service} = serviceAt(server.url)
  const found = runProgram(['machines', 'list', '-q', '-o', 'csv', '--page-size', '1'], {...home, ...service})
  const {asked, refused} = await (await fetch(`${server.url}/counts`)).json()
  const slowest = Math.max((asked - atOnce) / perSecond, (asked * latency) / inFlight / 1000)
  const ideal = {name: 'the ideal', cost: {seconds: slowest}}
  const name = `${asked} requests${latency > 0 ? `, ${latency} ms each` : ''}`
  table.row(name, found, {
    beside: ideal,
    unit: 'seconds',
    most,
    note: `${refused} refused${refused > 0 ? ' OVER' : ''}`,
  })
}

async function benchLatency(folder, table, pages) {
  const latency = 300
  await using server = await startServer('machine-server.js', String(pages * 10), String(latency))
  const env = {...homeIn(folder, 'latency'), ...serviceAt(server.url)}
  const found = runProgram(['machines', 'list', '-q', '-o', 'csv', '--page-size', '10'], env)
  const ideal = {name: 'four in flight', cost: {seconds: (latency * pages) / inFlight / 1000}}
  table.row(`list of ${pages} pages, ${latency} ms each`, found, {beside: ideal, unit: 'seconds', most: 1.3})
}

/** A send of which the first half was done before, the same file again, and what is shown of it. */
async function benchWrites(folder, table, rows) {
  const env = homeIn(folder, 'writes')
  await using sandbox = await startSandbox(env, '--no-limits', '--batches', '0')
  const service = serviceOf(sandbox, env)
  const create = (name) => ['sites', 'create', '--file', writeSites(folder, rows, name), '--yes', '--json']
  const promises = {unit: 'seconds', most: 1.5, megabytes: 200}

  const send = {name: 'the send', cost: runProgram(create(), service)}
  const {runId} = JSON.parse(printed(env))
  table.row(`sites create, ${rows.toLocaleString('en')} rows`, send.cost, {megabytes: 250})
  table.row('the same file again', runProgram(create(), service, {expected: 5}), {beside: send, ...promises})
  table.row('runs results', runProgram(['runs', 'results', runId, '-o', 'csv'], service), {beside: send, ...promises})
  table.row('runs show', runProgram(['runs', 'show', runId], service), {beside: send, ...promises})
  const half = Math.ceil(rows / 1_000) // a set has 500 rows
  runProgram([...create('Later'), '--max-requests', String(half)], service, {expected: 6})
  table.row('runs resume, half of it', runProgram(['runs', 'resume', '--yes', '--json'], service), {
    beside: send,
    ...promises,
  })
}

async function benchPlan(folder, table, rows) {
  const env = homeIn(folder, 'plan')
  await using _sandbox = await startSandbox(env, '--no-limits', '--batches', '0')
  const file = writeSites(folder, rows)
  const words = ['sites', 'create', '--file', file, '--dry-run', '--profile', 'sandbox']
  const service = {VENDORCTL_RATE: '1000', VENDORCTL_BURST: '1000', VENDORCTL_DAILY_QUOTA: '1000000'}
  const found = runProgram(words, {...env, ...service})
  table.row(`dry run of ${rows.toLocaleString('en')} rows`, found, {megabytes: 250})
  rmSync(file)
}

async function benchSandbox(folder, table) {
  const env = homeIn(folder, 'sandbox')
  const kept = ['--db', join(folder, 'world.db')]
  const temporary = await startOnce(env)
  table.row('sandbox, 1,000,000 line items', temporary, {seconds: 4, megabytes: 400})
  await startOnce(env, ...kept)
  table.row('the same, its database is there', await startOnce(env, ...kept), {seconds: 1, megabytes: 400})
}

async function startOnce(env, ...words) {
  await using sandbox = await startSandbox(env, '--scale', 'large', ...words)
  return sandbox
}
