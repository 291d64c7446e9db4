/** A line of Bash or fish up to the cursor, as the program would get it. */
export type ShellLine = {
  /** Without quotes; variables and commands stay as written, because nothing is run. The last one ends at the cursor. */
  words: string[]
  /** The last word as it is typed. */
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

/** Within double quotes a backslash stays before what it does not quote. */
function unquote(piece: string, groups: Readonly<Record<string, string | undefined>>): string {
  return groups['single'] ?? groups['double']?.replaceAll(/\\(["\\$`])/g, '$1') ?? groups['escaped'] ?? piece
}
