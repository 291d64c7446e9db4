import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import type {Sandbox} from '../../../src/sandbox/server.js'
import {type Ran, runBinary} from '../../support/run-binary.js'

export type MachineOptions = {
  /** Processes, and requests that each asks for together. */
  processes?: number
  parallel?: number
}

/** What a process saw until it ended. */
export type Report = {
  answered: number
  longest: number
  failures: Record<string, number>
  told: string[]
}

/** A state folder with processes. */
export type Machine = {
  parallel: number
  ready: Promise<void>
  /** The program on this machine, with its environment. */
  run(words: readonly string[]): Promise<Ran>
  kill(): void
  /** SIGSTOP and SIGCONT to its processes. */
  pause(): void
  resume(): void
  wasKilled(): boolean
  answered(): number
  /** A process of it ended without a report. */
  hasFallen(): boolean
  /** Lets its processes end when their requests are answered. */
  end(): Promise<Report | undefined>[]
}

export type Place = {home: string; database: string; sandbox: Sandbox; url: string}

const worker = fileURLToPath(new URL('worker.js', import.meta.url))

export function startMachine({home, database, sandbox, url}: Place, options: MachineOptions): Machine {
  const {processes = 1, parallel = 2} = options
  const {apiKey, username, password} = sandbox
  mkdirSync(home, {recursive: true})
  const environment: Record<string, string> = {
    HOME: home,
    XDG_STATE_HOME: `${home}/state`,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_CACHE_HOME: `${home}/cache`,
    VENDORCTL_BUDGET: database,
    VENDORCTL_BASE_URL: url,
    VENDORCTL_API_KEY: apiKey,
    VENDORCTL_USERNAME: username,
    VENDORCTL_PASSWORD: password,
  }
  const settings = JSON.stringify({parallel})
  const running = Array.from({length: processes}, () => startProcess(settings, environment))
  let [wasKilled, answered, hasFallen] = [false, 0, false]
  const signal = (kind: NodeJS.Signals) => {
    for (const {child} of running) child.kill(kind)
  }

  return {
    parallel: parallel * processes,
    ready: Promise.all(running.map((one) => one.ready)).then(() => undefined),
    run: (words) => runBinary(words, {environment}),
    kill() {
      wasKilled = true
      signal('SIGKILL')
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    wasKilled: () => wasKilled,
    answered: () => answered,
    hasFallen: () => hasFallen,
    end: () =>
      running.map(async ({child, ended}) => {
        child.stdin?.end()
        const report = await ended
        answered += report?.answered ?? 0
        hasFallen ||= report === undefined
        return report
      }),
  }
}

type Process = {child: ChildProcess; ready: Promise<void>; ended: Promise<Report | undefined>}

function startProcess(settings: string, environment: Record<string, string>): Process {
  const child = spawn(process.execPath, [worker, settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {PATH: process.env['PATH'], ...environment},
  })
  const ready = Promise.withResolvers<void>()
  let text = ''
  child.stdin.on('error', () => undefined)
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more
    if (text.includes('\n')) ready.resolve()
  })
  const ended = once(child, 'close').then(() => {
    ready.resolve()
    const [, report] = text.split('\n')
    return report ? (JSON.parse(report) as Report) : undefined
  })
  return {child, ready: ready.promise, ended}
}
