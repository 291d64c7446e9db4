import {expect, onTestFinished} from 'vitest'
import {createClient} from '../../src/client/client.js'
import type {Client, ClientOptions, FilterValues, HttpLogEntry, Settings, Token} from '../../src/client/types.js'
import type {ReadId} from '../../src/contract/index.js'
import {type Clock, systemClock} from '../../src/core/clock.js'
import {CliFailure} from '../../src/core/errors.js'
import type {Sandbox} from '../../src/sandbox/server.js'
import type {JsonRecord} from '../../src/values/json.js'
import {type Behaviour, startVendor} from './vendor.js'

/** Values that must never show up in a message, an error or a log. */
export const secrets = {apiKey: 'KEY-canary-51f0', password: 'PASS-canary-9a1c', token: 'TOKEN-canary-77de'}

export type TestClient = {
  client: Client
  /** Every wait the client made, in milliseconds. */
  waits: number[]
  notices: string[]
  log: HttpLogEntry[]
  /** What the token store holds. */
  stored(): Token | undefined
  store(token: Token | undefined): void
}

/** Where a service is, and how to log in. */
export type Door = Pick<Sandbox, 'url' | 'apiKey' | 'username' | 'password'>

type Changes = Partial<Omit<ClientOptions, 'settings'>> & {settings?: Partial<Settings>; token?: string | null}

/** A clock whose waits take no time and are noted. */
function createInstantClock(): {clock: Clock; waits: number[]} {
  const waits: number[] = []
  const clock: Clock = {
    now: () => Date.UTC(2024, 6, 30, 18, 7, 5),
    monotonic: () => systemClock.monotonic(),
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted()
      waits.push(milliseconds)
    },
  }
  return {clock, waits}
}

/** A client of the address, logged in unless `token` is null, on a clock whose waits take no time; closed after its test. */
export function createTestClient(baseUrl: string, {settings, token, ...changes}: Changes = {}): TestClient {
  const {clock, waits} = createInstantClock()
  const notices: string[] = []
  const log: HttpLogEntry[] = []
  let kept: Token | undefined = token === null ? undefined : {accessToken: token ?? secrets.token}
  const client = createClient({
    settings: {...usualSettings, baseUrl, ...settings},
    credentials: async () => ({apiKey: secrets.apiKey, username: 'ana@example.test', password: secrets.password}),
    tokens: {
      read: async () => kept,
      write: async (next) => {
        kept = next
      },
    },
    clock,
    random: () => 0.5,
    environment: {},
    onNotice: (text) => notices.push(text),
    onRequest: (entry) => log.push(entry),
    ...changes,
  })
  if (expect.getState().currentTestName !== undefined) onTestFinished(() => client.close())
  const store = (next: Token | undefined) => {
    kept = next
  }

  return {client, waits, notices, log, stored: () => kept, store}
}

/** A client of a sandbox, which logs in by itself. */
export function createSandboxClient(sandbox: Door, changes: Changes = {}): TestClient {
  const {url, apiKey, username, password} = sandbox
  return createTestClient(url, {token: null, credentials: async () => ({apiKey, username, password}), ...changes})
}

/** A server of plain bytes that behaves so, and a client of it. */
export async function meetVendor(behave: Behaviour, changes: Changes = {}) {
  const vendor = await startVendor(behave)
  onTestFinished(() => vendor.close())
  return {vendor, ...createTestClient(vendor.url, changes)}
}

const usualSettings = {
  stage: 'v2.1',
  readMethod: 'GET',
  tokenHeader: 'access-token',
  rate: 10_000,
  burst: 10_000,
  routes: {},
} as const

/** All records of a read, one page at a time: services of tests may answer by the number of the request. */
export async function readAll(client: Client, id: ReadId, filters: FilterValues = {}, pageSize?: number) {
  const records: JsonRecord[] = []
  const how = {pagesInFlight: 1, ...(pageSize !== undefined && {pageSize})}
  for await (const page of client.readPages(id, {filters, ...how})) {
    records.push(...page.records)
  }

  return records
}

/** The `CliFailure` that a promise ends in; fails when it ends in anything else. */
export async function failureOf(promise: Promise<unknown>): Promise<CliFailure> {
  try {
    await promise
  } catch (error) {
    if (error instanceof CliFailure) return error
    throw error
  }

  throw new Error('nothing was thrown')
}
