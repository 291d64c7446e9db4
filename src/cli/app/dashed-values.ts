type FlagFacts = {
  type: string
  char?: string | undefined
  aliases?: readonly string[] | undefined
  multiple?: boolean | undefined
  multipleNonGreedy?: boolean | undefined
}
type Flags = Readonly<Record<string, FlagFacts>>

/** A character that no command line can contain. */
const mark = '\0'

/**
 * Arguments in which no value looks like a flag to the parser, which refuses `--sort=-orgId` because there is a flag
 * `-o`. The next argument is a value, too, unless it is exactly a flag.
 */
export function markDashed(args: readonly string[], flags: Flags): string[] {
  const marked: string[] = []
  for (let place = 0; place < args.length; place++) {
    const word = args[place] ?? ''
    if (word === '--') return [...marked, ...args.slice(place)]
    const [, name = '', equals, value = ''] = /^(--[^=]+|-[^-])(=?)(.*)$/s.exec(word) ?? []
    const isOption = findFlag(name, flags)?.type === 'option'
    const next = args[place + 1]
    if (isOption && (equals || value) && isLikeFlag(value, flags)) marked.push(`${name}=${mark}${value}`)
    else if (isOption && word === name && next !== undefined && isDashedValue(next, flags)) {
      marked.push(word, `${mark}${next}`)
      place++
    } else marked.push(word)
  }

  return marked
}

/** The values of flags as they were typed. */
export function unmarkDashed(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, unmark(value)]))
}

/** A message that quotes a value. */
export function unmarkText(text: string): string {
  return text.replaceAll(mark, '')
}

function unmark(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmark)
  return typeof value === 'string' ? unmarkText(value) : value
}

function isLikeFlag(value: string, flags: Flags): boolean {
  return value !== '-' && findFlag(value.startsWith('--') ? value : value.slice(0, 2), flags) !== undefined
}

/** Whether `-orgId` after a flag is its value; `-o` and `--output` are flags themselves, and the value is missing. */
function isDashedValue(word: string, flags: Flags): boolean {
  return /^-[^-]./s.test(word) && isLikeFlag(word, flags)
}

function findFlag(word: string, flags: Flags): FlagFacts | undefined {
  const isLong = word.startsWith('--')
  const name = word.slice(isLong ? 2 : 1)
  if (!word.startsWith('-')) return undefined
  if (isLong && Object.hasOwn(flags, name)) return flags[name]
  return Object.values(flags).find(({char, aliases}) => (isLong ? aliases?.includes(name) : char === name))
}
