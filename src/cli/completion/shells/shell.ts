/** A word, or the rest of one, that fits at the cursor. */
export type Candidate = {
  readonly value: string
  readonly about?: string | undefined
  /** The word is not complete: no space follows. */
  readonly open?: boolean
}

export type Answer = {
  /** The beginning of the word at the cursor that is kept, such as `--output=` or `id,`. */
  readonly fixed: string
  /** The rest of the word as typed so far; a candidate replaces it. */
  readonly typed: string
  /**
   * All words that are possible there, also those that begin otherwise than typed: some shells match in their own ways.
   */
  readonly candidates: readonly Candidate[]
  /** Whether the rest is the name of a file, which shells know best. */
  readonly files: boolean
}

export function answer(typed: string, candidates: readonly Candidate[], fixed = ''): Answer {
  return {fixed, typed, candidates, files: false}
}

export function filesAnswer(typed: string, fixed = ''): Answer {
  return {fixed, typed, candidates: [], files: true}
}

/** The candidates that begin as typed; when none does, those that do so in other case. */
export function matching({candidates, typed}: Answer): Candidate[] {
  const exact = candidates.filter(({value}) => value.startsWith(typed))
  if (exact.length > 0) return exact
  const folded = typed.toLowerCase()
  return candidates.filter(({value}) => value.toLowerCase().startsWith(folded))
}

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

/** Whether a text can be offered as a candidate: not empty, and without control or formatting characters. */
export function isPlain(text: string): boolean {
  return text !== '' && !unseen.test(text)
}

/** A description on one line, without anything that a terminal obeys. */
export function toPlainLine(text = ''): string {
  return text.replaceAll(new RegExp(unseen.source, 'gu'), ' ').replaceAll(/ {3,}/g, '  ').trim()
}

/** The files of this program, for shells in which it is not in the search path. */
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

/** Words that fit at the cursor, which is at the end of the last word. */
export type Complete = (args: readonly string[]) => Promise<Answer>

/** A text as one word of shells like bash; without backslashes, which `printf` would change. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`
}

export function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

/** Shells that completion can be set up in. */
export const shellNames = ['bash', 'zsh', 'fish', 'powershell'] as const
export type ShellName = (typeof shellNames)[number]

/** A line of Bash or fish up to the cursor, as the program would get it. */
export type ShellLine = {
  /**
   * The words without quotes, the last one up to the cursor; variables and commands stay as written: nothing is run.
   */
  words: string[]
  /** The last word as typed. */
  raw: string
  /** The quote that is open at the cursor. */
  open: '' | "'" | '"'
  /** The cursor is at the file of a redirection. */
  isFile: boolean
}

const command = String.raw`\$\((?:[^()]|\([^()]*\)?)*\)?`
const inDouble = String.raw`(?:\\[^]?|${command}|[^"\\])*`
const target = String.raw`(?:\\[^]|'[^']*'?|"${inDouble}"?|${command}|[^\s<>|&;])*`
const redirection = String.raw`(?:(?<!\S)(?:\d+|\{\w+\})|&)?[<>](?!\()[<>&|]{0,2}-?\s*${target}`
const single = `'(?<single>[^']*)(?<singleEnd>'?)`
const double = `"(?<double>${inDouble})(?<doubleEnd>"?)`
const pieces = new RegExp(
  String.raw`(?<redirection>${redirection})|(?<space>\s+)|${single}|${double}|\\(?<escaped>[^]?)|${command}|[^]`,
  'g',
)

/** Splits a line into words, without its redirections, which no program gets to see. An open quote is as if closed. */
export function readShellLine(text: string): ShellLine {
  const line: ShellLine = {words: [], raw: '', open: '', isFile: false}
  let word = ''
  for (const {0: piece, groups = {}} of text.matchAll(pieces)) {
    line.isFile = groups['redirection'] !== undefined
    if (line.isFile) continue
    if (groups['space'] === undefined) {
      line.raw += piece
      line.open = groups['singleEnd'] === '' ? "'" : groups['doubleEnd'] === '' ? '"' : ''
      word += unquote(piece, groups)
    } else if (line.raw !== '') {
      line.words.push(word)
      Object.assign(line, {raw: '', open: ''})
      word = ''
    }
  }

  return {...line, words: [...line.words, word]}
}

/** A piece of a word without its quotes; within double quotes a backslash stays before what it does not quote. */
function unquote(piece: string, groups: Readonly<Record<string, string | undefined>>): string {
  return groups['single'] ?? groups['double']?.replaceAll(/\\(["\\$`])/g, '$1') ?? groups['escaped'] ?? piece
}
