type FlagFacts = {
  type: string
  char?: string | undefined
  aliases?: readonly string[] | undefined
  multiple?: boolean | undefined
  multipleNonGreedy?: boolean | undefined
}
type Flags = Readonly<Record<string, FlagFacts>>

/** No command line can hold it. */
const mark = '\0'

/**
 * Words in which the parser takes no value for a flag: it refuses `--sort=-orgId` because there is a flag `-o`. The next
 * word is a value, too, unless it is a flag to the letter.
 */
export function markDashed(words: readonly string[], flags: Flags): string[] {
  const marked: string[] = []
  for (let place = 0; place < words.length; place++) {
    const word = words[place] ?? ''
    if (word === '--') return [...marked, ...words.slice(place)]
    const [, name = '', equals, value = ''] = /^(--[^=]+|-[^-])(=?)(.*)$/s.exec(word) ?? []
    const isOption = findFlag(name, flags)?.type === 'option'
    const next = words[place + 1]
    if (isOption && (equals || value) && isLikeFlag(value, flags)) marked.push(`${name}=${mark}${value}`)
    else if (isOption && word === name && next !== undefined && isSpelledOut(next, flags)) {
      marked.push(word, `${mark}${next}`)
      place++
    } else marked.push(word)
  }

  return marked
}

/** The values of flags as they were given. */
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

/** `-orgId` behind a flag that needs a value is that value; `-o` and `--output` are flags, and the value is missing. */
function isSpelledOut(word: string, flags: Flags): boolean {
  return /^-[^-]./s.test(word) && isLikeFlag(word, flags)
}

function findFlag(word: string, flags: Flags): FlagFacts | undefined {
  const isLong = word.startsWith('--')
  const name = word.slice(isLong ? 2 : 1)
  if (!word.startsWith('-')) return undefined
  if (isLong && Object.hasOwn(flags, name)) return flags[name]
  return Object.values(flags).find(({char, aliases}) => (isLong ? aliases?.includes(name) : char === name))
}
