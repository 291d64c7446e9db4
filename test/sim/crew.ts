import {createHash} from 'node:crypto'
import {mkdtempSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {parentPort, Worker, workerData} from 'node:worker_threads'
import type {Bundle} from './bundle.js'
import {type Case, type Played, play} from './history.js'
import {reportUncaught} from './life.js'
import {describe, shrink} from './shrink.js'
import {openWorkshop} from './world.js'

export type Task = {
  bundle: Bundle
  cases: readonly Case[]
  workers?: number
  isTraced?: boolean
  isKept?: boolean
  isDigested?: boolean
  /** Makes a history that fails shorter, and tells it in words. */
  isShrunk?: boolean
}
type Job = Omit<Task, 'workers'> & {folder: string}

/** A history that was played, and what is to be printed of it. */
type Message = {played: Played; text: string}

/** Lives leave much behind; with less room it is collected again and again. */
const maxYoungGenerationSizeMb = 128

/** Plays cases with so many threads; ends early when `onPlayed` says that it is enough. */
export async function playAll(
  script: URL,
  {workers = 1, ...task}: Task,
  onPlayed: (message: Message) => 'enough' | undefined,
): Promise<void> {
  const folder = mkdtempSync(join('/dev/shm', 'vendorctl-sim-'))
  const count = Math.max(1, Math.min(workers, task.cases.length))
  const all: Worker[] = []
  const begin = (number: number) => {
    const cases = task.cases.filter((_, index) => index % count === number)
    const job: Job = {...task, cases, folder: join(folder, String(number))}
    const worker = new Worker(script, {workerData: job, resourceLimits: {maxYoungGenerationSizeMb}})
    all.push(worker)
    return new Promise<void>((resolve, reject) => {
      worker.on('message', (message: Message | 'done') => {
        if (message === 'done') void worker.terminate()
        else if (onPlayed(message) === 'enough') for (const each of all) void each.terminate()
      })
      worker.once('error', reject)
      worker.once('exit', () => resolve())
    })
  }
  try {
    await Promise.all(Array.from({length: count}, (_, number) => begin(number)))
  } finally {
    if (!task.isKept) rmSync(folder, {recursive: true, force: true})
  }
}

/** What a thread does. */
export async function work(): Promise<void> {
  const {bundle, folder, cases, isTraced, isDigested, isShrunk, isKept} = workerData as Job
  process.on('unhandledRejection', (error) => {
    if (!reportUncaught(error)) throw error
  })
  const workshop = openWorkshop(bundle, folder)
  for (const one of cases) {
    const trace: string[] = []
    const onTrace = (line: string) => void trace.push(line)
    const played = await play(workshop, one, {isKept, ...((isTraced || isDigested) && {onTrace})})
    const digest = createHash('md5').update(trace.join('\n')).digest('hex')
    const lines = [...(isTraced ? trace : []), ...(isDigested ? [`seed ${one.seed} digest ${digest}`] : [])]
    if (played.wrong.length > 0) lines.push(`seed ${one.seed} (${one.act}): ${played.wrong.join('\n  ')}`)
    if (played.wrong.length > 0 && isShrunk) lines.push(await tellShort(played))
    parentPort?.postMessage({played, text: lines.map((line) => `${line}\n`).join('')} satisfies Message)
  }
  parentPort?.postMessage('done')

  async function tellShort(played: Played): Promise<string> {
    const short = await shrink(played, (one) => play(workshop, one))
    const trace: string[] = []
    return describe(await play(workshop, short.case, {onTrace: (line) => trace.push(line)}), trace)
  }
}
