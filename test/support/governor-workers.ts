import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'

const program = fileURLToPath(new URL('governor-worker.js', import.meta.url))

export type WorkerSettings = {
  url: string
  apiKey: string
  username: string
  password: string
  folder: string
  requests?: number
  seconds?: number
  parallel?: number
  rate: number
  burst: number
}

export type Worker = {
  child: ChildProcess
  ready: Promise<void>
  begin(): void
  ended: Promise<WorkerReport | undefined>
}

export type WorkerReport = {sent: number; is: string; milliseconds: number; notices: string[]}

/** A process that asks through the ledger; what it reports is undefined when it was killed. */
export function startWorker(settings: WorkerSettings): Worker {
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], {stdio: ['pipe', 'pipe', 'inherit']})
  const lines: string[] = []
  const ready = Promise.withResolvers<void>()
  createInterface({input: child.stdout}).on('line', (line) => {
    if (line === 'ready') ready.resolve()
    else lines.push(line)
  })
  const ended = once(child, 'close').then(() => {
    ready.resolve()
    return lines[0] === undefined ? undefined : (JSON.parse(lines[0]) as WorkerReport)
  })
  return {child, ready: ready.promise, begin: () => child.stdin.end(), ended}
}
