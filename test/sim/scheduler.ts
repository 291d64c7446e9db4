/** Work that is to be done at a moment of the world; `cancel` before that undoes it. */
export type Planned = {cancel(): void}

type Event = {at: number; order: number; work: () => void; isCancelled: boolean}

/** Microtasks and `nextTick` of real Node, all of them, before the next event. */
const drain = () => new Promise<void>((resolve) => setImmediate(resolve))

/** The one queue of a world: whoever waits for time, network, disk or another process waits here. */
export class Scheduler {
  /** Milliseconds since the world began. */
  now = 0
  /** Work in real time, which no event overtakes. */
  busy: Promise<unknown> | undefined
  #order = 0
  readonly #queue: Event[] = []

  after(milliseconds: number, work: () => void): Planned {
    const event = {at: this.now + Math.max(0, milliseconds), order: this.#order++, work, isCancelled: false}
    this.#push(event)
    return {cancel: () => void Object.assign(event, {isCancelled: true})}
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve))
  }

  /** Runs events in the order of their time until the promise settles. Throws when nothing is left to happen. */
  async runUntil<Value>(promise: Promise<Value>): Promise<Value> {
    let isSettled = false
    const settle = () => {
      isSettled = true
    }
    promise.then(settle, settle)
    for (let idle = 0; ; ) {
      await drain()
      while (this.busy) {
        const work = this.busy
        await work
        if (this.busy === work) this.busy = undefined
        await drain()
      }
      if (isSettled) return promise
      const event = this.#pop()
      if (!event && ++idle > 50) throw new Error('nothing is left to happen, and the life has not ended')
      if (!event) continue
      idle = 0
      this.now = Math.max(this.now, event.at)
      event.work()
    }
  }

  /** The queue is kept with the earliest event last. */
  #push(event: Event): void {
    let [low, high] = [0, this.#queue.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(event, this.#queue[middle] as Event)) low = middle + 1
      else high = middle
    }
    this.#queue.splice(low, 0, event)
  }

  #pop(): Event | undefined {
    const event = this.#queue.pop()
    return event?.isCancelled ? this.#pop() : event
  }
}

const isBefore = (one: Event, other: Event) => one.at < other.at || (one.at === other.at && one.order < other.order)
