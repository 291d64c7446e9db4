/** The quotes that are open at the end of a line: none, or which. */
export type OpenQuote = '' | "'" | '"'

export type SplitLine = {
  /** Without their quotes; variables and commands in them stay as they are written, because nothing is run. */
  words: string[]
  /** Where the last word begins in the line. */
  last: number
  open: OpenQuote
}

type Reader = {text: string; at: number; word: string | undefined; begin: number; words: string[]; open: OpenQuote}

/** Tells a line apart as Bash and fish do. The last word ends with the line; quotes that are open are as if closed. */
export function splitLine(text: string): SplitLine {
  const reader: Reader = {text, at: 0, word: undefined, begin: text.length, words: [], open: ''}
  while (reader.at < text.length) readNext(reader)
  const isNew = reader.word === undefined
  return {words: [...reader.words, reader.word ?? ''], last: isNew ? text.length : reader.begin, open: reader.open}
}

function readNext(reader: Reader): void {
  const letter = reader.text[reader.at] ?? ''
  const isBetween = reader.open === '' && /\s/.test(letter)
  if (!isBetween && reader.word === undefined) reader.begin = reader.at
  if (isBetween) endWord(reader)
  else if (reader.open === '' && (letter === "'" || letter === '"')) openQuote(reader, letter)
  else if (letter === reader.open) openQuote(reader, '')
  else if (letter === '\\' && reader.open !== "'") take(reader, 1, escaped(reader))
  else if (letter === '$' && reader.text[reader.at + 1] === '(' && reader.open !== "'") takeCommand(reader)
  else take(reader, 0, letter)
}

function endWord(reader: Reader): void {
  if (reader.word !== undefined) reader.words.push(reader.word)
  reader.word = undefined
  reader.at++
}

function openQuote(reader: Reader, quote: OpenQuote): void {
  reader.open = quote
  take(reader, 0, '')
}

function take(reader: Reader, skipped: number, text: string): void {
  reader.word = `${reader.word ?? ''}${text}`
  reader.at += skipped + 1
}

/** Within double quotes a backslash stays before what it does not quote. */
function escaped({text, at, open}: Reader): string {
  const next = text[at + 1] ?? ''
  return open === '"' && !/["\\$`]/.test(next) ? `\\${next}` : next
}

/** `$(ls a b)` is part of one word, whatever stands in it. */
function takeCommand(reader: Reader): void {
  const begin = reader.at
  let depth = 0
  do {
    const letter = reader.text[reader.at++]
    if (letter === '(') depth++
    if (letter === ')') depth--
  } while (reader.at < reader.text.length && (depth > 0 || reader.at === begin + 1))
  reader.word = `${reader.word ?? ''}${reader.text.slice(begin, reader.at)}`
}
