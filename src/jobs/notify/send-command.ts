import {type ChildProcess, spawn} from 'node:child_process'
import type {Clock} from '../../core/clock.js'
import type {Answer, Sender} from './deliver-event.js'
import type {NotifyEvent} from './event.js'

export type CommandOptions = {
  /** Of the command; it holds no secret of this program. */
  environment: NodeJS.ProcessEnv
  clock: Clock
  /** The command and all that it started are ended after this time. */
  limitMilliseconds?: number
}

const usualLimitMilliseconds = 10_000
const longestOutput = 500
const isWindows = process.platform === 'win32'

/** Notifies by a command without a shell, which has the event as JSON on its standard input. */
export function createCommandSender(words: readonly string[], options: CommandOptions): Sender {
  const [file = ''] = words
  return {kind: 'command', shown: `The command ${file}`, send: (event) => run(words, event, options)}
}

async function run(
  [file = '', ...args]: readonly string[],
  event: NotifyEvent,
  options: CommandOptions,
): Promise<Answer> {
  const {environment, clock, limitMilliseconds = usualLimitMilliseconds} = options
  // A group of its own: a Ctrl-C of the terminal does not end it, and a time limit ends all of it.
  const child = spawn(file, args, {env: environment, detached: !isWindows, windowsHide: true, stdio: 'pipe'})
  const output = collectOutput(child)
  const done = new AbortController()
  const ended = untilEnded(child, output)
  const limit = clock.sleep(limitMilliseconds, done.signal).then(
    () => ({isDelivered: false, text: `it did not end within ${limitMilliseconds / 1000} seconds`}),
    () => ended,
  )
  child.stdin.on('error', () => undefined) // it may end without reading
  child.stdin.end(`${JSON.stringify(event)}\n`)
  try {
    const answer = await Promise.race([ended, limit])
    if (!answer.isDelivered) endGroup(child)
    return answer
  } finally {
    done.abort()
    for (const stream of child.stdio) stream?.destroy() // others may hold them open
    child.unref()
  }
}

function collectOutput(child: ChildProcess): () => string {
  let kept = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-longestOutput)
    })
  }
  return () =>
    kept
      .trim()
      .split(/[\r\n]+/)
      .at(-1) ?? ''
}

function untilEnded(child: ChildProcess, output: () => string): Promise<Answer> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({isDelivered: false, isFinal: true, text: toReason(error)}),
    )
    child.once('exit', (code, signal) => {
      const how = signal === null ? `it ended with exit code ${code}` : `it was killed by ${signal}`
      const line = output()
      resolve({isDelivered: code === 0, text: line === '' ? how : `${how}: ${line}`})
    })
  })
}

function toReason({code = 'unknown'}: NodeJS.ErrnoException): string {
  return {ENOENT: 'there is no such command', EACCES: 'it may not be run'}[code] ?? `it cannot be started (${code})`
}

/** Ends a command with all that it started; on Windows the command alone. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (isWindows) child.kill()
    else process.kill(-child.pid, 'SIGKILL')
  } catch {} // it has ended
}
