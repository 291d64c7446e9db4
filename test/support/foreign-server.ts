import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {type DateRules, type Range, serveRange, within} from './foreign-dates.js'

/** A request as it arrived, byte for byte where it matters. */
export type Asked = {
  method: string
  /** Below the stage, such as /sites. */
  path: string
  stage: string
  headers: Record<string, string>
  rawHeaders: string[]
  body: string
  /** The body read as JSON with numbers as their text; undefined when it is not JSON. */
  json: Standard | undefined
}

export type Standard = {
  requestFilter?: Record<string, unknown>
  routeFilter?: Record<string, unknown>
  body?: unknown[]
}

type Reply = {status?: number; headers?: Record<string, string>; body?: string}

export type ForeignOptions = DateRules & {
  /** Elements as JSON text, by path below the stage; digits are served as written here. */
  rows?: Record<string, readonly string[]>
  /** Larger sizes are served as this one. */
  largestPage?: number
  /** Filters are lost on the way. */
  stripsFilters?: boolean
  /** Answers in place of the rules below. */
  answer?: (asked: Asked) => Reply | undefined
}

export type Foreign = {
  url: string
  asked: Asked[]
  /** Requests as "METHOD path", in order of arrival. */
  calls: () => string[]
  close: () => Promise<void>
}

export const secrets = {apiKey: 'key-of-the-foreign-service', username: 'ann@example.com', password: 'pass "wörd"\\'}

/** A service written from the specification alone, knowing nothing of the program that asks. */
export async function startForeign(options: ForeignOptions = {}): Promise<Foreign> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const one = await take(request, asked)
    send(response, options.answer?.(one) ?? rules(one, options))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    calls: () => asked.map(({method, path}) => `${method} ${path}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Errors as the specification lists them. */
function refusal(status: number, code: string): Reply {
  return {
    status,
    body: JSON.stringify([{code, message: `refused with ${code}`, pointers: [], pointerName: ''}]),
  }
}

/** JSON with every number as its text, so that no digit is lost. */
function readDigits(text: string): unknown {
  return JSON.parse(text, (_key, value, context?: {source: string}) =>
    typeof value === 'number' && context !== undefined ? context.source : value,
  )
}

async function take(request: IncomingMessage, asked: Asked[]): Promise<Asked> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString('utf8')
  const [, stage = '', ...rest] = (request.url ?? '').split('?')[0]?.split('/') ?? []
  const method = request.method ?? ''
  const path = `/${rest.join('/')}`.replace(/(.)\/$/, '$1')
  const headers = request.headers as Record<string, string>
  asked.push({method, path, stage, headers, rawHeaders: request.rawHeaders, body, json: readBody(body)})
  return asked.at(-1) as Asked
}

function readBody(body: string): Standard | undefined {
  try {
    return readDigits(body) as Standard
  } catch {
    return undefined
  }
}

function rules(one: Asked, options: ForeignOptions): Reply {
  if (one.headers['x-api-key'] !== secrets.apiKey) return {status: 403, body: '{"message":"Forbidden"}'}
  if (one.path === '/token-test') return {body: '"Access token was valid"'}
  if (one.path === '/authenticate') return authenticate(one)
  if (one.headers['access-token'] !== 'token-1') return refusal(401, 'API_TOKEN')
  const rows = options.rows?.[one.path]
  if (rows === undefined) return {status: 404, body: '{"message":"Not Found"}'}
  return one.method === 'GET' || one.method === 'POST' ? read(one, rows, options) : write(one)
}

function authenticate({json}: Asked): Reply {
  const {username, password} = (json ?? {}) as Record<string, unknown>
  if (username !== secrets.username || password !== secrets.password) return refusal(403, 'INVALID_LOGIN')
  const times = {issued: '9/3/2020 11:17:40 PM', expires: '9/6/2020 11:17:40 PM'}
  return {body: JSON.stringify({accessToken: 'token-1', userName: secrets.username, ...times})}
}

function write({json}: Asked): Reply {
  return {body: JSON.stringify((json?.body ?? []).map((_row, index) => index + 1))}
}

function read({path, json, headers}: Asked, rows: readonly string[], options: ForeignOptions): Reply {
  const [page, size] = [Number(headers['page'] ?? 1), Number(headers['size'] ?? 50)]
  if (!(Number.isInteger(page) && page > 0 && Number.isInteger(size) && size > 0)) return refusal(400, 'GENERIC_ERROR')
  const used = Math.min(size, options.largestPage ?? 2000)
  const filters = options.stripsFilters ? {} : {...json?.requestFilter, ...json?.routeFilter}
  const range = serveRange(filters, options)
  if (range === 'reversed') return refusal(400, 'INVALID_DATE_RANGE')
  if (range === 'unreadable') return refusal(400, 'DATE_PARSING')
  const chosen = rows.filter((row) => matches(row, path, filters, range))
  const total = Math.ceil(chosen.length / used)
  const body = `[${chosen.slice((page - 1) * used, page * used).join(',')}]`
  return {headers: {page: `${page}`, size: `${used}`, 'total-pages': `${total}`, ...range?.headers}, body}
}

const fieldsOfFilters: Record<string, string[]> = {
  organizationIds: ['organizationId', 'orgId'],
  accountIds: ['accountId'],
  siteIds: ['siteId'],
  machineIdentifiers: ['machineId', 'prose', 'machineProse'],
  alertIds: ['id'],
  alertCodes: ['code'],
  templateIds: ['templateId'],
  roleIdentifiers: ['roleId'],
  transactionIdentifiers: ['id'],
}

/** Where the filter names the records themselves. */
const pathsOfFilters: Record<string, string> = {
  organizationIds: '/organizations',
  accountIds: '/accounts',
  siteIds: '/sites',
  machineIdentifiers: '/machines',
}

function matches(text: string, path: string, filters: Record<string, unknown>, range: Range | undefined): boolean {
  const row = readDigits(text) as Record<string, unknown>
  const wanted = Object.entries(filters).filter(([, values]) => Array.isArray(values) && values.length > 0)
  const kept = wanted.every(([key, values]) => {
    const own = pathsOfFilters[key] === path ? ['id'] : []
    const fields = [...own, ...(fieldsOfFilters[key] ?? [])].filter((field) => row[field] !== undefined)
    return fields.length === 0 || fields.some((field) => (values as unknown[]).map(String).includes(String(row[field])))
  })
  return kept && (range === undefined || within(row, range))
}

function send(response: ServerResponse, {status = 200, headers = {}, body = ''}: Reply): void {
  response.statusCode = status
  for (const [name, value] of Object.entries({'content-type': 'application/json', ...headers}))
    response.setHeader(name, value)
  response.end(body)
}
