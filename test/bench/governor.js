// What the ledger of a key costs and holds: the price of a permit with one and with eight processes, 400 requests beside
// the ideal of the service, and eight processes for a minute with faults on. Of the numbers of the service, none may be a
// refusal, and its count must be that of the ledger.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {limits, pace} from '../../build/contract/index.js'
import {systemClock} from '../../build/core/clock.js'
import {openLedgerInTurn} from '../../build/quota/ledger-file.js'
import {startSandbox} from '../../build/sandbox/server.js'

const here = fileURLToPath(import.meta.url)
const worker = fileURLToPath(new URL('../support/governor-worker.js', import.meta.url))
const takes = Number(process.env.BENCH_TAKES ?? 4_000)
const seconds = Number(process.env.BENCH_GOVERNOR_SECONDS ?? 60)
const processes = 8
const usual = {rate: pace.requestsPerSecond, burst: pace.burst}

if (process.argv[2] === 'take') await takeMany(process.argv[3], Number(process.argv[4]))
else await bench()

async function bench() {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-governor-'))
  try {
    await benchTakes(join(folder, 'one'), 1)
    await benchTakes(join(folder, 'many'), processes)
    await benchIdeal(join(folder, 'ideal'))
    await benchProcesses(join(folder, 'processes'))
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

async function benchTakes(folder, count) {
  const own = ['take', folder, String(takes / count)]
  const reports = await runAll(Array.from({length: count}, () => start(here, own)))
  const times = reports.flat().sort((one, other) => one - other)
  const counted = await countOf(folder, 'https://bench.example')
  const at = (share) => `${(times[Math.floor(times.length * share)] * 1000).toFixed(0)} µs`
  say(
    `a permit, ${count} processes`,
    `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(0.9999)}; ${counted} of ${takes} counted`,
  )
}

async function benchIdeal(folder) {
  const sandbox = await startSandbox({batches: 0, machines: 5})
  const requests = 400
  const [report] = await runAll([start(worker, [settingsOf(sandbox, folder, {requests, parallel: 4})])])
  const ideal = ((requests - limits.burst) / limits.requestsPerSecond) * 1000
  const over = ((report.milliseconds / ideal - 1) * 100).toFixed(1)
  check(Number(over) <= 5, '400 requests took more than 5 % longer than the ideal')
  check(!/refused [1-9]/.test(describe(sandbox)), 'a request was refused')
  say('400 requests', `${(report.milliseconds / 1000).toFixed(2)} s, ${over} % over the ideal; ${describe(sandbox)}`)
  await sandbox.close()
}

async function benchProcesses(folder) {
  const faults = ['status(503)@organizations.list%4', 'reset@organizations.list%2', 'trunc-cl@organizations.list%2']
  const sandbox = await startSandbox({batches: 0, machines: 5, faults})
  const all = Array.from({length: processes}, () =>
    start(worker, [settingsOf(sandbox, folder, {seconds, parallel: 4})]),
  )
  const reports = await runAll(all)
  const sent = reports.map((report) => report.sent)
  const sum = sent.reduce((total, one) => total + one, 0)
  const longest = Math.max(...reports.map(({milliseconds}) => milliseconds)) / 1000
  const allowed = Math.floor(limits.burst + limits.requestsPerSecond * longest)
  const counted = await countOf(folder, sandbox.url, 'worker')
  check(describe(sandbox) === `service ${counted}, refused 0`, 'the ledger and the service do not agree')
  say(
    `${processes} processes, ${seconds} s, faults`,
    `${sum} sent of ${allowed} that the service allows; ledger ${counted}; ${describe(sandbox)}; by process ${sent.join(' ')}`,
  )
  await sandbox.close()
}

function settingsOf({url, apiKey, username, password}, folder, more) {
  return JSON.stringify({url, apiKey, username, password, folder, ...usual, ...more})
}

function describe(sandbox) {
  const {gateway = {}, ...operations} = sandbox.requests()
  const sum = (counts) => Object.values(counts).reduce((total, one) => total + one, 0)
  const served = Object.values(operations).reduce((total, counts) => total + sum(counts), 0)
  return `service ${served}, refused ${sum(gateway)}`
}

function start(program, words) {
  const child = spawn(process.execPath, [program, ...words], {stdio: ['pipe', 'pipe', 'inherit']})
  let text = ''
  const ready = Promise.withResolvers()
  child.stdout.setEncoding('utf8').on('data', (more) => {
    text += more
    if (text.includes('ready\n')) ready.resolve()
  })
  return {child, ready: ready.promise, ended: once(child, 'close').then(() => JSON.parse(text.replace('ready\n', '')))}
}

async function runAll(all) {
  await Promise.all(all.map(({ready}) => ready))
  for (const {child} of all) child.stdin.end()
  return Promise.all(all.map(({ended}) => ended))
}

function open(folder, baseUrl, keyFingerprint = 'bench') {
  const who = {command: 'bench', pid: process.pid, startedAt: systemClock.now()}
  return openLedgerInTurn({folder, baseUrl, keyFingerprint}, who, systemClock)
}

async function countOf(folder, baseUrl, keyFingerprint) {
  const {ledger} = await open(folder, baseUrl, keyFingerprint)
  const {usedTrailing} = ledger.read()
  ledger.close()
  return usedTrailing
}

/** As fast as it goes: far more often than any service allows. */
async function takeMany(folder, count) {
  const {ledger} = await open(folder, 'https://bench.example')
  process.stdout.write('ready\n')
  for await (const _ of process.stdin);
  const times = []
  while (times.length < count) {
    const started = systemClock.monotonic()
    const permit = takeOnce(ledger)
    if (!permit) continue
    times.push(systemClock.monotonic() - started)
    arriveQuietly(ledger, permit)
  }

  ledger.close()
  process.stdout.write(JSON.stringify(times))
}

function takeOnce(ledger) {
  return unlessBusy(() => ledger.take({rate: 1e6, burst: 1e6, perDay: 1e9, floor: 0}))
}

/** An arrival that is not written is assumed after ten seconds. */
function arriveQuietly(ledger, permit) {
  unlessBusy(() => ledger.arrive(permit))
}

function unlessBusy(work) {
  try {
    return work()
  } catch (error) {
    if (error.errcode !== 5) throw error
    return undefined
  }
}

function check(isRight, words) {
  if (isRight) return
  process.stdout.write(`NOT AS IT MUST BE: ${words}\n`)
  process.exitCode = 1
}

function say(name, words) {
  process.stdout.write(`${name.padEnd(30)}${words}\n`)
}
