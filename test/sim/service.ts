import type {Exchange} from '../../src/sandbox/handlers/perform.js'
import type {JsonRecord, JsonValue} from '../../src/values/json.js'
import type * as Sandbox from './sandbox-entry.js'

export type Asked = {method: string; path: string; headers: Record<string, string>; body: string}
export type Answered = {status: number; headers: Record<string, string>; body: Buffer}

/** A record of a write that the service committed: the truth that every report is held against. */
export type Commit = {
  operation: string
  key: string
  by: number
  /** What was sent, where rows are held against it; how old a count was, in milliseconds. */
  sent?: unknown
  age?: number | undefined
  /** The network kept the request back. */
  isLate?: true
}

/** The service of a world, with its own log. `life` is the number of the process that asked. */
export type Service = {
  answer(asked: Asked, life: number): Answered
  readonly commits: Commit[]
  /** Requests that it saw, by operation; and how many of them it refused for their speed. */
  readonly seen: Map<string, number>
  refusedForSpeed: number
  /** Whether a request that arrives twice changes no more than one that arrives once. */
  isReplayable(method: string, path: string): boolean
  login: {apiKey: string; username: string; password: string}
  close(): void
}

/** What a record of a write is known by, in the log and in the file that it came from. */
const keys: Record<string, readonly string[]> = {
  'sites.create': ['name'],
  'machines.custom-data.create': ['machineId', 'key'],
  'alerts.create': ['message'],
}
const login = {apiKey: 'sandbox-key', username: 'demo@sandbox.example', password: 'sandbox-password-of-demo'}
export type SandboxModule = typeof Sandbox
export type SandboxService = Service & {
  core: ReturnType<SandboxModule['createCore']>
  limits: Pick<Exchange, 'maximumDays' | 'maximumSize'>
  add: (table: 'alert' | 'batch', record: JsonRecord) => void
  nth: (table: 'site' | 'alert' | 'machine' | 'batch', place: number) => JsonRecord
}

type CoreOptions = Parameters<SandboxModule['createCore']>[0]

/** The sandbox without its server: what it commits is noted here and not by itself. */
export function createSandboxService(module: SandboxModule, options: CoreOptions): SandboxService {
  const core = module.createCore({...options, ...login})
  const routes = module.listRoutes()
  const writes = new Set<string>(module.writeIds)
  const commits: Commit[] = []
  const service: SandboxService = {
    ...{core, limits: {}, commits, login, seen: new Map(), refusedForSpeed: 0},
    isReplayable: (method, path) => method !== 'PUT' || !path.endsWith('/alerts'),
    add: (table, record) => module.addRecord(core.store, table, record),
    nth(table, place) {
      const found = `SELECT id FROM ${table} WHERE deleted = 0 ORDER BY id LIMIT 1 OFFSET ?`
      return core.store.find(table, Number(core.store.database.get(found, place)?.['id'])) ?? {}
    },
    answer(asked, life) {
      try {
        return perform(asked, life)
      } catch (error) {
        const refused = toAnswered(module.toRefusal(error))
        if (refused.status === 429) service.refusedForSpeed++
        return refused
      }
    },
    close: () => core.store.close(),
  }
  return service

  function perform({method, path, headers, body}: Asked, life: number): Answered {
    const route = routes.find((one) => one.methods.includes(method as 'GET') && one.path === path)
    if (!route) throw new Error(`no route ${method} ${path}`)
    const key = core.sessions.checkKey(headers['x-api-key'])
    service.seen.set(route.id, (service.seen.get(route.id) ?? 0) + 1)
    core.limiter.take(key)
    const exchange: Exchange = {
      ...{id: route.id, method, headers, key, token: headers['access-token'], now: core.clock.now()},
      ...{asked: {user: null, records: null}, ...service.limits, ...(body !== '' && {body: Buffer.from(body)})},
    }
    const answered = toAnswered(core.answer(exchange, []))
    if (writes.has(route.id) && answered.status < 300) note(route.id, body, life)
    return answered
  }

  function note(operation: string, body: string, life: number): void {
    const {body: elements, routeFilter} = module.parseJson(body) as {body?: JsonValue[]; routeFilter?: JsonRecord}
    const sent = operation === 'alerts.clear' ? (routeFilter?.['alertIds'] as JsonValue[]) : (elements ?? [])
    for (const each of sent) {
      const fields = (keys[operation] ?? ['id']).map((field) => String((each as JsonRecord)[field]))
      commits.push({operation, key: typeof each === 'object' ? fields.join('/') : String(each), by: life})
    }
  }

  function toAnswered(answer: Parameters<typeof module.toHeaders>[0]): Answered {
    const {status, body} = answer
    const date = new Date(core.clock.now()).toUTCString()
    return {status, body, headers: {date, ...module.toHeaders(answer), 'content-length': String(body.length)}}
  }
}
