/** Work that is to be done at a moment of the world; `cancel` before that undoes it. */
export type Planned = {cancel(): void}

type Event = {at: number; order: number; work: () => void; isCancelled: boolean}

/** Microtasks and `nextTick` of real Node, all of them, before the next event. */
const drain = () => new Promise<void>((resolve) => setImmediate(resolve))

/** The one queue of a world: whoever waits for time, network, disk or another process waits here. */
export class Scheduler {
  /** Milliseconds since the world began. */
  now = 0
  #order = 0
  readonly #heap: Event[] = []

  after(milliseconds: number, work: () => void): Planned {
    const event = {at: this.now + Math.max(0, milliseconds), order: this.#order++, work, isCancelled: false}
    this.#push(event)
    return {
      cancel: () => {
        event.isCancelled = true
      },
    }
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
      if (isSettled) return promise
      const event = this.#pop()
      if (!event && ++idle > 50) throw new Error('nothing is left to happen, and the life has not ended')
      if (!event) continue
      idle = 0
      this.now = Math.max(this.now, event.at)
      event.work()
    }
  }

  #push(event: Event): void {
    const heap = this.#heap
    let at = heap.push(event) - 1
    for (let up = (at - 1) >> 1; at > 0 && isBefore(event, heap[up] as Event); up = (at - 1) >> 1) {
      heap[at] = heap[up] as Event
      at = up
    }
    heap[at] = event
  }

  #pop(): Event | undefined {
    for (;;) {
      const first = this.#heap[0]
      const last = this.#heap.pop()
      if (!first || !last) return undefined
      if (first !== last) this.#sink(last)
      if (!first.isCancelled) return first
    }
  }

  #sink(event: Event): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let down = 2 * at + 1
      if (down + 1 < heap.length && isBefore(heap[down + 1] as Event, heap[down] as Event)) down++
      if (down >= heap.length || !isBefore(heap[down] as Event, event)) break
      heap[at] = heap[down] as Event
      at = down
    }
    heap[at] = event
  }
}

const isBefore = (one: Event, other: Event) => one.at < other.at || (one.at === other.at && one.order < other.order)
