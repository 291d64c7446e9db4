const plain = /^[\w,.:/@+…-][\w,.:/@+=…-]*$/
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

type FlagValue = string | true

/** A flag that is repeatable has a list of values; `true` is a flag without a value, and an undefined one is left out. */
export type FlagValues = Readonly<Record<string, FlagValue | readonly string[] | undefined>>

/**
 * The one way to write a command that somebody is to paste: our words, and foreign text that a shell takes for single
 * arguments and the parser for no flags. Always one line.
 */
export function commandLine(words: string, args: readonly string[] = [], flags: FlagValues = {}): string {
  const start = ['vendorctl', ...words.split(' ').map(shellQuote)]
  const texts = args.map(shellQuote)
  const options = Object.entries(flags).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => flagText(name, one)),
  )
  const hasDashed = args.some((arg) => arg.startsWith('-'))
  return [...start, ...(hasDashed ? [...options, '--', ...texts] : [...texts, ...options])].join(' ')
}

/** A flag with its value, as it is added to a command. */
export function flagText(name: string, value: FlagValue): string {
  if (value === true) return `--${name}`
  return `--${name}${value.startsWith('-') ? '=' : ' '}${shellQuote(value)}`
}

/** As a shell takes it for one argument, without a character that cannot be seen. */
export function shellQuote(text: string): string {
  if (plain.test(text)) return text
  if (text.search(hidden) === -1) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replace(hidden, toOctal)
  return `$'${escaped}'`
}

function toOctal(letter: string): string {
  return [...Buffer.from(letter)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}
