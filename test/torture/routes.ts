import type {Sandbox} from '../../src/sandbox/server.js'
import {isNumber, type JsonRecord, numberText} from '../../src/values/json.js'
import {siteHeader} from '../support/site-lines.js'

/** One row of a file, and how often the store holds what it says: 0 not applied, 1 applied, more is a double. */
export type Expected = {cells: string[]; count: () => number}

export type Round = {
  words: string[]
  operation: string
  header: string[]
  rows: Expected[]
}

export type Route = (sandbox: Sandbox, name: string, count: number) => Round

/** Places of rows that the service refuses, in every other round of a route; a name ends with the number of its round. */
const guilty = new Set([6, 17])
const isGuilty = (name: string, index: number) =>
  guilty.has(index) && Math.floor(Number(name.split(' ').at(-1)) / 3) % 2 === 1

const take = <Item>(items: readonly Item[], count: number): Item[] => items.slice(0, count)
const idOf = (record: JsonRecord): string => {
  const {id} = record
  return id !== undefined && isNumber(id) ? numberText(id) : String(id)
}

const createSites: Route = ({store}, name, count) => {
  const neighbours = store
    .read('site')
    .filter((site) => site['accountId'] === 201)
    .slice(0, 2)
  return {
    words: ['sites', 'create'],
    operation: 'sites.create',
    header: siteHeader.split(','),
    rows: Array.from({length: count}, (_, index) => {
      const taken = isGuilty(name, index) ? neighbours[index % neighbours.length] : undefined
      const own = taken ? String(taken['name']) : `${name} ${index}`
      const sql = 'SELECT count(*) AS n FROM site WHERE name = ? AND account_id = 201 AND deleted = 0'
      const before = Number(store.database.get(sql, own)?.['n'])
      return {
        cells: ['201', '101', own, 'true', String(100 + index), '1000', 'Net30'],
        count: () => Number(store.database.get(sql, own)?.['n']) - before,
      }
    }),
  }
}

const updateSites: Route = ({store}, name, count) => {
  const globalKey = String(store.database.get('SELECT id FROM charge_key WHERE organization_id IS NULL')?.['id'] ?? '')
  return {
    words: ['sites', 'update'],
    operation: 'sites.update',
    header: ['id', 'shippingAddress', 'chargeKeyId'],
    rows: take(store.read('site'), count).map((site, index) => {
      const own = `${name} ${index}`
      return {
        cells: [idOf(site), own, isGuilty(name, index) ? globalKey : ''],
        count: () => Number(store.find('site', Number(idOf(site)))?.['shippingAddress'] === own),
      }
    }),
  }
}

const createAlerts: Route = ({store}, name, count) => {
  const many = store.read('alert_code').find((code) => code['onlyOneExists'] === false)
  return {
    words: ['alerts', 'create'],
    operation: 'alerts.create',
    header: ['machineId', 'code', 'message'],
    rows: take(store.read('machine'), count).map((machine, index) => {
      const own = `${name} ${index}`
      const sql = "SELECT count(*) AS n FROM alert WHERE json_extract(json, '$.message') = ? AND deleted = 0"
      return {
        cells: [idOf(machine), isGuilty(name, index) ? 'no such code' : String(many?.['code']), own],
        count: () => Number(store.database.get(sql, own)?.['n']),
      }
    }),
  }
}

/** A create that the service keeps unique, one that it would do twice, and an update; the others are played by the simulation. */
export const routes: readonly Route[] = [createSites, updateSites, createAlerts]
