import {type ChildProcess, spawn} from 'node:child_process'
import {constants} from 'node:os'
import type {Environment} from '../../core/environment.js'
import {isFromCommand, type Started, watchedVariable} from './channel.js'
import type {Ended} from './event.js'
import type {Notifier} from './notifier.js'
import type {RunRecord} from './outbox.js'

export type Watch = {
  /** Starts this program again: its file, and the arguments before those of the command. */
  program: {file: string; args: readonly string[]}
  /** The command and its arguments, without what notifies. */
  args: readonly string[]
  environment: Environment
  /** Target of its standard output; that of this process unless given. */
  stdout?: number | undefined
  /** Forwards the signals that reach this process; returns the function that ends this. */
  onSignal: (forward: (signal: NodeJS.Signals) => void) => () => void
  /** Undefined where nobody is to be notified. */
  notice?: {started: Started; notifier: Notifier; record: RunRecord | undefined} | undefined
}

/**
 * Runs a command of this program as a child that has the streams of this process and its terminal. Passes signals on,
 * notifies, and resolves with how the command ended. A signal after that ends the notification.
 */
export async function watch({program, args, environment, stdout, onSignal, notice}: Watch): Promise<Ended> {
  const child = spawn(program.file, [...program.args, ...args], {
    stdio: ['inherit', stdout ?? 'inherit', 'inherit', ...(notice ? ['ipc' as const] : [])],
    env: {...environment, ...(notice && {[watchedVariable]: 'true'})},
  })
  const ended = untilEnded(child)
  let isOver = false
  const stopForwarding = onSignal((signal) => (isOver ? notice?.notifier.giveUp() : forwardTo(child, signal)))
  if (notice) startNotice(child, notice)
  const how = await ended
  isOver = true
  try {
    await notice?.notifier.end(how)
    return how
  } finally {
    stopForwarding()
  }
}

function startNotice(child: ChildProcess, {started, notifier, record}: NonNullable<Watch['notice']>): void {
  child.send({kind: 'started', started}, () => undefined) // it may have ended
  child.on('message', (message) => {
    if (!isFromCommand(message)) return
    if (message.kind === 'facts') notifier.know(message.facts)
    else notifier.add(message.text)
  })
  if (child.pid !== undefined) record?.addProcess(child.pid)
  notifier.start()
}

/** Resolves once the command has ended and its last message has arrived. Rejects where it cannot be started. */
async function untilEnded(child: ChildProcess): Promise<Ended> {
  const closed = new Promise<void>((resolve) => child.once('disconnect', resolve))
  const how = await new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({exitCode: code ?? exitCodeOf(signal), signal: signal ?? undefined}))
  })
  if (child.connected) await closed
  return how
}

/** Windows knows no signals: a console tells all its processes, and anything else would kill the command. */
function forwardTo(child: ChildProcess, signal: NodeJS.Signals): void {
  if (process.platform !== 'win32') child.kill(signal)
}

function exitCodeOf(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : constants.signals[signal])
}
