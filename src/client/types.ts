import type {FilterKey, ReadId, Stage, WriteId} from '../contract/index.js'
import type {Clock} from '../core/clock.js'
import type {Environment} from '../core/environment.js'
import type {BudgetStore} from '../quota/budget-asker.js'
import type {Ledger} from '../quota/ledger.js'
import type {Quota, QuotaClass, QuotaLeft} from '../quota/quota.js'
import type {Elements} from '../values/elements.js'
import type {JsonRecord, JsonValue} from '../values/json.js'

/** Address of the service and ways to speak to it: one profile resolved with flags and environment. */
export type Settings = {
  profile?: string // named in advice
  /** `{base_url}` of the specification, without the stage. */
  baseUrl: string
  stage: Stage
  /** Method of reads; some gateways refuse or strip the body of a GET. */
  readMethod: 'GET' | 'POST'
  /** Request header that carries the login token. */
  tokenHeader: string
  /** Requests per second, and together after a rest, that the governor allows. */
  rate: number
  burst: number
  /** Requests of a day; unset: as many as the contract allows. */
  quota?: Quota
  /** Operation paths that this deployment serves elsewhere. */
  routes: Partial<Record<string, string>>
  /** Longest wait for one complete answer, in seconds. Unset: 60 for writes, 300 for reads. */
  timeoutSeconds?: number | undefined
  /** Requests this run may send, login included. */
  maximumRequests?: number | undefined
}

export type Credentials = {apiKey: string; username?: string; password?: string}

export type Token = {accessToken: string; userName?: string; issued?: string; expires?: string}

/** The place of the token of one profile and stage between runs. */
export type TokenStore = {
  read(): Promise<Token | undefined>
  write(token: Token | undefined): Promise<void>
  /** Does the work, a login, while no other process that shares the store does; without it, each process logs in by itself. */
  exclusively?<Value>(work: () => Promise<Value>): Promise<Value>
}

/** One line of `--log-http`: nothing secret can be in it, because headers come from an allow-list. */
export type HttpLogEntry = {
  at: string
  method: string
  url: string
  operation: string
  attempt: number
  requestHeaders: Record<string, string>
  requestBytes: number
  status?: number
  responseHeaders?: Record<string, string>
  responseBytes?: number
  milliseconds: number
  failure?: string
}

export type ClientOptions = {
  settings: Settings
  /** Called once, before the first request. Throws a `CliFailure` when there are none. */
  credentials: () => Promise<Credentials>
  tokens: TokenStore
  clock: Clock
  /** 0 up to 1; for the jitter of waits. */
  random: () => number
  /** Environment that names proxies: HTTPS_PROXY, HTTP_PROXY, NO_PROXY in either case. */
  environment: Environment
  signal?: AbortSignal | undefined
  onRequest?: ((entry: HttpLogEntry) => void) | undefined
  /** Called with waits and retries, as text for a person. */
  onNotice?: ((text: string) => void) | undefined
  /** The requests of the key; without it this process counts for itself alone. The client closes it. */
  ledger?: Ledger
  /** Called once when the ledger fails, with text for a person; the client continues without it. */
  onLedgerLost?: (text: string) => void
  /** `interactive` unless given. */
  quotaClass?: QuotaClass
  /** The requests of the key are shared with other machines through this. */
  budget?: BudgetStore
  /** Called once when it cannot be reached, with text for a person. */
  onAlone?: (text: string) => void
}

export type FilterValues = Partial<Record<FilterKey, JsonValue>>

/** Contents of one write: records in its body, or filters that name them. */
export type WriteContent = {records?: JsonRecord[]; filters?: FilterValues}

export type ReadRequest = {
  filters: FilterValues
  /** Requested page size; the default is the operation's maximum. */
  pageSize?: number | undefined
  /** First page to read; 1 unless given. */
  firstPage?: number
  /** Stop asking for pages once this many records have been handed out by earlier pages. */
  limit?: number | undefined
  /** Take the answer even when rows do not satisfy the filters (reconcile reads and `doctor` look for themselves). */
  skipFilterCheck?: boolean
  /**
   * Cuts the bytes of an answer into its elements; `splitElements` unless given. `done` may be called once, when nothing
   * looks at the bytes any more.
   */
  split?: ((bytes: Buffer, done?: () => void) => Elements) | undefined
  /**
   * Numbers of records in answers with these digests (SHA-256), which were proven before: they are not looked
   * into until `split` of their `raw` does.
   */
  known?: ReadonlyMap<string, number>
  /** Pages that are asked for together after the first; 4 unless given. They are handed out in their order whatever it is. */
  pagesInFlight?: number | undefined
  /** The page size that earlier pages of the same list were served with; to continue at a later `firstPage`. */
  servedSize?: number
}

/** One answer of a read. */
export type Page = {
  number: number
  /** Page size the service really used. */
  size: number
  totalPages: number
  /** Records on this page. */
  count: number
  /** The clamp headers, as they came; a side that the service did not change is absent. */
  served: {start?: string; end?: string}
  /** Time of the answer by the service, in milliseconds since 1970; absent when it does not say. */
  serverTime?: number | undefined
  /** The bytes of the answer as `split` cut them, proven to be one complete JSON array; released with the last of `records`. */
  elements: Elements
  /** Present in a read with `known`; `split` for an answer that is. */
  raw?: {digest: string; split?: () => Elements} | undefined
  /**
   * Throws the `CliFailure` that `records` would throw at a record that shows that the filter was not honoured. The
   * fields of `fieldsOfFilters` are enough. For those who read `elements` themselves.
   */
  check(seen: JsonRecord): void
  /** The failure that `records` would end in at an element (from 0) that is no record. */
  unreadable(index: number): Error
  /**
   * The records, parsed one by one while they are asked for, so that a page costs little memory. Throws a `CliFailure`
   * at a record that shows that the filter was not honoured, or that is not JSON. Ask for it once.
   */
  records: Iterable<JsonRecord>
}

/** One element of the service's error list, as it came. */
export type RefusalEntry = {code: string; message: string; pointers: (string | number)[]; pointerName?: string}

/** The fate of one set. A write never throws for what the service or the network did to it. */
export type WriteAnswer =
  | {fate: 'applied'; ids: JsonValue[]; records: JsonRecord[]; now?: JsonValue[]} // `now`: counts that were changed by a number
  | {fate: 'refused'; status: number; refusals: RefusalEntry[]}
  | {fate: 'inDoubt'; why: string; status?: number | undefined; refusals: RefusalEntry[]}
  /** Nothing left this machine, or the service refused before doing any work; `failure` says why. */
  | {fate: 'unsent'; failure: Error}

export type WriteHow = {
  /** The exact request body, as `toWriteBody` made it; made of what is sent unless given. */
  body?: string
  /** Called right before the first byte of each try leaves. What it throws keeps the request from being sent. */
  beforeSend?: (() => void) | undefined
}

export type RawRequest = {
  method: string
  /** Path below the stage, with or without a leading slash. */
  path: string
  headers?: Record<string, string>
  body?: string
}

export type RawAnswer = {status: number; headers: Record<string, string>; body: Buffer}

export type Client = {
  /** Reads all pages in order, from the first to the last. */
  readPages(id: ReadId, request: ReadRequest): AsyncGenerator<Page, void, void>
  /** Sends one set once. Only an expired token and a throttle are retried: they prove that nothing was done. */
  write(id: WriteId, sent: WriteContent, how?: WriteHow): Promise<WriteAnswer>
  /** Sends any authenticated request once (reads are retried as usual); throws a `CliFailure` when it is refused. */
  call(request: RawRequest): Promise<RawAnswer>
  /** Logs in now, keeps the token, and returns it. */
  login(): Promise<Token>
  /** Asks the key test route; returns its text. */
  testKey(): Promise<string>
  /** Requests sent so far, login and retries included. */
  readonly requestsUsed: number
  /** The rest of the day's requests, before the next one is sent. */
  quota(): QuotaLeft
  /** This client with its requests in another class. */
  forClass(quotaClass: QuotaClass): Pick<Client, 'readPages' | 'write' | 'call' | 'quota'>
  /** Spreads this many requests evenly over this many days, from now on. */
  spreadOver(requests: number, days: number): void
  /** Gives the requests of this process the id of its run, for `quota`. */
  nameRun(runId: string): void
  /** Asks a shared budget, before anything is sent. Throws a `CliFailure` when nothing may be sent now. */
  begin(): Promise<void>
  /** Resolves when what was not used is returned to a shared budget. */
  close(): Promise<void>
}
