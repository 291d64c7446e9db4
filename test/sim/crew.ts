import {hash} from 'node:crypto'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {parentPort, Worker, workerData} from 'node:worker_threads'
import type {Bundle} from './bundle.js'
import {type Case, type Played, play} from './history.js'
import {reportUncaught} from './life.js'
import {tellShortest} from './shrink.js'
import {openWorkshop} from './world.js'

/** What is told of each history: all of it, a digest, or the shortest one that fails alike, in words; `keep` its disk. */
export type Flags = {trace?: boolean; digests?: boolean; shrink?: boolean; keep?: boolean}
type Task = {bundle: Bundle; cases: readonly Case[]; flags: Flags}
type Message = {played: Played; text: string}

/** Plays cases with so many threads; ends early when `onPlayed` says that it is enough. */
export async function playAll(task: Task, workers: number, onPlayed: (message: Message) => 'enough' | undefined) {
  const folder = mkdtempSync(join('/dev/shm', 'vendorctl-sim-'))
  const count = Math.max(1, Math.min(workers, task.cases.length))
  const all = Array.from({length: count}, (_, number) => {
    const cases = task.cases.filter((_, index) => index % count === number)
    const workerData = {...task, cases, folder: join(folder, String(number))}
    const resourceLimits = {maxYoungGenerationSizeMb: 128} // lives leave much behind, which is collected again and again
    const worker = new Worker(new URL('run.js', import.meta.url), {workerData, resourceLimits})
    return worker.on('message', (message: Message | 'done') => {
      if (message === 'done') void worker.terminate()
      else if (onPlayed(message) === 'enough') for (const each of all) void each.terminate()
    })
  })
  try {
    await Promise.all(all.map((worker) => once(worker, 'exit')))
  } finally {
    if (!task.flags.keep) rmSync(folder, {recursive: true, force: true})
  }
}

export async function work(): Promise<void> {
  const {bundle, folder, cases, flags} = workerData as Task & {folder: string}
  process.on('unhandledRejection', (error) => {
    if (!reportUncaught(error)) throw error
  })
  const workshop = openWorkshop(bundle, folder)
  for (const one of cases) {
    const trace: string[] = []
    const onTrace = flags.trace || flags.digests ? (line: string) => void trace.push(line) : undefined
    const played = await play(workshop, one, {isKept: flags.keep, onTrace})
    const lines = flags.trace ? [...trace] : []
    if (flags.digests) lines.push(`seed ${one.seed} digest ${hash('md5', trace.join('\n'))}`)
    if (played.wrong.length > 0) lines.push(`seed ${one.seed} (${one.act}): ${played.wrong.join('\n  ')}`)
    if (played.wrong.length > 0 && flags.shrink) lines.push(await tellShortest(workshop, played))
    parentPort?.postMessage({played, text: lines.map((line) => `${line}\n`).join('')} satisfies Message)
  }
  parentPort?.postMessage('done')
}
