import {type ChildProcess, spawn} from 'node:child_process'
import {closeSync, existsSync, openSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {runInProcess} from './in-process/program.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = `${root}bin/run.js`
const longestMilliseconds = 120_000
/** Scripts without a terminal agree beforehand; tests of the question take this away. */
const consent = {VENDORCTL_YES: 'true'}
/** Shared by all runs of all tests: the program is compiled once. */
const compileCache = join(tmpdir(), 'vendorctl-test-compile-cache')

if (!existsSync(`${root}dist/program.cjs`)) throw new Error('The program is not built yet: npm run build')

/** What a shell sees of a run. */
export type Ran = {
  exitCode: number | null
  /** The signal that ended it, when it did not end itself. */
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export type RunOptions = {
  /** Laid over the clean environment; undefined takes a variable away. */
  environment?: Record<string, string | undefined>
  /** Standard input; closed when left out. */
  input?: string | Buffer
  /** Standard input is left open, for the test to write to. */
  isInputOpen?: boolean
  cwd?: string
  /** A file, such as /dev/full, that takes standard output in place of a pipe. */
  stdout?: string
  /** Program and words that start the program, such as a shell that sets the umask. */
  through?: [string, ...string[]]
}

export type Running = {
  child: ChildProcess
  /** What was printed so far. */
  stdout(): string
  stderr(): string
  ended: Promise<Ran>
}

/** Starts the built program as a shell would, with nothing of this process's environment but the path. */
export function startBinary(words: readonly string[], options: RunOptions = {}): Running {
  const {environment = {}, input, isInputOpen = false, cwd, stdout, through} = options
  const descriptor = stdout === undefined ? undefined : openSync(stdout, 'w')
  const [file, ...before] = [...(through ?? []), process.execPath] as [string, ...string[]]
  const child = spawn(file, [...before, program, ...words], {
    cwd: cwd ?? environment['HOME'] ?? tmpdir(),
    env: {PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache, ...consent, ...environment},
    stdio: [input === undefined ? 'ignore' : 'pipe', descriptor ?? 'pipe', 'pipe'],
    detached: process.platform !== 'win32', // no terminal of its own to ask on, as in cron
    timeout: longestMilliseconds,
    killSignal: 'SIGKILL',
  })
  if (descriptor !== undefined) closeSync(descriptor)
  child.stdin?.on('error', () => undefined)
  if (!isInputOpen) child.stdin?.end(input)
  const output = {stdout: '', stderr: ''}
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, signal) => {
      resolve({exitCode, signal, ...output})
    })
  })

  return {child, stdout: () => output.stdout, stderr: () => output.stderr, ended}
}

/** Runs the built program to its end, in a process of its own. */
export function runBinary(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return startBinary(words, options).ended
}

/** Runs the built program to its end: in this process, or in one of its own for what only a process has. */
export function runProgram(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const {environment = {}, input, cwd} = options
  if (needsProcess(words, options)) return runBinary(words, options)
  const own = Object.entries({PATH: process.env['PATH'], ...consent, ...environment})
  const given = Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  return runInProcess(words, {environment: given, input, cwd: cwd ?? given['HOME'] ?? tmpdir()})
}

/** What Node reads when it starts, and a shared budget. */
const ofProcesses = /^(NODE_|TZ$|LC_|LANG|VENDORCTL_BUDGET)/
/** Limits of a connection to PostgreSQL are not met while another run blocks this process. */
const isPostgres = (word: string) => /^postgres(ql)?:/.test(word)

function needsProcess(words: readonly string[], {environment = {}, through, isInputOpen, stdout}: RunOptions): boolean {
  if (through ?? stdout ?? isInputOpen) return true
  return words.map(String).some(isPostgres) || Object.keys(environment).some((name) => ofProcesses.test(name))
}
