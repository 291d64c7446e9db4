import {pickInteger, type Random} from '../../src/sandbox/seed/random.js'
import type {FakeRow} from './fake-service.js'

/** The range that is read. */
export const start = '2024-01-01T00:00:00'
export const end = '2024-02-25T00:00:00'
const minute = 60_000

type History = {
  rows: FakeRow[]
  alive: Set<number>
  ever: Set<number>
  list: () => readonly FakeRow[]
  between: () => void
  /** Nothing changes from now on. */
  calm: () => void
  changes: number
}

const orders = ['ascending', 'newest first', 'by time', 'shuffled'] as const
type OrderName = (typeof orders)[number]
type Shape = {
  order: OrderName
  count: number
  inserts: number
  deletes: number
  late: number
  /** Milliseconds from the first record to the last: within a second, no narrower window parts them. */
  span: number
}

/** A list of the service that changes between answers; `alive` are the rows that were there all the time. */
export function createHistory(random: Random, {order, count, inserts, deletes, late, span}: Shape): History {
  const at = (time: number) => new Date(Date.parse(`${start}Z`) + time).toISOString().slice(0, 19)
  const rows = Array.from({length: count}, (_, index) => ({id: 1_000 + index, at: at((index * span) / count)}))
  const alive = new Set(rows.map(({id}) => id))
  const ever = new Set(alive)
  let next = 1_000 + count
  let isCalm = false
  const calm = () => {
    isCalm = true
  }
  const history = {rows, alive, ever, list, between, calm, changes: 0}
  return history

  function between() {
    if (isCalm) return
    if (random() < deletes && rows.length > 0) {
      const [row] = rows.splice(pickInteger(random, 0, rows.length - 1), 1)
      alive.delete(row?.id ?? 0)
      history.changes++
    }
    if (random() < inserts) insert(at(Math.max(0, span - minute - pickInteger(random, 0, 1_000) * 1_000)))
    if (random() < late) insert(at(random() * span))
  }

  function insert(time: string) {
    rows.push({id: next, at: time})
    ever.add(next++)
    history.changes++
  }

  function list(): readonly FakeRow[] {
    if (isCalm || order === 'ascending') return rows
    if (order === 'newest first') return [...rows].sort((one, other) => other.id - one.id)
    if (order === 'by time') return [...rows].sort((one, other) => (one.at < other.at ? -1 : 1))
    return shuffle(rows, random)
  }
}

export function shuffle(rows: readonly FakeRow[], random: Random): FakeRow[] {
  return rows
    .map((row) => ({row, key: random()}))
    .sort((one, other) => one.key - other.key)
    .map(({row}) => row)
}

const whole = Date.parse(`${end}Z`) - Date.parse(`${start}Z`)

export function pickShape(random: Random): Shape {
  const rate = () => (pickInteger(random, 0, 1) === 0 ? 0 : random() * random())
  const order = random() < 0.1 ? 'shuffled' : (orders[pickInteger(random, 0, 2)] ?? 'ascending')
  const span = random() < 0.1 ? 900 : whole
  return {order, count: pickInteger(random, 0, 100), inserts: rate(), deletes: rate(), late: rate() / 2, span}
}
