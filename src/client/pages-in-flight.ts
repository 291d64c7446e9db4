import {atSize, type LoadedPage, type PagePlace, restOf, usedSize, type Walk} from './page-place.js'

/** What an answer says about the pages that follow it. */
export type Heading = {number: number; size: number; totalPages: number | undefined; handed: number}

/**
 * The pages that are asked for together. They come in the order of the list, whatever the order of the answers, and at
 * most so many answers are held. A page that came in a smaller size is followed by the rest of what it stood for.
 */
export type PageQueue = {
  start(first: PagePlace): void
  /** The next page; undefined when no more were asked for, or when the limit is covered. */
  next(handed: number): Promise<LoadedPage | undefined>
  /** Asks for the pages that an answer promised; none beyond one that failed. */
  ask(heading: Heading): void
  /** Ends what is still on its way. */
  end(): void
}

/** A page of the queue; without a promise it was not asked for yet. */
type Slot = {place: PagePlace; loading?: Promise<LoadedPage>}

export function createPageQueue({
  ask: askFor,
  pagesInFlight,
  limit = Number.POSITIVE_INFINITY,
  isSizeKnown = false,
  signal,
}: Walk): PageQueue {
  const stop = new AbortController()
  const cut = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const slots: Slot[] = []
  let following: PagePlace | undefined
  let isSizeToLearn = !isSizeKnown
  let hasFirstPage = isSizeKnown
  let hasFailed = false

  const load = (slot: Slot): void => {
    slot.loading = askForComplete(slot.place, isSizeToLearn)
    slot.loading.catch(() => {
      hasFailed = true // thrown once it is next
    })
    isSizeToLearn = false
  }

  /** A page that is not the last and yet not full is asked for once more before it is believed. */
  const askForComplete = async (place: PagePlace, isFirst: boolean): Promise<LoadedPage> => {
    const page = await askFor(place, cut)
    const {totalPages, count, size} = page.answer
    const complete = isFirst ? usedSize(page.answer, page.place) : (size ?? page.place.size)
    const isShort = totalPages !== undefined && page.place.number < totalPages && count < complete
    return isShort ? askFor(page.place, cut) : page
  }

  /** The rest of a page that came in a smaller size is next, and all pages after those in flight are so small too. */
  const follow = (asked: PagePlace, served: PagePlace): void => {
    if (served.size === asked.size) return
    slots.unshift(...restOf(asked, served).map((place) => ({place})))
    const after = following ?? {...asked, number: asked.number + 1}
    if (served.size < after.size) following = atSize(after, served.size)
  }

  return {
    start(first) {
      const slot: Slot = {place: first}
      slots.push(slot)
      load(slot)
    },
    async next(handed) {
      const slot = handed >= limit ? undefined : slots.shift()
      const page = await slot?.loading
      if (!slot || !page) return undefined
      if (hasFirstPage || usedSize(page.answer, page.place) === page.place.size) follow(slot.place, page.place)
      hasFirstPage = true
      return page
    },
    ask({number, size, totalPages, handed}) {
      following ??= {number: number + 1, size}
      const most = totalPages === undefined ? 1 : pagesInFlight
      const isPromised = (place: PagePlace) =>
        (place.number - 1) * place.size < (totalPages ?? number + 1) * size && handed + inFlight(slots) < limit
      for (const slot of slots) {
        if (count(slots) >= most) return
        if (slot.loading === undefined && isPromised(slot.place)) load(slot)
      }
      if (hasFailed) return
      for (; count(slots) < most && isPromised(following); following = {...following, number: following.number + 1}) {
        const slot: Slot = {place: following}
        slots.push(slot)
        load(slot)
      }
    },
    end: () => stop.abort(new Error('the rest of the list is not needed')),
  }
}

/** Pages that are on their way. */
function count(slots: readonly Slot[]): number {
  return slots.filter(({loading}) => loading).length
}

/** Records that the pages on their way may bring. */
function inFlight(slots: readonly Slot[]): number {
  return slots.reduce((sum, {place, loading}) => sum + (loading ? place.size : 0), 0)
}
