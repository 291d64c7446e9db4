import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {type Row, readJson} from './json.js'
import {type Filters, isRead, readPage, rightsAtMachines} from './reads.js'
import {Refusal} from './refusal.js'
import {createStock, type Stock} from './stock.js'
import {pickTrouble, type Trouble} from './troubles.js'
import {createWorld, type World} from './world.js'
import type {Committed} from './write.js'
import {writes} from './writes.js'

/** A record of a write that was committed: the truth that all reports are held against. */
export type Entry = {operation: string; request: number; key: string; sent: Row; ageOfCount: number | undefined}

export type Service = {
  url: string
  world: World
  stock: Stock
  ledger: Entry[]
  /** Requests so far, by method and path. */
  asked: string[]
  /** What went wrong so far, by kind. */
  troubles: Trouble[]
  /** The share of requests that go wrong, what becomes of the next writes, and how many machines may be provisioned. */
  rules: {trouble: number; provisionsLeft: number; ofNextWrites: (Trouble | undefined)[]}
  close: () => Promise<void>
}

export type Request = {method: string; path: string; headers: IncomingMessage['headers']; json: Standard}
type Standard = {requestFilter?: Filters; routeFilter?: Filters; body?: Row[]; username?: string; password?: string}
type Answer = {status: number; headers?: Record<string, string>; body?: string}

export const login = {apiKey: 'key-of-the-published-service', username: 'ann@example.com', password: 'pass-of-ann'}
const token = 'token-of-ann'
const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A service written from the published contract alone. It shares no line with the program or its sandbox. */
export async function startService(random: () => number): Promise<Service> {
  const service = createState(random)
  const server = createServer((request, response) => void handle(request, response, service, random))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(service, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

type State = Omit<Service, 'url' | 'close'>

/** The service without its server. */
export function createState(random: () => number): State {
  const world = createWorld()
  return {
    ...{world, stock: createStock(world, random), ledger: [], asked: [], troubles: []},
    rules: {trouble: 0, provisionsLeft: Number.POSITIVE_INFINITY, ofNextWrites: []},
  }
}

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  state: State,
  random: () => number,
): Promise<void> {
  const request = await take(incoming)
  if (request === undefined) return send(response, state, errors(400, 'GENERIC_ERROR'))
  state.asked.push(`${request.method} ${request.path}`)
  state.stock.goOn()
  const isWrite = writes[`${request.method} ${request.path}`] !== undefined
  const share = isWrite ? state.rules.trouble : state.rules.trouble / 2
  const byChance = random() < share ? pickTrouble(isWrite, random) : undefined
  const trouble = isWrite && state.rules.ofNextWrites.length > 0 ? state.rules.ofNextWrites.shift() : byChance
  if (trouble) state.troubles.push(trouble)
  const perform = () => answer(request, state, random)
  const reset = () => void incoming.socket.resetAndDestroy()
  const fail = (status: number, html = false) =>
    send(response, state, {
      status,
      ...(html ? {headers: {'content-type': 'text/html'}, body: '<h1>gateway</h1>'} : {body: '{"message":"no"}'}),
    })

  if (trouble === 'reset-before') return reset()
  if (trouble === 'error-before') return fail(500)
  if (trouble === 'gateway-before') return fail(504, true)
  if (trouble === 'throttle') return send(response, state, {status: 429, body: '{"message":"Too Many Requests"}'})
  if (trouble === 'token') return send(response, state, errors(401, 'API_TOKEN'))
  if (trouble === 'late-commit' || trouble === 'late-commit-after-gateway') {
    if (trouble === 'late-commit') reset()
    else fail(504, true)
    await later(random() * 300)
    perform()
    return
  }
  if (isWrite) await later(random() * 40) // a kill may come before or after the commit
  const answered = perform()
  if (isWrite) await later(random() * 40)
  if (trouble === 'reset-after') return reset()
  if (trouble === 'error-after') return fail(500)
  if (trouble === 'gateway-after') return fail(504, true)
  if (trouble === 'page-after') return fail(200, true)
  if (trouble === 'slow') await later(random() * 400)
  if (trouble === 'cut') {
    const body = answered.body ?? ''
    response.writeHead(200, {'content-type': 'application/json', 'content-length': String(body.length + 20)})
    response.write(body)
    setTimeout(reset, 5)
    return
  }
  send(response, state, answered)
}

async function take(incoming: IncomingMessage): Promise<Request | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  const [, , ...rest] = (incoming.url ?? '').split('?')[0]?.split('/') ?? []
  const path = `/${rest.join('/')}`.replace(/(.)\/$/, '$1')
  try {
    const json = (text === '' ? {} : readJson(text)) as Standard
    return {method: incoming.method ?? '', path, headers: incoming.headers, json}
  } catch {
    return undefined
  }
}

export function answer(request: Request, state: State, random: () => number): Answer {
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

function write(name: string, {json}: Request, state: State, random: () => number): Answer {
  const {world, stock, ledger, rules, asked} = state
  const [operation, perform] = writes[name] ?? []
  if (operation === undefined || perform === undefined) throw new TypeError(name)
  if (operation === 'machines.provision' && rules.provisionsLeft-- <= 0)
    return {status: 429, body: '{"message":"Limit Exceeded"}'}
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
function ageOfCount({id = null, count = null}: Row, {world, stock}: State): number | undefined {
  const selection = world.selections.find((row) => row['id'] === id)
  return selection && typeof count === 'number' ? stock.ageOf(selection, count, performance.now()) : undefined
}

function ok(value: unknown): Answer {
  return {status: 200, body: JSON.stringify(value)}
}

function errors(status: number, code: string): Answer {
  return {status, body: JSON.stringify([{code, message: `refused with ${code}`, pointers: [], pointerName: ''}])}
}

function send(response: ServerResponse, {world}: State, {status, headers, body}: Answer): void {
  response.statusCode = status
  response.setHeader('date', new Date(world.now()).toUTCString())
  response.setHeader('content-type', 'application/json')
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value)
  response.end(body)
}
