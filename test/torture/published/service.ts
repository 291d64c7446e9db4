import type {IncomingMessage} from 'node:http'
import type {Row} from './json.js'
import {type Filters, isRead, readPage, rightsAtMachines} from './reads.js'
import {Refusal} from './refusal.js'
import {createStock, type Stock} from './stock.js'
import {createWorld, type World} from './world.js'
import type {Committed} from './write.js'
import {writes} from './writes.js'

/** A record of a write that was committed: the truth that all reports are held against. */
export type Entry = {operation: string; request: number; key: string; sent: Row; ageOfCount: number | undefined}

/** A service written from the published contract alone. It shares no line with the program or its sandbox. */
export type Service = {
  world: World
  stock: Stock
  ledger: Entry[]
  /** Requests so far, by method and path. */
  asked: string[]
}

export type Request = {method: string; path: string; headers: IncomingMessage['headers']; json: Standard}
type Standard = {requestFilter?: Filters; routeFilter?: Filters; body?: Row[]; username?: string; password?: string}
type Answer = {status: number; headers?: Record<string, string>; body?: string}

export const login = {apiKey: 'key-of-the-published-service', username: 'ann@example.com', password: 'pass-of-ann'}
const token = 'token-of-ann'

export function createState(random: () => number): Service {
  const world = createWorld()
  return {world, stock: createStock(world, random), ledger: [], asked: []}
}

export function answer(request: Request, state: Service, random: () => number): Answer {
  const {method, path, headers, json} = request
  if (headers['x-api-key'] !== login.apiKey) return {status: 403, body: '{"message":"Forbidden"}'}
  if (path === '/token-test') return {status: 200, body: '"Access token was valid"'}
  if (path === '/authenticate') return authenticate(json)
  if (headers['access-token'] !== token) return errors(401, 'API_TOKEN')
  const name = `${method} ${path}`
  const filters = {...json.requestFilter, ...json.routeFilter}
  if (writes[name]) return write(name, request, state, random)
  if (method !== 'GET' && method !== 'POST') return {status: 404, body: '{"message":"Not Found"}'}
  if (path === '/roles/role-rights-at-machine') return ok(rightsAtMachines(state.world, filters))
  if (!isRead(path)) return {status: 404, body: '{"message":"Not Found"}'}
  const asked = {page: String(headers['page'] ?? 1), size: String(headers['size'] ?? 50)}
  const page = readPage(state.world, path, filters, asked)
  return 'code' in page ? errors(400, page.code) : {...ok(page.rows), headers: page.headers}
}

function authenticate({username, password}: Standard): Answer {
  if (username !== login.username || password !== login.password) return errors(403, 'INVALID_LOGIN')
  const times = {issued: '9/3/2020 11:17:40 PM', expires: '9/6/2020 11:17:40 PM'}
  return ok({accessToken: token, userName: username, ...times})
}

function write(name: string, {json}: Request, state: Service, random: () => number): Answer {
  const {world, stock, ledger, asked} = state
  const [operation, perform] = writes[name] ?? []
  if (operation === undefined || perform === undefined) throw new TypeError(name)
  const body = Array.isArray(json.body) ? json.body : []
  const {requestFilter = {}, routeFilter = {}} = json
  const ages = operation === 'selections.update' ? body.map((sent) => ageOfCount(sent, state)) : []
  try {
    const {rows, answer}: Committed = perform({...{world, stock, body, requestFilter, routeFilter, random}})
    for (const [index, row] of rows.entries())
      ledger.push({...row, operation, request: asked.length, ageOfCount: ages[index]})
    return answer === undefined ? {status: 204} : ok(answer)
  } catch (error) {
    if (error instanceof Refusal) return {status: error.status, body: JSON.stringify(error.entries)}
    throw error
  }
}

/** How old the count is that is about to be set. */
function ageOfCount({id = null, count = null}: Row, {world, stock}: Service): number | undefined {
  const selection = world.selections.find((row) => row['id'] === id)
  return selection && typeof count === 'number' ? stock.ageOf(selection, count, performance.now()) : undefined
}

function ok(value: unknown): Answer {
  return {status: 200, body: JSON.stringify(value)}
}

function errors(status: number, code: string): Answer {
  return {status, body: JSON.stringify([{code, message: `refused with ${code}`, pointers: [], pointerName: ''}])}
}
