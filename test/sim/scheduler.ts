/** Work that is to be done at a moment of the world; `cancel` before that undoes it. */
export type Planned = {cancel(): void}
/** Microtasks and `nextTick` of real Node, all of them, before the next event. */
const drain = () => new Promise<void>((resolve) => setImmediate(resolve))

/** The one queue of a world: whoever waits for time, network, disk or another process waits here. */
export class Scheduler {
  now = 0
  /** Work in real time, which no event overtakes. */
  busy: Promise<unknown> | undefined
  /** The earliest first; of the same time, what was planned first. */
  #queue: {at: number; work: () => void}[] = []

  after(milliseconds: number, work: () => void): Planned {
    const event = {at: this.now + Math.max(0, milliseconds), work}
    const place = this.#queue.findIndex(({at}) => at > event.at)
    this.#queue.splice(place === -1 ? this.#queue.length : place, 0, event)
    const cancel = () => {
      this.#queue = this.#queue.filter((one) => one !== event)
    }
    return {cancel}
  }

  wait = (milliseconds: number) => new Promise<void>((resolve) => this.after(milliseconds, resolve))

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
      const event = this.#queue.shift()
      if (!event && ++idle > 50) throw new Error('nothing is left to happen, and the life has not ended')
      if (!event) continue
      idle = 0
      this.now = Math.max(this.now, event.at)
      event.work()
    }
  }
}
