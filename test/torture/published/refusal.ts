import {textOf, type Value} from './json.js'

type Entry = {code: string; message: string; pointers: Value[]; pointerName: string}

/** What the service says to a set of which nothing was applied. */
export class Refusal extends Error {
  readonly status: number
  readonly entries: readonly Entry[]

  constructor(status: number, entries: readonly Entry[]) {
    super(entries.map(({code, pointers}) => `${code} ${pointers.map(textOf)}`).join('; '))
    this.status = status
    this.entries = entries
  }
}

export function refuse(status: number, code: string): never {
  throw new Refusal(status, [{code, message: `refused with ${code}`, pointers: [], pointerName: ''}])
}

/** Everything that is wrong with a set: every bad element is named, by what it is wrong with. */
export class Problems {
  readonly #entries = new Map<string, {status: number; entry: Entry}>()

  add(status: number, code: string, pointer: Value, pointerName: string): void {
    const known = this.#entries.get(code)
    if (known) known.entry.pointers.push(pointer)
    else {
      const message = `refused with ${code}`
      this.#entries.set(code, {status, entry: {code, message, pointers: [pointer], pointerName}})
    }
  }

  throwAny(): void {
    const all = [...this.#entries.values()]
    if (all[0]) {
      throw new Refusal(
        all[0].status,
        all.map(({entry}) => entry),
      )
    }
  }
}
