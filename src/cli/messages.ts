import {toSafeText} from '../formats/safe-text.js'
import {say} from './error-output.js'
import {foldFor} from './fold-text.js'
import {redact} from './redact.js'

export type MessageOptions = {quiet: boolean; verbose: boolean}

/** Everything for people: on standard error, without secrets, without control characters of foreign data. */
export type Messages = {
  /** Always shown: failures, refusals, what was changed. */
  tell(text: string): void
  /** Shown unless `--quiet`: notices, resolved ranges, summaries. */
  note(text: string): void
  /** Shown with `--verbose`. */
  detail(text: string): void
}

export function createMessages({quiet, verbose}: MessageOptions): Messages {
  const print = (text: string) => {
    say(`${foldFor(process.stderr, redact(text))}\n`)
  }

  return {
    tell: print,
    note: (text) => (quiet ? undefined : print(text)),
    detail: (text) => (verbose ? print(text) : undefined),
  }
}

/** One line of foreign text, safe for a terminal. */
export function shown(text: string): string {
  return toSafeText(text)
}
