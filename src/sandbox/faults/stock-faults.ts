import {isWriteId, writeOperation} from '../../contract/index.js'
import {isNumber, isRecord, type JsonRecord} from '../../values/json.js'
import type {Exchange} from '../handlers/perform.js'
import {changeStock, countOf} from '../handlers/stock.js'
import {toNames, toStandardRequest} from '../request/standard-request.js'
import {toKey} from '../store/keys.js'
import type {Store} from '../store/record-store.js'
import {tableOf} from '../store/store-tables.js'
import {type Effect, FaultProblem, type Tools} from './effect.js'

/** A person of the seed world who sends no requests. */
const otherPerson = 12

/** Machines sell while the service works: one each, at places that the request names, or anywhere when it names none. */
export function toSales(most: number, tools: Tools): Effect {
  return {
    before: (exchange) => {
      sell(most, exchange, tools)
      return {}
    },
    after: (answer, exchange) => {
      sell(most, exchange, tools)
      return answer
    },
  }
}

function sell(most: number, exchange: Exchange, {store, random}: Tools): void {
  const named = findNamed(exchange)
  let stocked = findStocked(store, named.length > 0 ? named : undefined)
  store.transaction(() => {
    for (let sold = 0; sold < most && stocked.length > 0; sold++) {
      const id = stocked[Math.floor(random() * stocked.length)] ?? 0
      const {count} = changeStock(store, store.find('selection', id) ?? {}, -1n, {userId: 0, now: exchange.now})
      if (countOf(count) === 0n) stocked = stocked.filter((other) => other !== id)
    }
  })
}

/** Ids of selections with stock: of the given ones, or of all. */
function findStocked({database}: Store, ids: number[] | undefined): number[] {
  const where = ids ? 'id IN (SELECT value FROM json_each(?))' : '? IS NULL'
  const sql = `SELECT id FROM selection WHERE ${where} AND deleted = 0 AND json_extract(json, '$.count') > 0`
  return database.all(sql, ids ? JSON.stringify(ids) : null).map(({id}) => Number(id))
}

/** Another person changes the stock of every selection that the request names, where there is room for it. */
export function toRestock(given: string | undefined, {store}: Tools): Effect {
  if (!/^[+-]?[1-9]\d{0,8}$/.test(given ?? ''))
    throw new FaultProblem(`"${given ?? ''}" is no difference such as 5 or -2.`)
  const delta = BigInt(Number(given))
  return {
    applies: (exchange) => findNamed(exchange).length > 0,
    before: (exchange) => {
      store.transaction(() => {
        for (const id of findNamed(exchange)) {
          const selection = store.find('selection', id)
          if (selection && hasRoom(selection, delta))
            changeStock(store, selection, delta, {userId: otherPerson, now: exchange.now})
        }
      })
      return {}
    },
  }
}

function hasRoom({count, depth}: JsonRecord, delta: bigint): boolean {
  const changed = countOf(count) + delta
  return changed >= 0n && changed <= countOf(depth)
}

/** The ids of the selections in the body of a write. */
function findNamed({id, body}: Exchange): number[] {
  if (!isWriteId(id) || tableOf(id) !== 'selection') return []
  const target = writeOperation(id).target.toLowerCase()
  const elements = findElements(body)
  const named = elements.map((element) => (isRecord(element) ? toNames(element).get(target) : undefined))
  return named.filter(isNumber).map((value) => Number(toKey(value)))
}

function findElements(body: Buffer | undefined) {
  try {
    const elements = toStandardRequest(body).body
    return Array.isArray(elements) ? elements : []
  } catch {
    return [] // which the service refuses by itself
  }
}
