import {request} from 'node:http'
import {afterAll, beforeEach} from 'vitest'
import {type Sandbox, type SandboxOptions, startSandbox} from '../../src/sandbox/server.js'

export type Reply = {status: number; headers: Record<string, string>; text: string; json: unknown}

export type Question = {method: string; path: string; headers?: Record<string, string>; body?: string | Buffer}

/** A site that the service takes. */
export const newSite = {
  ...{accountId: 201, orgId: 101, name: 'New Quay', isActive: true, commissionTerms: 'Net30'},
  ...{maxChargePrice: 500, maximumMeterSalesJumpAllowed: 1000},
}

/** One HTTP request by hand, on a connection of its own. */
export function send(sandbox: Sandbox, {method, path, headers = {}, body}: Question): Promise<Reply> {
  const length = body === undefined ? {} : {'content-length': String(Buffer.byteLength(body))}
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${sandbox.url}${path}`,
      {method, headers: {...length, ...headers}, agent: false},
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const single = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
          resolve({status: incoming.statusCode ?? 0, headers: Object.fromEntries(single), text, json: tryJson(text)})
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

export type Caller = {
  headers: Record<string, string>
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
}

type Login = {apiKey: string; username: string; password: string}

/** Logs in, and then asks under stage v2.1 with key, token and JSON. */
export async function logIn(sandbox: Sandbox, who: Login = sandbox): Promise<Caller> {
  const {username, password} = who
  const json = {'x-api-key': who.apiKey, 'content-type': 'application/json'}
  const body = JSON.stringify({username, password})
  const reply = await send(sandbox, {method: 'POST', path: '/v2.1/authenticate', headers: json, body})
  const {accessToken} = reply.json as {accessToken: string}
  const headers = {...json, 'access-token': accessToken}
  return {
    headers,
    ask: (method, path, content, more = {}) =>
      send(sandbox, {
        method,
        path: `/v2.1${path}`,
        headers: {...headers, ...more},
        ...(content !== undefined && {body: typeof content === 'string' ? content : JSON.stringify(content)}),
      }),
  }
}

/** The sandbox of a file of tests, with those who ask: before each test as it was seeded, closed after the last. */
export async function openSandbox(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({batches: 10, machines: 10, limits: false, ...options})
  const [caller, limited] = [await logIn(sandbox), await logIn(sandbox, sandbox.limited)]
  beforeEach(async () => {
    sandbox.reset()
    Object.assign(caller, await logIn(sandbox))
    Object.assign(limited, await logIn(sandbox, sandbox.limited))
  })
  afterAll(() => sandbox.close())
  return {sandbox, caller, limited}
}

/** The ids of a list of records. */
export function idsOf({json}: Reply): unknown[] {
  return (json as {id: unknown}[]).map(({id}) => id)
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
