import {mkdtempSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {isMainThread, parentPort, Worker, workerData} from 'node:worker_threads'
import {type Bundle, bundle} from './bundle.js'
import {type ActName, acts, type Played, play} from './history.js'
import {reportUncaught} from './life.js'
import {openWorkshop} from './world.js'

type Job = {bundle: Bundle; folder: string; seeds: number[]; names: ActName[]; isTraced: boolean; isKept: boolean}
type Message = {played: Played; trace: string[]} | {cpu: number}

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
    },
  })
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
        ...{bundle: built, names, isTraced: values.trace, isKept: values.keep},
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

function startWorker(script: URL, job: Job, tally: ReturnType<typeof createTally>): Promise<void> {
  const worker = new Worker(script, {workerData: job})
  worker.on('message', (message: Message) => tally.add(message))
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))))
  })
}

async function work({bundle, folder, seeds, names, isTraced, isKept}: Job): Promise<void> {
  process.on('unhandledRejection', (error) => {
    if (!reportUncaught(error)) throw error
  })
  const workshop = openWorkshop(bundle, folder)
  const before = process.threadCpuUsage()
  for (const seed of seeds) {
    const trace: string[] = []
    const played = await play(workshop, {seed, names, isKept, ...(isTraced && {onTrace: (text) => trace.push(text)})})
    parentPort?.postMessage({played, trace} satisfies Message)
  }
  const {user, system} = process.threadCpuUsage(before)
  parentPort?.postMessage({cpu: (user + system) / 1e3} satisfies Message)
}

function createTally() {
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
      for (const line of trace) process.stdout.write(`${line}\n`)
      totals.histories++
      totals.lives += played.lives
      totals.kills += played.kills
      kinds[played.act] = (kinds[played.act] ?? 0) + 1
      for (const [kind, count] of Object.entries(played.faults)) faults[kind] = (faults[kind] ?? 0) + count
      if (played.wrong.length === 0) return
      wrong.push(played)
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
