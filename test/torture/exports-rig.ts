import {createHash} from 'node:crypto'
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {createRandom, pickInteger, type Random} from '../../src/sandbox/random.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {type Ran, startBinary} from '../support/run-binary.js'

export type ExportTally = {
  kills: number
  /** Files that were finished after kills. */
  files: number
  /** Kills at a named point; the others came at a random moment. */
  atPoints: number
  /** What must never be: sentences. */
  wrong: string[]
}

export type ExportRigOptions = {
  kills: number
  seed: number
  /** Files at the same time. */
  workers: number
  batches?: number
  onFile?: (tally: ExportTally) => void
}

const day = 86_400_000
const formats = ['csv', 'tsv', 'ndjson', 'json'] as const
const pageSizes = [25, 60, 110] as const
const mostSteps = 40
const crashPoints = fileURLToPath(new URL('export-points.cjs', import.meta.url))

/** Kills exports at random, gives the same command again until it is done, and compares every byte. */
export async function tortureExports(options: ExportRigOptions): Promise<ExportTally> {
  const {kills, seed, workers, batches = 500} = options
  const sandbox = await startSandbox({limits: false, batches, machines: 20, seed})
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-exports-'))
  const tally: ExportTally = {kills: 0, files: 0, atPoints: 0, wrong: []}
  const place: Place = {sandbox, folder, range: rangeOf(Date.now()), whole: new Map(), tally}
  const work = async (worker: number) => {
    for (let number = worker; tally.kills < kills; number += workers) {
      await playFile(place, number, createRandom(seed * 100_003 + number))
      options.onFile?.(tally)
    }
  }

  try {
    await Promise.all(Array.from({length: workers}, (_, worker) => work(worker)))
    return tally
  } finally {
    await sandbox.close()
    rmSync(folder, {recursive: true, force: true})
  }
}

type Place = {
  sandbox: Sandbox
  folder: string
  range: string[]
  /** The digests of files that were written without a kill, and the points that such a run passed. */
  whole: Map<string, Promise<Whole>>
  tally: ExportTally
}

type Whole = {digest: string; points: number; milliseconds: number}

/** Fixed moments, so that every run asks the same. */
function rangeOf(now: number): string[] {
  const text = (time: number) => new Date(time).toISOString().slice(0, 19)
  return ['--start', text(now - 118 * day), '--end', text(now - 2 * day)]
}

async function playFile(place: Place, number: number, random: Random): Promise<void> {
  const {tally} = place
  const kind = pickKind(number, random)
  const whole = await findWhole(place, kind)
  const home = mkdtempSync(join(place.folder, 'file-'))
  const words = [...kind.words, '--pages-in-flight', String(1 + (number % 8))]
  for (let step = 0; ; step++) {
    const last = step >= mostSteps
    const ran = await runOnce(place, home, kind, words, last ? undefined : pickKill(whole, random))
    if (ran.signal === 'SIGKILL') {
      tally.kills++
      continue
    }

    if (ran.exitCode === 0) break
    tally.wrong.push(`${words.join(' ')}: exit ${ran.exitCode} ${ran.signal}: ${ran.stderr}`)
    return
  }

  tally.files++
  compare(home, kind, whole, `${words.join(' ')} (file ${number})`, tally)
  rmSync(home, {recursive: true, force: true})
}

type Kind = {name: string; words: string[]}

/** Every format, plain and compressed, in turn. */
function pickKind(number: number, random: Random): Kind {
  const format = formats[number % formats.length] ?? 'csv'
  const gzip = (number >> 2) % 2 === 1
  const size = pageSizes[pickInteger(random, 0, pageSizes.length - 1)] ?? 25
  const rows = pickInteger(random, 0, 3) === 0 ? ['--rows', 'batches'] : []
  return {name: `x.${format}${gzip ? '.gz' : ''}`, words: ['--page-size', String(size), ...rows]}
}

type Kill = {point: number} | {milliseconds: number}

function pickKill({points, milliseconds}: Whole, random: Random): Kill {
  if (pickInteger(random, 0, 3) > 0) return {point: pickInteger(random, 1, Math.max(2, Math.ceil(points / 2)))}
  return {milliseconds: pickInteger(random, 150, Math.max(200, Math.ceil(milliseconds)))}
}

async function findWhole(place: Place, kind: Kind): Promise<Whole> {
  const key = [kind.name, ...kind.words].join(' ')
  const known = place.whole.get(key) ?? writeWhole(place, kind)
  place.whole.set(key, known)
  return known
}

/** The file as one run writes it that nothing stops, one page at a time. */
async function writeWhole(place: Place, kind: Kind): Promise<Whole> {
  const home = mkdtempSync(join(place.folder, 'whole-'))
  const log = join(home, 'points')
  const words = [...kind.words, '--pages-in-flight', '1']
  const ran = await runOnce(place, home, kind, words, undefined, {CRASH_LOG: log})
  if (ran.exitCode !== 0) throw new Error(`${words.join(' ')}: ${ran.stderr}`)
  const points = readFileSync(log, 'utf8').trimEnd().split('\n').length
  return {digest: digestOf(join(home, kind.name)), points, milliseconds: ran.milliseconds}
}

async function runOnce(
  place: Place,
  home: string,
  {name}: Kind,
  words: readonly string[],
  kill: Kill | undefined,
  more: Record<string, string> = {},
): Promise<Ran> {
  const {sandbox, range, folder, tally} = place
  mkdirSync(join(home, 'state'), {recursive: true})
  const atPoint = kill && 'point' in kill ? {CRASH_AT: String(kill.point)} : {}
  const running = startBinary(['reports', 'transactions', ...range, '--output-file', join(home, name), ...words], {
    environment: {
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_STATE_HOME: join(home, 'state'),
      VENDORCTL_BASE_URL: sandbox.url,
      VENDORCTL_API_KEY: sandbox.apiKey,
      VENDORCTL_USERNAME: sandbox.username,
      VENDORCTL_PASSWORD: sandbox.password,
      NODE_OPTIONS: `--require ${crashPoints}`,
      ...atPoint,
      ...more,
    },
  })
  if (kill && 'milliseconds' in kill) setTimeout(() => running.child.kill('SIGKILL'), kill.milliseconds)
  const ran = await running.ended
  if (ran.signal === 'SIGKILL' && kill && 'point' in kill) tally.atPoints++
  return ran
}

function compare(home: string, {name}: Kind, whole: Whole, label: string, tally: ExportTally): void {
  const names = readdirSync(home).filter((other) => other !== 'state')
  if (names.sort().join(' ') !== `${name} ${name}.manifest.json`) tally.wrong.push(`${label}: left ${names.join(' ')}`)
  const digest = digestOf(join(home, name))
  if (digest !== whole.digest) tally.wrong.push(`${label}: other bytes than without a kill`)
  const manifest = JSON.parse(readFileSync(join(home, `${name}.manifest.json`), 'utf8')) as {digest: string}
  if (manifest.digest !== `sha256:${digest}`) tally.wrong.push(`${label}: the manifest has another digest`)
  const kept = readdirSync(join(home, 'state', 'vendorctl', 'exports')).filter((other) => !other.endsWith('.lock'))
  if (kept.length > 0) tally.wrong.push(`${label}: kept ${kept.join(' ')}`)
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
