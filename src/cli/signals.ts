import {CliFailure} from '../errors.js'

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

let lastWords: (() => string) | undefined

/** What is said when a second signal leaves at once: the state in which things are left. */
export function sayOnLeaving(words: (() => string) | undefined): void {
  lastWords = words
}

/** The first signal stops taking on work and lets what is under way end well; the second leaves at once. */
export function installSignals(leave: (code: number) => void): void {
  for (const name of Object.keys(exits) as (keyof typeof exits)[]) {
    process.on(name, () => {
      if (controller.signal.aborted) {
        if (lastWords) process.stderr.write(`\n${lastWords()}\n`)
        leave(secondTimeCode[name])
      }
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
