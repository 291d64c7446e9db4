import {type ChildProcess, spawn} from 'node:child_process'
import type {Clock} from '../core/clock.js'

export type ProgramOptions = {
  /** The environment of the program, without secrets of this one. */
  environment: NodeJS.ProcessEnv
  /** Text for its standard input, which is closed then. */
  input?: string
  clock: Pick<Clock, 'sleep'>
  /** The program and all that it started are ended after this time. */
  limitMilliseconds: number
  /** Ends them, too. */
  signal?: AbortSignal
  /** Each line of what it prints on standard output and standard error. */
  onLine: (line: string) => void
}

/** The end of a program: by itself, or, with all that it started, by this process. `code`: why it cannot start. */
export type ProgramEnd =
  | {how: 'exit'; code: number}
  | {how: 'signal'; signal: string}
  | {how: 'limit' | 'stopped'}
  | {how: 'not started'; code: string}

/** Time for programs to end when they are asked to, and for their output to arrive after that. */
const graceMilliseconds = 5_000
const drainMilliseconds = 1_000
const longestLine = 8_192
const isWindows = process.platform === 'win32'

/** Runs a program without a shell, in a process group of its own: Ctrl-C reaches this process alone. */
export async function runProgram(words: readonly [string, ...string[]], options: ProgramOptions): Promise<ProgramEnd> {
  const [file, ...args] = words
  const {environment, input, clock, limitMilliseconds, signal, onLine} = options
  if (signal?.aborted) return {how: 'stopped'}
  const child = start(file, args, environment)
  if (typeof child === 'string') return {how: 'not started', code: child}
  child.stdin.on('error', () => undefined).end(input) // it may end without reading
  const flush = [child.stdout, child.stderr].map((stream) => readLines(stream, onLine))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ended = untilEnded(child)
  const kill = () => endGroup(child, 'SIGKILL')
  process.once('exit', kill)
  const over = new AbortController()
  const both = signal ? AbortSignal.any([over.signal, signal]) : over.signal
  const limit = clock.sleep(limitMilliseconds, both).then(
    (): ProgramEnd => ({how: 'limit'}),
    (): ProgramEnd | Promise<ProgramEnd> => (signal?.aborted ? {how: 'stopped'} : ended),
  )
  try {
    const end = await Promise.race([ended, limit])
    if (end.how === 'limit' || end.how === 'stopped') await endAll(child, ended, clock)
    await Promise.race([closed, clock.sleep(drainMilliseconds, over.signal)])
    for (const rest of flush) rest()
    return end
  } finally {
    process.off('exit', kill)
    over.abort()
    for (const stream of child.stdio) stream?.destroy() // others may keep them open
    child.unref()
  }
}

/** Starts a program, or returns the code of an error that is thrown; other errors are events of the child. */
function start(file: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    return spawn(file, args, {env, detached: !isWindows, windowsHide: true, stdio: 'pipe'})
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

function untilEnded(child: ChildProcess): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    child.once('error', ({code = 'unknown'}: NodeJS.ErrnoException) => resolve({how: 'not started', code}))
    child.once('exit', (code, signal) =>
      resolve(signal === null ? {how: 'exit', code: code ?? 1} : {how: 'signal', signal}),
    )
  })
}

/** Returns the function that hands over a last line without an end. */
function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): () => void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (rest + text).split(/[\r\n]+/)
    rest = lines.pop()?.slice(0, longestLine) ?? ''
    for (const line of lines) if (line !== '') onLine(line.slice(0, longestLine))
  })
  return () => {
    if (rest !== '') onLine(rest)
    rest = ''
  }
}

/** Asks a program and all that it started to end, and ends them after a moment. */
async function endAll(child: ChildProcess, ended: Promise<ProgramEnd>, clock: Pick<Clock, 'sleep'>): Promise<void> {
  const isOver = new AbortController()
  endGroup(child, 'SIGTERM')
  await Promise.race([ended, clock.sleep(graceMilliseconds, isOver.signal).catch(() => undefined)])
  isOver.abort()
  endGroup(child, 'SIGKILL')
}

function endGroup({pid}: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    if (isWindows) spawn('taskkill', ['/pid', String(pid), '/t', '/f'], {stdio: 'ignore', windowsHide: true})
    else process.kill(-pid, signal)
  } catch {} // all of them have ended
}

const startFailures: Readonly<Record<string, string>> = {
  ENOENT: 'was not found; give its folder, too, because schedulers look in few',
  EACCES: 'may not be run',
}

/** The sentence about a program after its name; `limit` is the time that it had, such as `3 minutes`. */
export function describeEnd(end: ProgramEnd, limit: string): string {
  switch (end.how) {
    case 'exit':
      return `ended with exit code ${end.code}`
    case 'signal':
      return `was killed by ${end.signal}`
    case 'limit':
      return `did not end within ${limit} and was stopped`
    case 'stopped':
      return 'was stopped'
    case 'not started':
      return startFailures[end.code] ?? `cannot be started (${end.code})`
  }
}
