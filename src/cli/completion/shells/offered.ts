/** A word, or the rest of one, that may stand at the cursor. */
export type Candidate = {
  readonly value: string
  readonly about?: string | undefined
  /** The word is not complete: no space follows. */
  readonly open?: boolean
}

export type Answer = {
  /** The beginning of the word at the cursor that stays as it is, such as `--output=` or `id,`. */
  readonly fixed: string
  /** The rest of the word as typed so far; candidates stand in its place. */
  readonly typed: string
  /** All that could stand there, whether or not it begins as typed: some shells match in ways of their own. */
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

/** Whether a text can stand on a command line as it looks: no line ends, escape sequences or marks of direction. */
export function isPlain(text: string): boolean {
  return text !== '' && !unseen.test(text)
}

/** A description on one line, without anything that a terminal obeys. */
export function toPlainLine(text = ''): string {
  return text.replaceAll(new RegExp(unseen.source, 'gu'), ' ').replaceAll(/ {3,}/g, '  ').trim()
}
