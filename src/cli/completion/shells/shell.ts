import type {Answer} from '../answer.js'

/** A line as a shell hands it over. */
export type Asking = {
  /** The words after the name of the program; the last one ends at the cursor. */
  words: string[]
  /** Writes the answer as the script of the shell reads it. */
  render: (answer: Answer) => string
}

/** Where this program lies, for when it is not in the search path. */
export type Place = {
  readonly program: string
  /** The Node that runs it; absent when it runs by itself. */
  readonly node?: string
}

export type Shell = {
  /** The script that a user loads. */
  readonly script: (place: Place) => string
  /** What the script hands over, read. */
  readonly read: (given: readonly string[]) => Asking
  /** The command that sets completion up for good, and where it is written. */
  readonly setup: {readonly file: string; readonly line: string}
}

/** As shells of this family take it for one word; without backslashes, which `printf` would change. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`
}
