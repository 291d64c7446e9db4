import {appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {createRandom, pick, pickInteger, type Random} from '../../src/sandbox/seed/random.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {type Ran, type Running, startBinary} from '../support/run-binary.js'
import {judgeShift} from './judge-shift.js'
import {type MonitorState, startMonitor} from './night-monitor.js'

export type ShiftOptions = {nights: number; seed: number; onNight?: (text: string) => void}

export type Tally = {
  killed: number
  deliveries: Record<string, number>
  exits: Record<string, number>
  /** How often the monitor was told of what. */
  told: Record<string, number>
  records: number
  files: number
  /** What must never be: sentences. */
  wrong: string[]
  folder: string
}

/** A process of the program, as it noted itself; without a code it was killed. */
export type Seen = {pid: number; words: string[]; night: number; code?: number}

export const jobs = ['tx', 'late'] as const
const kills = ['none', 'none', 'none', 'child', 'parent', 'both', 'all', 'overlap'] as const
const monitors = ['up', 'up', 'up', 'up', 'down', 'answers 500'] as const
const couriers = ['ok', 'ok', 'ok', 'ok', 'fail', 'fail once', 'lie'] as const
const [hour, day] = [3_600_000, 86_400_000]
/** Hours that a record is on its way at most. */
const latest = 13
const first = Date.UTC(2024, 1, 20, 2, 10)
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const pauseMilliseconds = 25
const patienceMilliseconds = 60_000

/** What a night is like. */
export type Night = {
  number: number
  at: number
  /** When the night before was. */
  since: number
  kill: (typeof kills)[number]
  monitor: MonitorState
  courier: string
  after: number
}

/**
 * Runs the jobs of a machine night after night by the built program, on a clock that is moved: killed, delivered in vain,
 * with a monitor that is sometimes not there. Then everything is compared with what really happened.
 */
export async function playShift({nights, seed, onNight}: ShiftOptions): Promise<Tally> {
  const random = createRandom(seed)
  const shift = await openShift(seed)
  try {
    const played: Night[] = []
    for (let number = 0; number < nights + 2; number++) {
      const night = pickNight(number, number >= nights, played.at(-1)?.at ?? first - day, random)
      played.push(night)
      await playNight(shift, night, random)
      onNight?.(`night ${number} ${night.kill}, monitor ${night.monitor}, courier ${night.courier}`)
    }
    return judgeShift(shift, played)
  } finally {
    await shift.close()
  }
}

export type Shift = Awaited<ReturnType<typeof openShift>>

async function openShift(seed: number) {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-nights-'))
  const path = (...names: string[]) => join(folder, ...names)
  for (const name of ['out', 'bucket', 'state']) mkdirSync(path(name))
  const time = {offset: first - Date.now()}
  const now = () => Date.now() + time.offset
  const clock = {now, monotonic: () => performance.now(), sleep: async () => undefined}
  const sandbox = await startSandbox({clock, limits: false, batches: 60, machines: 30, seed})
  const monitor = await startMonitor()
  writeFileSync(path('jobs.yaml'), jobsFile(path, monitor.url))
  const running: Running[] = []
  return {
    ...{folder, path, sandbox, monitor, time, running},
    seen: () => readSeen(path('processes')),
    async close() {
      for (const {child} of running) child.kill('SIGKILL')
      for (const {pid} of alive(readSeen(path('processes')))) endProcess(pid)
      await monitor.close()
      await sandbox.close()
    },
  }
}

function jobsFile(path: (...names: string[]) => string, url: string): string {
  const job = (name: string, more: string[], flags: string[]) => [
    `  ${name}:`,
    '    command: reports transactions',
    '    flags:',
    ...[`since-last: ${name}`, 'start: 2023-10-01', `output-file: ${path('out', `${name}-{date}-{time}.ndjson`)}`].map(
      (line) => `      ${line}`,
    ),
    ...flags.map((line) => `      ${line}`),
    `    deliver: [${[
      process.execPath,
      here('courier.cjs'),
      path('courier'),
      '{file}',
      `${path('bucket')}/{name}`,
      ...(more.length > 0 ? ['checked'] : []),
    ]
      .map((word) => JSON.stringify(word))
      .join(', ')}]`,
    '    notify:',
    `      url: ${url}/${name}`,
    ...more.map((line) => `    ${line}`),
  ]
  const lines = [
    'jobs:',
    ...job('tx', [], ['late: 13h']),
    ...job('late', ['keep-for: 5d', 'skip-empty: true'], ['time-basis: utc', 'late: 20h']),
  ]
  return `${lines.join('\n')}\n`
}

function pickNight(number: number, isQuiet: boolean, since: number, random: Random): Night {
  const at = first + number * day + (isQuiet ? 0 : pickInteger(random, -2, 9) * hour)
  const kill = isQuiet ? 'none' : pick(random, kills)
  const monitor = isQuiet ? 'up' : number % 29 === 7 ? 'hangs' : pick(random, monitors)
  const courier = isQuiet ? 'ok' : number % 23 === 11 ? 'hang' : pick(random, couriers)
  return {
    number,
    at,
    since,
    kill: monitor === 'hangs' ? 'none' : kill,
    monitor,
    courier,
    after: pickInteger(random, 100, 2_600),
  }
}

async function playNight(shift: Shift, night: Night, random: Random): Promise<void> {
  const {sandbox, monitor, time, path} = shift
  time.offset = night.at - Date.now()
  sandbox.faults.set(['skew(0)@reports.transactions'])
  addSales(sandbox, night, random)
  monitor.set(night.monitor, night.number)
  writeFileSync(path('courier'), night.courier)
  const main = begin(shift, night)
  if (night.kill === 'overlap') {
    await later(night.after / 2)
    const other = begin(shift, night)
    await Promise.all([settled(main), settled(other)])
  } else if (night.kill === 'none') await settled(main)
  else {
    await Promise.race([later(night.after), main.ended])
    strike(shift, main, night.kill)
    await settled(main)
  }
  await untilQuiet(shift)
}

/** Records of machines all over the world since the last night, some of which come hours late. */
function addSales({store, add}: Sandbox, {number, at, since}: Night, random: Random): void {
  const all = store.read('batch')
  const count = pickInteger(random, 0, 8)
  for (let index = 0; index < count; index++) {
    const arrived = since + Math.ceil(random() * (at - since))
    const sold = arrived - pick(random, [0, 0, pickInteger(random, 1, latest)]) * hour
    const batch = all[pickInteger(random, 0, all.length - 1)] ?? {}
    const recordedAtUtc = new Date(sold).toISOString().slice(0, -1)
    add('batch', {...batch, id: `B${9_000_000 + number * 100 + index}`, recordedAtUtc})
  }
}

function begin({sandbox, path, time, running}: Shift, {number}: Night): Running {
  const words = [
    'jobs',
    'run',
    ...jobs,
    '--keep-going',
    '--jobs-file',
    path('jobs.yaml'),
    '--metrics-file',
    path('jobs.prom'),
  ]
  const started = startBinary(words, {
    cwd: path(),
    environment: {
      HOME: path('state'),
      XDG_CONFIG_HOME: path('state', 'config'),
      XDG_STATE_HOME: path('state'),
      XDG_CACHE_HOME: path('state', 'cache'),
      VENDORCTL_BASE_URL: sandbox.url,
      VENDORCTL_API_KEY: sandbox.apiKey,
      VENDORCTL_USERNAME: sandbox.username,
      VENDORCTL_PASSWORD: sandbox.password,
      VENDORCTL_YES: undefined,
      NODE_OPTIONS: `--require ${JSON.stringify(here('night-clock.cjs'))}`,
      NIGHT_OFFSET: String(time.offset),
      NIGHT_LOG: path('processes'),
      NIGHT_NUMBER: String(number),
    },
  })
  running.push(started)
  void started.ended.then(({stderr}) => appendFileSync(path('messages'), `night ${number}\n${stderr}\n`))
  return started
}

/** Ends processes as `kill -9` does: the watched command, the one that watches, both, or everything with its deliveries. */
function strike({seen}: Shift, {child}: Running, who: Night['kill']): void {
  const living = alive(seen())
  const commands = living.filter(({words}) => words[1] === 'reports')
  if (who !== 'child') child.kill('SIGKILL')
  const others = who === 'all' ? living : who === 'parent' ? [] : commands
  for (const {pid} of others) endProcess(pid)
}

function alive(seen: readonly Seen[]): Seen[] {
  return seen.filter(({pid, code}) => code === undefined && isAlive(pid))
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it ended meanwhile
  }
}

/** What outlives its parent comes to its own end. */
async function untilQuiet({seen}: Shift): Promise<void> {
  const end = Date.now() + patienceMilliseconds
  for (;;) {
    const living = alive(seen())
    if (living.length === 0) return
    if (living.every(isCourier)) for (const {pid} of living) endProcess(pid) // nobody waits for it any more
    if (Date.now() > end) throw new Error(`still running: ${JSON.stringify(alive(seen()))}`)
    await later(pauseMilliseconds)
  }
}

function isCourier({words}: Seen): boolean {
  return words[0] === 'courier.cjs'
}

function settled({ended}: Running): Promise<Ran> {
  return ended
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function readSeen(path: string): Seen[] {
  if (!existsSync(path)) return []
  const seen = new Map<number, Seen>()
  const all: Seen[] = []
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const {pid, words, night, code} = JSON.parse(line)
    if (words) {
      const one: Seen = {pid, words, night: Number(night)}
      seen.set(pid, one)
      all.push(one)
    } else Object.assign(seen.get(pid) ?? {}, {code})
  }
  return all
}
