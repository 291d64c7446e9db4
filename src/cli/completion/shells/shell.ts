import type {Answer} from './offered.js'

/** Where this program lies, for when it is not in the search path. */
export type Place = {
  readonly program: string
  /** The Node that runs it; absent when it runs by itself. */
  readonly node?: string
}

export type Shell = {
  /** The script that a user loads. */
  readonly script: (place: Place) => string
  /** Reads what the script hands over, finds what completes it, and writes that as the script reads it. */
  readonly answer: (given: readonly string[], complete: Complete) => Promise<string>
  /** The command that sets completion up for good, and where it is written. */
  readonly setup: {readonly file: string; readonly line: string}
}

/** What may stand at the cursor, which is at the end of the last word. */
export type Complete = (args: readonly string[]) => Promise<Answer>

/** As shells of this family take it for one word; without backslashes, which `printf` would change. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`
}

export function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

/** Shells that completion can be set up in. */
export const shellNames = ['bash', 'zsh', 'fish', 'powershell'] as const
export type ShellName = (typeof shellNames)[number]
