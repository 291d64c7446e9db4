import {atSize, type PagePlace} from './page-place.js'
import type {Retry, Tried} from './retry.js'

/** One try to read one page. */
type TryPage<Answer> = (place: PagePlace, attempt: number) => Promise<Tried<Answer>>

export type Laddered<Answer> = {place: PagePlace; answer: Answer}

/** Smaller pages are not tried: the cause is another one then. */
const smallestSize = 100
/** The same size gets a second chance before a smaller one is tried: a glitch is more frequent than a page too large. */
const chancesOfSize = 2

/**
 * Reads a page, and where it is too large for the way, the first part of it: half its size, a quarter, and so on, which
 * begins at the same record. Throws the failure of the last try.
 */
export async function readDownLadder<Answer>(
  place: PagePlace,
  wire: {retry: Retry; tryPage: TryPage<Answer>; cut?: AbortSignal},
): Promise<Laddered<Answer>> {
  const {retry, tryPage, cut} = wire
  let current = place
  let failures = 0
  let isTooLarge = false
  const tryOnce = async (attempt: number) => {
    if (failures >= chancesOfSize) current = halve(current) ?? current
    const tried = await tryPage(current, attempt)
    const tooLarge = 'trouble' in tried ? tried.trouble.tooLarge : undefined
    if (tooLarge === 'maybe') failures++
    isTooLarge = tooLarge === 'certainly'
    return tried
  }

  try {
    return {answer: await retry(tryOnce, cut), place: current}
  } catch (error) {
    const smaller = isTooLarge ? halve(current) : undefined
    if (!smaller) throw error
    return readDownLadder(smaller, wire)
  }
}

function halve(place: PagePlace): PagePlace | undefined {
  const size = place.size / 2
  return Number.isInteger(size) && size >= smallestSize ? atSize(place, size) : undefined
}
