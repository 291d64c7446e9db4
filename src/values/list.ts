/** Items that are read like those of an array; an array is one. What is not an array makes its items anew for each reading. */
export type List<Item> = Iterable<Item> & {
  readonly length: number
  /** The item of a place, counted from 0; undefined where there is none. */
  at(place: number): Item | undefined
  map<Result>(work: (item: Item, place: number) => Result): Result[]
  flatMap<Result>(work: (item: Item, place: number) => Result | readonly Result[]): Result[]
  filter(isWanted: (item: Item, place: number) => boolean): Item[]
  some(isOne: (item: Item, place: number) => boolean): boolean
  every(isOne: (item: Item, place: number) => boolean): boolean
  slice(start?: number, end?: number): Item[]
}

/** A list whose items are made when they are asked for. */
export abstract class MadeList<Item> implements List<Item> {
  abstract readonly length: number
  abstract at(place: number): Item | undefined

  *[Symbol.iterator](): Generator<Item, void, void> {
    for (let place = 0; place < this.length; place++) {
      const item = this.at(place)
      if (item !== undefined) yield item
    }
  }

  map<Result>(work: (item: Item, place: number) => Result): Result[] {
    const results: Result[] = []
    for (const item of this) results.push(work(item, results.length))
    return results
  }

  flatMap<Result>(work: (item: Item, place: number) => Result | readonly Result[]): Result[] {
    const results: Result[] = []
    let place = 0
    for (const item of this) {
      const made = work(item, place++)
      if (Array.isArray(made)) for (const one of made) results.push(one)
      else results.push(made as Result)
    }
    return results
  }

  filter(isWanted: (item: Item, place: number) => boolean): Item[] {
    return this.flatMap((item, place) => (isWanted(item, place) ? [item] : []))
  }

  some(isOne: (item: Item, place: number) => boolean): boolean {
    return !this.every((item, place) => !isOne(item, place))
  }

  every(isOne: (item: Item, place: number) => boolean): boolean {
    let place = 0
    for (const item of this) if (!isOne(item, place++)) return false
    return true
  }

  slice(start = 0, end = this.length): Item[] {
    const items: Item[] = []
    for (let place = start; place < Math.min(end, this.length); place++) {
      const item = this.at(place)
      if (item !== undefined) items.push(item)
    }
    return items
  }
}

/** Some items of a list, by their places in it, in the order of the places. */
export class PickedList<Item> extends MadeList<Item> {
  readonly #list: List<Item>
  readonly #places: readonly number[]

  constructor(list: List<Item>, places: readonly number[]) {
    super()
    this.#list = list
    this.#places = places
  }

  get length(): number {
    return this.#places.length
  }

  at(index: number): Item | undefined {
    const place = this.#places[index]
    return place === undefined ? undefined : this.#list.at(place)
  }
}
