import {CliFailure} from '../../core/errors.js'

/** A reader closed the pipe: no failure, but no reason to go on. */
export class PipeClosed extends Error {
  override readonly name = 'PipeClosed'
}

const controller = new AbortController()

/** Aborted when this run should take on no more work; the reason is a `CliFailure` or `PipeClosed`. */
export const stopSignal: AbortSignal = controller.signal

export function stop(reason: CliFailure | PipeClosed): void {
  controller.abort(reason)
}

const exits = {SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'terminated'} as const
const secondTimeCode = {SIGINT: 130, SIGTERM: 143, SIGHUP: 143} as const

/** A Ctrl-C that arrives twice, or is held down, is one. */
const repeatMilliseconds = 500

const unfinished = () =>
  'Stopped immediately, before the command had finished.\n→ Give a read again; what is known of a write: vendorctl runs list'

let lastWords: () => string = unfinished

/** What is printed when a second signal ends the program: what is known, and the next command. */
export function sayOnLeaving(words: (() => string) | undefined): void {
  lastWords = words ?? unfinished
}

/** The command printed how it ended, so that nothing is left to be printed. */
export function endsTold(): void {
  lastWords = () => ''
}

/** The first signal stops taking on work and lets what is under way end well; a second one ends the program. */
export function installSignals(leave: (code: number) => void, monotonic: () => number): void {
  let firstAt: number | undefined
  for (const name of Object.keys(exits) as (keyof typeof exits)[]) {
    process.on(name, () => {
      const now = monotonic()
      if (firstAt !== undefined && now - firstAt < repeatMilliseconds) return
      if (firstAt !== undefined) {
        const words = lastWords()
        if (words !== '') process.stderr.write(`\n${words}\n`)
        leave(secondTimeCode[name])
      }
      firstAt ??= now
      stop(
        new CliFailure(name === 'SIGINT' ? 'Stopped by Ctrl-C.' : `Stopped by ${name}.`, {
          code: name,
          exit: exits[name],
          retry: 'safe',
        }),
      )
    })
  }
}
