import {atSize, type Landed, type PagePlace, restOf, usedSize, type Walk} from './page-place.js'

/** What an answer says about the pages that follow it. */
export type Heading = {number: number; size: number; totalPages: number | undefined; handed: number}

/**
 * The pages that are asked for at once. They land in the order of the list, whatever the order of the answers, and at
 * most so many answers are held. A page that came in a smaller size is followed by the rest of what it stood for.
 */
export type Flight = {
  start(first: PagePlace): void
  /** The next page; undefined when no more were asked for, or when the limit is covered. */
  land(handed: number): Promise<Landed | undefined>
  /** Asks for the pages that an answer promised. */
  goOn(heading: Heading): void
  /** Ends what is still on its way. */
  end(): void
}

/** A page in its turn; without a landing it was not asked for yet. */
type Slot = {place: PagePlace; landing?: Promise<Landed>}

export function createFlight({
  ask,
  pagesInFlight = 1,
  limit = Number.POSITIVE_INFINITY,
  isSizeKnown = false,
  signal,
}: Walk): Flight {
  const stop = new AbortController()
  const cut = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const slots: Slot[] = []
  let next: PagePlace | undefined
  let isSizeToLearn = !isSizeKnown
  let hasLanded = isSizeKnown

  const launch = (slot: Slot): void => {
    slot.landing = askForWhole(slot.place, isSizeToLearn)
    slot.landing.catch(() => undefined) // told when it is its turn to land
    isSizeToLearn = false
  }

  /** A page that is not the last and yet not full is asked for once more before it is believed. */
  const askForWhole = async (place: PagePlace, isFirst: boolean): Promise<Landed> => {
    const landed = await ask(place, cut)
    const {totalPages, elements, size} = landed.answer
    const whole = isFirst ? usedSize(landed.answer, landed.place) : (size ?? landed.place.size)
    const isShort = totalPages !== undefined && landed.place.number < totalPages && elements.count < whole
    return isShort ? ask(landed.place, cut) : landed
  }

  /** The rest of a page that came in a smaller size is next, and all pages after those in flight are so small too. */
  const follow = (asked: PagePlace, served: PagePlace): void => {
    if (served.size === asked.size) return
    slots.unshift(...restOf(asked, served).map((place) => ({place})))
    const after = next ?? {...asked, number: asked.number + 1}
    if (served.size < after.size) next = atSize(after, served.size)
  }

  return {
    start(first) {
      const slot: Slot = {place: first}
      slots.push(slot)
      launch(slot)
    },
    async land(handed) {
      const slot = handed >= limit ? undefined : slots.shift()
      const landed = await slot?.landing
      if (!slot || !landed) return undefined
      if (hasLanded || usedSize(landed.answer, landed.place) === landed.place.size) follow(slot.place, landed.place)
      hasLanded = true
      return landed
    },
    goOn({number, size, totalPages, handed}) {
      next ??= {number: number + 1, size}
      const most = totalPages === undefined ? 1 : pagesInFlight
      const isPromised = (place: PagePlace) =>
        (place.number - 1) * place.size < (totalPages ?? number + 1) * size && handed + inFlight(slots) < limit
      for (const slot of slots) {
        if (count(slots) >= most) return
        if (slot.landing === undefined && isPromised(slot.place)) launch(slot)
      }
      for (; count(slots) < most && isPromised(next); next = {...next, number: next.number + 1}) {
        const slot: Slot = {place: next}
        slots.push(slot)
        launch(slot)
      }
    },
    end: () => stop.abort(new Error('the rest of the list is not needed')),
  }
}

/** Pages that are on their way. */
function count(slots: readonly Slot[]): number {
  return slots.filter(({landing}) => landing).length
}

/** Records that the pages on their way may bring. */
function inFlight(slots: readonly Slot[]): number {
  return slots.reduce((sum, {place, landing}) => sum + (landing ? place.size : 0), 0)
}
