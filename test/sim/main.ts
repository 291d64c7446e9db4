import {createHash} from 'node:crypto'
import {mkdtempSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads'
import {type Bundle, bundle} from './bundle.js'
import {type ActName, acts, type Played, play} from './history.js'
import {reportUncaught} from './life.js'
import {planted} from './planted.js'
import {openWorkshop} from './world.js'

type Job = {
  bundle: Bundle
  folder: string
  seeds: number[]
  names: ActName[]
  isTraced: boolean
  isKept: boolean
  isDigested?: boolean
  stopsAtWrong?: boolean
}
/** The last seed that a planted bug is looked for with. */
const mostSeeds = 5_000

type Message = {played: Played; trace: string[]; digest?: string} | {cpu: number}

/** The command line, or a worker of it. */
export async function main(script: URL): Promise<void> {
  if (isMainThread) await command(script)
  else await work(workerData as Job)
}

async function command(script: URL): Promise<void> {
  const {values} = parseArgs({
    options: {
      seeds: {type: 'string', default: '1-100'},
      workers: {type: 'string', default: '2'},
      acts: {type: 'string', default: Object.keys(acts).join(',')},
      trace: {type: 'boolean', default: false},
      keep: {type: 'boolean', default: false},
      digests: {type: 'boolean', default: false},
      planted: {type: 'string'},
      hunt: {type: 'boolean', default: false},
    },
  })
  if (values.planted !== undefined) return findPlanted(script, values.planted, values.hunt)
  const [first = 1, last = first] = values.seeds.split('-').map(Number)
  const seeds = Array.from({length: last - first + 1}, (_, index) => first + index)
  const names = values.acts.split(',').filter((name): name is ActName => name in acts)
  if (names.length === 0) throw new Error(`no acts: ${Object.keys(acts).join(', ')}`)
  const folder = mkdtempSync(join('/dev/shm', 'vendorctl-sim-'))
  const tally = createTally()
  const began = performance.now()
  try {
    const built = await bundle()
    const count = Math.min(Number(values.workers), seeds.length)
    const jobs = Array.from(
      {length: count},
      (_, worker): Job => ({
        ...{bundle: built, names, isTraced: values.trace, isDigested: values.digests, isKept: values.keep},
        folder: join(folder, String(worker)),
        seeds: seeds.filter((_, index) => index % count === worker),
      }),
    )
    await Promise.all(jobs.map((job) => startWorker(script, job, tally)))
  } finally {
    if (!values.keep) rmSync(folder, {recursive: true, force: true})
  }
  process.stdout.write(tally.describe((performance.now() - began) / 1e3, values.acts))
  process.exitCode = tally.wrong.length === 0 ? 0 : 1
}

/** Plays each planted bug with the seed that is known to find it, or looks for one. */
async function findPlanted(script: URL, asked: string, isHunt: boolean): Promise<void> {
  const names = asked === 'all' ? Object.keys(planted) : asked.split(',')
  for (const name of names) {
    const {acts, seed, ...patch} = planted[name] ?? fail(`no planted bug: ${Object.keys(planted).join(', ')}`)
    const folder = mkdtempSync(join('/dev/shm', 'vendorctl-sim-'))
    const seeds = isHunt ? Array.from({length: mostSeeds}, (_, index) => index + 1) : [seed]
    const job = {
      bundle: await bundle([patch]),
      folder,
      seeds,
      names: acts,
      isTraced: false,
      isKept: false,
      stopsAtWrong: true,
    }
    const tally = createTally({isQuiet: true})
    try {
      await startWorker(script, job, tally)
    } finally {
      rmSync(folder, {recursive: true, force: true})
    }
    const [found] = tally.wrong
    process.stdout.write(`${name}: ${found ? `seed ${found.seed}: ${found.wrong[0]?.split('\n')[0]}` : 'NOT FOUND'}\n`)
    if (!found) process.exitCode = 1
  }
}

function fail(text: string): never {
  throw new Error(text)
}

function startWorker(script: URL, job: Job, tally: ReturnType<typeof createTally>): Promise<void> {
  const worker = new Worker(script, {workerData: job})
  worker.on('message', (message: Message) => tally.add(message))
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))))
  })
}

async function work({bundle, folder, seeds, names, isTraced, isDigested, isKept, stopsAtWrong}: Job): Promise<void> {
  process.on('unhandledRejection', (error) => {
    if (!reportUncaught(error)) throw error
  })
  const workshop = openWorkshop(bundle, folder)
  const before = process.threadCpuUsage()
  for (const seed of seeds) {
    const trace: string[] = []
    const onTrace = (text: string) => void trace.push(text)
    const played = await play(workshop, {seed, names, isKept, ...((isTraced || isDigested) && {onTrace})})
    const digest = isDigested ? createHash('md5').update(trace.join('\n')).digest('hex') : undefined
    parentPort?.postMessage({played, trace: isTraced ? trace : [], ...(digest && {digest})} satisfies Message)
    if (stopsAtWrong && played.wrong.length > 0) break
  }
  const {user, system} = process.threadCpuUsage(before)
  parentPort?.postMessage({cpu: (user + system) / 1e3} satisfies Message)
}

function createTally({isQuiet = false} = {}) {
  const totals = {histories: 0, lives: 0, kills: 0, cpu: 0}
  const faults: Record<string, number> = {}
  const kinds: Record<string, number> = {}
  const wrong: Played[] = []
  return {
    wrong,
    add(message: Message) {
      if ('cpu' in message) {
        totals.cpu += message.cpu
        return
      }
      const {played, trace} = message
      if (message.digest) process.stdout.write(`seed ${played.seed} digest ${message.digest}\n`)
      for (const line of trace) process.stdout.write(`${line}\n`)
      totals.histories++
      totals.lives += played.lives
      totals.kills += played.kills
      kinds[played.act] = (kinds[played.act] ?? 0) + 1
      for (const [kind, count] of Object.entries(played.faults)) faults[kind] = (faults[kind] ?? 0) + count
      if (played.wrong.length === 0) return
      wrong.push(played)
      if (isQuiet) return
      process.stdout.write(`seed ${played.seed} (${played.act}): ${played.wrong.join('\n  ')}\n`)
    },
    describe(seconds: number, acts: string) {
      const list = (counts: Record<string, number>) =>
        Object.entries(counts)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([kind, count]) => `${kind} ${count}`)
          .join(' · ')
      const each = totals.cpu / Math.max(1, totals.histories)
      return [
        `${totals.histories} histories (${list(kinds)}), ${totals.lives} lives, ${totals.kills} kills`,
        `faults: ${list(faults)}`,
        `${each.toFixed(1)} ms of CPU a history, ${(totals.histories / seconds).toFixed(1)} histories a second, ${seconds.toFixed(1)} s`,
        ...(wrong.length === 0
          ? ['0 wrong', '']
          : [
              `${wrong.length} wrong, seeds ${wrong.map(({seed}) => seed).join(' ')}`,
              `Repeat one: npm run sim -- --seeds ${wrong[0]?.seed} --acts ${acts} --trace`,
              '',
            ]),
      ].join('\n')
    },
  }
}
