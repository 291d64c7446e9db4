import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {closeSync, mkdirSync, openSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {readEnvelope} from '../measure.js'

const program = fileURLToPath(new URL('../../../bin/run.js', import.meta.url))
const cost = new URL('../cost.js', import.meta.url).href

/** A service to read from: settings that never wait for a limit, unless `more` sets one. */
export function serviceAt(url, more = {}) {
  return {
    VENDORCTL_BASE_URL: url,
    VENDORCTL_API_KEY: 'bench',
    VENDORCTL_USERNAME: 'a',
    VENDORCTL_PASSWORD: 'b',
    VENDORCTL_RATE: '1000',
    VENDORCTL_BURST: '1000',
    VENDORCTL_DAILY_QUOTA: '1000000',
    ...more,
  }
}

/** The service of a sandbox, in the environment that it was started in. */
export function serviceOf({facts: {url, apiKey, username, password}}, env) {
  const own = {VENDORCTL_API_KEY: apiKey, VENDORCTL_USERNAME: username, VENDORCTL_PASSWORD: password}
  return {...env, ...serviceAt(url, own)}
}

/** An environment with state of its own; what an earlier run left there is kept. */
export function homeIn(folder, name) {
  const home = join(folder, name)
  mkdirSync(home, {recursive: true})
  return {
    PATH: process.env.PATH,
    TZ: 'UTC',
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_STATE_HOME: home,
    XDG_CACHE_HOME: home,
  }
}

/** Runs the built program; what it prints goes to `out` in its home. Returns wall and CPU seconds, and megabytes. */
export function runProgram(words, env, {expected = 0} = {}) {
  const report = join(env.HOME, 'cost.json')
  const out = openSync(join(env.HOME, 'out'), 'w')
  rmSync(report, {force: true})
  const start = process.hrtime.bigint()
  const {status, stderr} = spawnSync(process.execPath, ['--import', cost, program, ...words], {
    env: {...env, BENCH_COST: report},
    stdio: ['ignore', out, 'pipe'],
  })
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  closeSync(out)
  if (status !== expected) throw new Error(`vendorctl ${words.join(' ')} ended with ${status}: ${stderr}`)
  return {...JSON.parse(readFileSync(report, 'utf8')), seconds}
}

/** What a run printed. */
export const printed = (env) => readFileSync(join(env.HOME, 'out'), 'utf8')

/** Starts a script of this folder's parent that says where it listens on its first line. */
export async function startServer(script, ...words) {
  const server = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(server.stdout, 'data')
  return {url: String(line).trim(), [Symbol.asyncDispose]: () => stop(server)}
}

/** Starts a sandbox; `facts` are those of its envelope, `seconds` what it took until it answered. */
export async function startSandbox(env, ...words) {
  const start = process.hrtime.bigint()
  const server = spawn(process.execPath, [program, 'sandbox', 'start', '--json', '--port', '0', ...words], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const facts = JSON.parse(await readEnvelope(server.stdout)).data
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  return {facts, seconds, megabytes: peakOf(server.pid), [Symbol.asyncDispose]: () => stop(server)}
}

/** Linux only; elsewhere nothing is reported. */
function peakOf(pid) {
  if (process.platform !== 'linux') return Number.NaN
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
}

async function stop(server) {
  server.kill()
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
}
