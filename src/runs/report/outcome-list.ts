import type {JsonValue} from '../../values/json.js'
import {type List, MadeList} from '../../values/list.js'
import type {RowOutcome} from './report.js'

/** What rows may have in common. */
type Shared = Omit<RowOutcome, 'line' | 'id'>

/** So few are an array. */
const few = 512

/** What became of each row of a file: twelve bytes a row and the ids; what rows have in common is kept once. */
export class OutcomeList extends MadeList<RowOutcome> {
  readonly length: number
  readonly #lines: Float64Array
  /** The place of what it shares, from 1; 0 where nothing is known of a row. */
  readonly #places: Uint32Array
  readonly #shared: Shared[] = []
  readonly #known = new Map<string, number>()
  #ids: (JsonValue | undefined)[] | undefined

  constructor(length: number) {
    super()
    this.length = length
    this.#lines = new Float64Array(length)
    this.#places = new Uint32Array(length)
  }

  /** The outcomes as they can be read once all are known. */
  get list(): List<RowOutcome> {
    return this.length < few ? this.slice() : this
  }

  at(place: number): RowOutcome | undefined {
    const shared = this.#shared[(this.#places[place] ?? 0) - 1]
    const id = this.#ids?.[place]
    return shared && {line: this.#lines[place] ?? 0, ...shared, ...(id !== undefined && {id})}
  }

  put(place: number, {line, id, ...shared}: RowOutcome): void {
    this.#lines[place] = line
    this.#places[place] = this.#placeOf(shared)
    if (id === undefined && !this.#ids) return
    this.#ids ??= new Array<JsonValue | undefined>(this.length)
    this.#ids[place] = id
  }

  #placeOf(shared: Shared): number {
    const {fate, code, message, column} = shared
    const last = this.#shared.at(-1)
    const isLast = last?.fate === fate && last.code === code && last.message === message && last.column === column
    if (isLast) return this.#shared.length
    const key = JSON.stringify([fate, code, message, column])
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#known.set(key, this.#shared.push(shared))
    return this.#shared.length
  }
}
