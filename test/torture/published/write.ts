import type {Row, Value} from './json.js'
import type {Filters} from './reads.js'
import type {Stock} from './stock.js'
import type {World} from './world.js'

export type Given = {
  world: World
  stock: Stock
  body: Row[]
  requestFilter: Filters
  routeFilter: Filters
  random: () => number
}
/** What was committed, record by record; an answer of undefined is 204. */
export type Committed = {rows: {key: string; sent: Row}[]; answer: Value[] | undefined}
/** Applies all or throws a refusal. */
export type Write = (given: Given) => Committed
