import type {JsonRecord, JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {foldText, type KeyField} from './look-up.js'

/** A record whose name is nearly that of a new row, in the same place. */
export type NearMiss = {record: JsonRecord; field: string}

/**
 * Existing records that a new one could have been meant to be: its texts differ from theirs in case, blanks, the form of
 * characters, or one letter of a name of five or more; never in a digit. Each letter of a name adds one entry of its length to the index.
 */
export function createNearFinder(records: readonly JsonRecord[], match: readonly KeyField[]) {
  const texts = match.filter(({field}) => field.kind === 'text').map(({name}) => name)
  const others = match.filter(({field}) => field.kind !== 'text').map(({name}) => name)
  const [first] = texts
  const scopeOf = (values: JsonRecord) => JSON.stringify(others.map((name) => idText(values[name])))
  const index = new Map<string, JsonRecord[]>()
  for (const record of first === undefined ? [] : records) {
    const scope = scopeOf(record)
    for (const variant of variantsOf(idText(record[first ?? '']))) {
      const known = index.get(scope + variant)
      if (known) known.push(record)
      else index.set(scope + variant, [record])
    }
  }

  return (values: JsonRecord): NearMiss | undefined => {
    if (first === undefined) return undefined
    const scope = scopeOf(values)
    for (const variant of variantsOf(idText(values[first]))) {
      const record = index.get(scope + variant)?.find((one) => texts.every((name) => isNear(values[name], one[name])))
      const field = record && texts.find((name) => idText(values[name]) !== idText(record[name]))
      if (record && field !== undefined) return {record, field}
    }
    return undefined
  }
}

const fewestLetters = 5

/** A folded name, and each that it becomes without one of its letters; names that are one letter apart share one of them. */
function variantsOf(text: string): Set<string> {
  const letters = Array.from(foldText(text))
  const shorter = letters.flatMap((letter, at) => (isLetter(letter) ? [letters.toSpliced(at, 1).join('')] : []))
  return new Set([letters.join(''), ...(countLetters(letters) < fewestLetters ? [] : shorter)])
}

function isNear(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const [name, known] = [Array.from(foldText(idText(one))), Array.from(foldText(idText(other)))]
  if (name.join('') === known.join('')) return idText(one) === idText(other) || name.some(isLetter)
  if (Math.min(countLetters(name), countLetters(known)) < fewestLetters - 1 || countLetters(name) < fewestLetters)
    return false
  let start = 0
  while (start < name.length && name[start] === known[start]) start++
  const isShorter = name.length < known.length
  const [longer, shorter] = isShorter ? [known, name] : [name, known]
  const rest = longer.length === shorter.length ? shorter.slice(start + 1) : shorter.slice(start)
  const changed = [longer[start] ?? '', ...(longer.length === shorter.length ? [shorter[start] ?? ''] : [])]
  return longer.slice(start + 1).join('') === rest.join('') && changed.every(isLetter)
}

const isLetter = (letter: string) => /^\p{L}$/u.test(letter)

function countLetters(letters: readonly string[]): number {
  return letters.filter(isLetter).length
}
