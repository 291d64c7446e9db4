import {stripVTControlCharacters} from 'node:util'
import {unmarkText} from './dashed-values.js'

/** What the parser found wrong, and the words that were missing or too many. */
export type ParserError = {message: string; args?: readonly unknown[]}

type Saying = [pattern: RegExp, say: (...parts: string[]) => string]

const sayings: Saying[] = [
  [/^(--\S+): Expected an integer but received: ?(.*)$/, (flag, value) => `${flag} is not a whole number: "${value}".`],
  [
    /^(--\S+): Expected an integer (greater|less) than or equal to (\S+) but received: ?(.*)$/,
    (flag, than, bound, value) => `${flag} is ${than === 'greater' ? 'less' : 'more'} than ${bound}: "${value}".`,
  ],
  [/^Expected (--[^=\s]+)=(.*) to be one of: (.*)$/, (flag, value, all) => `${flag} is none of ${all}: "${value}".`],
  [/^Expected (.*) to be one of: (.*)$/, (value, all) => `The word "${value}" is none of ${all}.`],
  [/^Flag (--\S+) expects one of these values: (.*)$/, (flag, all) => `${flag} needs a value: one of ${all}.`],
  [/^Flag (--\S+) expects a value$/, (flag) => `${flag} needs a value.`],
  [/^Flag (--\S+) can only be specified once$/, (flag) => `${flag} is given more than once.`],
  [
    /^(?:At least|Exactly) one of the following must be provided: (.*)$/,
    (flags) => `One of ${inTurn(flags)} is needed.`,
  ],
  [/^All of the following must be provided when using (--\S+): (.*)$/, (flag, all) => `${flag} needs ${inTurn(all)}.`],
  [
    /^(--[^=\s]+)(?:=.*)? cannot also be provided when using (--\S+)$/,
    (one, other) => `${one} and ${other} contradict each other.`,
  ],
  [/^Missing required flag (\S+)$/, (flag) => `--${flag} is needed.`],
]

/** What the parser says, in the voice of everything else. */
export function sayParserError({message, args = []}: ParserError): string {
  const plain = stripVTControlCharacters(unmarkText(message))
    .replace(/\n?See more help with --help/g, '')
    .replace(/^The following errors? occurred:\n/, '')
    .replace(/^Parsing (--\S+) \n\t/, '$1: ')
  if (/^Missing \d+ required arg/.test(plain)) return sayMissing(args as MissingWord[])
  if (/^Unexpected argument/.test(plain)) return `The word ${args.map((word) => `"${word}"`).join(', ')} is too many.`
  return plain
    .split('\n')
    .map((line) => sayLine(line.trim()))
    .join(' ')
}

type MissingWord = {name?: string; description?: string}

function sayMissing(words: readonly MissingWord[]): string {
  const named = words.map(({name = '', description = ''}) => {
    const about = description.replace(/\.$/, '')
    return `${name.toUpperCase()}${about && ` (${about})`}`
  })
  return `${words.length === 1 ? 'A word is' : 'Words are'} missing: ${named.join(', ')}.`
}

function sayLine(line: string): string {
  for (const [pattern, say] of sayings) {
    const found = pattern.exec(line)
    if (found) return say(...found.slice(1))
  }

  return /[.:?!]$/.test(line) ? line : `${line}.`
}

/** The parser sorts names by letters; the one that users know first comes first. */
function inTurn(flags: string): string {
  const names = flags.split(', ')
  const [first, ...others] = names.includes('--file') ? ['--file', ...names.filter((name) => name !== '--file')] : names
  return [first, ...others].join(' and ')
}
