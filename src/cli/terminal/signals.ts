import {CliFailure} from '../../core/errors.js'
import {createProcessState} from '../../core/process-state.js'
import {say} from './error-output.js'

/** The reader closed the pipe: not a failure, but the end of the run. */
export class PipeClosed extends Error {
  override readonly name = 'PipeClosed'
}

/** State of the process. `isPassedOn`: signals are passed on to a child, and do not end this process. */
const state = createProcessState(() => ({
  controller: new AbortController(),
  lastMessage: unfinished,
  runId: noRun,
  isPassedOn: false,
}))

/** Aborted when this run should start nothing new; the reason is a `CliFailure` or `PipeClosed`. */
export function stopSignal(): AbortSignal {
  return state().controller.signal
}

export function stop(reason: CliFailure | PipeClosed): void {
  state().controller.abort(reason)
}

const exits = {SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'hungUp'} as const
const secondSignalCode = {SIGINT: 130, SIGTERM: 143, SIGHUP: 129} as const

/** Time within which repeated signals count as one, as when Ctrl-C is held down. */
const repeatMilliseconds = 500

function unfinished(): string {
  return 'Stopped immediately, before the command had finished.\n→ Run a read again. See the state of a write with: vendorctl runs list'
}

function noRun(): string | undefined {
  return undefined
}

/** Sets the message for a second signal, which ends the program: the known state, the next command, and the run. */
export function onSecondSignal(message: () => string, runId = noRun): void {
  Object.assign(state(), {lastMessage: message, runId})
}

/** The command has printed its result, so a second signal prints nothing more. */
export function resultPrinted(): void {
  state().lastMessage = () => ''
}

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Forwards signals to a child that this process waits for. Returns the function that ends this. */
export function passSignals(forward: (signal: NodeJS.Signals) => void): () => void {
  state().isPassedOn = true
  for (const name of forwarded) process.on(name, forward)
  return () => {
    state().isPassedOn = false
    for (const name of forwarded) process.off(name, forward)
  }
}

/** Runs synchronous work without signal handlers, which could not run meanwhile: a signal ends the process. */
export function whileBlocked<Result>(work: () => Result): Result {
  const names = Object.keys(exits) as (keyof typeof exits)[]
  const handlers = names.map((name) => [name, process.listeners(name)] as const)
  for (const name of names) process.removeAllListeners(name)
  try {
    return work()
  } finally {
    for (const [name, all] of handlers) for (const each of all) process.on(name, each)
  }
}

/** State that a second signal leaves: a message, empty once the result was printed, and the run that it is about. */
export type Left = {message: string; runId: string | undefined}

/** The first signal stops new work and lets requests in flight finish; a second one ends the program. */
export function installSignals(leave: (code: number, left: Left) => void, monotonic: () => number): void {
  let firstAt: number | undefined
  for (const name of Object.keys(exits) as (keyof typeof exits)[]) {
    process.on(name, () => {
      const now = monotonic()
      if (firstAt !== undefined && (state().isPassedOn || now - firstAt < repeatMilliseconds)) return
      if (firstAt !== undefined) {
        const message = state().lastMessage()
        if (message !== '') say(`\n${message}\n`)
        leave(secondSignalCode[name], {message, runId: state().runId()})
      }
      firstAt ??= now
      const reason = new CliFailure(name === 'SIGINT' ? 'Stopped by Ctrl-C.' : `Stopped by ${name}.`, {
        code: name,
        exit: exits[name],
        retry: 'safe',
      })
      stop(reason)
      stopInput(reason)
    })
  }
}

/** Ends the wait for input that is being read; a terminal is left to what asks on it, which waits for no `readable`. */
function stopInput(reason: CliFailure): void {
  const {stdin} = process
  const isRead = stdin.isTTY ? stdin.listenerCount('readable') > 0 : stdin.readableFlowing !== null
  if (isRead) stdin.destroy(reason)
}
