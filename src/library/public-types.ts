import type {Credentials, HttpLogEntry, RawRequest, Token, TokenStore, WriteAnswer} from '../client/types.js'
import type {
  Field,
  FilterKey,
  fields,
  filters,
  OperationId,
  operations,
  ReadId,
  Stage,
  transactionReport,
  WriteId,
} from '../contract/index.js'
import type {Clock} from '../core/clock.js'
import type {Quota, QuotaLeft} from '../quota/quota.js'
import type {JsonNumber, JsonValue} from '../values/json.js'

export type ClientOptions = {
  /** Address of the service, without the stage: `https://api.example.com`. Plain http only to this very machine. */
  baseUrl: string
  /**
   * API key, user name and password, or what finds them: it is asked once, before the first request. Without user name
   * and password, `tokens` must have a token.
   */
  credentials: Credentials | (() => Credentials | Promise<Credentials>)
  /** Deployed version of the service; `v2.1` unless given. */
  stage?: Stage
  /** Method of reads: `GET` with a body unless given; `POST` where a gateway refuses or strips that body. */
  readMethod?: 'GET' | 'POST'
  /** Request header that carries the login token; `access-token` unless given. */
  tokenHeader?: string
  /** Operations that this deployment serves at another path below the stage. */
  routes?: Partial<Record<OperationId, string>>
  /** Requests per second, and together after a rest, that this client allows itself: 19.5 and 95, a little under the limits. */
  rate?: number
  burst?: number
  /** Requests of a day, and how many of them to leave to others; 5,000 and 0 unless given. */
  quota?: Quota
  /** Longest wait for one complete answer, in seconds; 60 for writes and 300 for reads unless given. */
  timeoutSeconds?: number
  /** Requests that this client may send, login included; no end unless given. */
  maximumRequests?: number
  /** Keeps the login token, so that it serves other processes too; in memory unless given. */
  tokens?: TokenStore
  /** Ends waits and reads immediately; a write in flight has 10 seconds to be answered. */
  signal?: AbortSignal
  /** Called with waits and retries, as text for a person. */
  onNotice?: (text: string) => void
  /** Called with every request once it was answered or failed; nothing secret is in it. */
  onRequest?: (entry: HttpLogEntry) => void
  /** Environment that names proxies (`HTTPS_PROXY`, `NO_PROXY`); that of the process unless given. */
  environment?: Readonly<Record<string, string | undefined>>
  /** The time; that of the system unless given. */
  clock?: Clock
}

export type ReadRequest<Id extends ReadId> = {
  filters?: Filters<Id>
  /** Records asked for in one request; as many as the service serves (2,000) unless given. */
  pageSize?: number
  /** Pages that are asked for together after the first; 4 unless given. They come in their order whatever it is. */
  pagesInFlight?: number
  /**
   * Take what is served of dates that are further apart than the service allows; a failure unless given. Sessions and
   * metadata are read window by window over any range, and need it only without `StartDate`.
   */
  allowClamp?: boolean
}

/** A page of a list. */
export type Page<Id extends ReadId> = {
  /** From 1. */
  number: number
  totalPages: number
  /** Page size the service really used. */
  size: number
  /** Records that were not on the page before. */
  records: ReadRecord<Id>[]
  /** The dates that the service used in place of those asked for; a side that it did not change is absent. */
  served: {start?: string; end?: string}
  /** Records that came twice so far. Above 0, the list changed while it was read, and some may be missing. */
  drifted: number
}

export type ReportRequest = {
  /** First moment, in the local time of the machines: `2024-07-01`, `2024-07`, `-7d` and the like. */
  start: string
  /** Last moment; without it, everything up to now in every time zone. */
  end?: string
  /** Other narrowings than dates. */
  filters?: Omit<Filters<typeof transactionReport>, 'StartDate' | 'EndDate'>
  pageSize?: number
  pagesInFlight?: number
}

/** One answer of the transaction report. */
export type ReportPage = {
  /** Batches with their line items; each comes once, also where windows touch. */
  records: ReadRecord<typeof transactionReport>[]
  /** The range that was served so far. */
  served: {start?: string; end?: string}
  /** Part of the range that was read once this window is: 0 to 1. */
  done: number
  /** Whether further pages follow. */
  isMore: boolean
  /** Batches that came twice within a window so far. Above 0, the data changed while it was read: read again. */
  drifted: number
}

export type WriteHow = {
  /**
   * Called with the exact body right before its first byte leaves, on every try: the place to write down what may be in
   * doubt later. What it throws keeps the request from being sent.
   */
  beforeSend?: (body: string) => void
}

/** The answer to a raw request. */
export type RawAnswer = {status: number; headers: Record<string, string>; body: Uint8Array}

/**
 * A caller of the service. Everything expected that goes wrong is a `CliFailure`.
 *
 * Records have the names and the units of the service: percentages are percents, prices are in its currency, times are
 * its texts, without offset. No digit is lost: a number that JavaScript would print differently, such as `10.10`, is a
 * `RawNumber`; see `JsonNumber`.
 */
export type Client = {
  /**
   * Reads all pages of a list in order, every record once. Reads are tried again where that is safe. Throws when an
   * answer is cut, cannot be read, covers fewer days than were asked for, or has a record that the filters exclude.
   */
  readPages<Id extends ReadId>(id: Id, request?: ReadRequest<Id>): AsyncGenerator<Page<Id>, void, void>
  /** Reads the transaction report over any range, in windows of what one request may ask for, every batch once. */
  readReport(request: ReportRequest): AsyncGenerator<ReportPage, void, void>
  /**
   * Sends one set, applied completely or not at all, and says what became of it; throws only at arguments that cannot be
   * sent. It is never sent a second time unless the service proved that nothing was done. After `inDoubt`, read the
   * records back before you send them again.
   */
  write<Id extends WriteId>(id: Id, sent: Sent<Id>, how?: WriteHow): Promise<WriteAnswer>
  /**
   * Changes some fields of records and leaves the others as they are: reads the records, lays the fields over them, and
   * sends them as one set. Throws, before it sends, where one of them does not exist.
   */
  update<Id extends UpdateId>(id: Id, records: readonly Changes<Id>[], how?: WriteHow): Promise<WriteAnswer>
  /** Sends any authenticated request below the stage once (a GET is tried again where that is safe). */
  call(request: RawRequest): Promise<RawAnswer>
  /** Logs in now, keeps the token, and returns it. Without it, the first request logs in. */
  login(): Promise<Token>
  /** Asks the service whether the API key is set up correctly; returns its text. */
  testKey(): Promise<string>
  /** The rest of the day's requests, as far as this client knows: it counts its own and learns from refusals. */
  quota(): QuotaLeft
  /** Requests sent so far, login and retries included. */
  readonly requestsUsed: number
  /** Lets go of connections; nothing can be sent afterwards. */
  close(): void
}

type Tables = {operations: typeof operations; fields: typeof fields; filters: typeof filters}
type Operation<Id extends ReadId | WriteId> = Tables['operations'][Id]
type FieldsOf<Id extends ReadId | WriteId> = Tables['fields'][Operation<Id>['resource']]

type ValueOf<Known extends Field> = Known extends {kind: 'integer' | 'decimal'}
  ? JsonNumber
  : Known extends {kind: 'boolean'}
    ? boolean
    : Known extends {kind: 'choice'; of: readonly (infer Word)[]}
      ? Word
      : Known extends {kind: 'object'; fields: infer Inner}
        ? ReadFields<Inner>
        : Known extends {kind: 'list'; fields: infer Inner}
          ? ReadFields<Inner>[]
          : string

type OrNull<Known> = Known extends {nullable: true} ? null : never

type ReadFields<Known> = {
  [Name in keyof Known]?: Known[Name] extends Field ? ValueOf<Known[Name]> | OrNull<Known[Name]> : never
}

type NamesFor<Known, Use extends string> = {
  [Name in keyof Known]: Known[Name] extends {uses: readonly (infer Used)[]} ? (Use extends Used ? Name : never) : never
}[keyof Known]

type RequiredFor<Known, Use extends string> = {
  [Name in keyof Known]: Known[Name] extends {required: readonly (infer Needed)[]}
    ? Use extends Needed
      ? Name
      : never
    : never
}[keyof Known]

type SentFields<Known, Use extends string> = {
  [Name in RequiredFor<Known, Use>]: Required<ReadFields<Known>>[Name]
} & {[Name in Exclude<NamesFor<Known, Use>, RequiredFor<Known, Use>>]?: ReadFields<Known>[Name]}

/**
 * A record as it was read. The fields are those of the contract; the service may leave any of them out, and others that
 * it sends are there too.
 */
export type ReadRecord<Id extends ReadId> = ReadFields<FieldsOf<Id>> & {[name: string]: JsonValue | undefined}

/** Writes whose records change others. */
export type UpdateId = {[Id in WriteId]: Operation<Id>['body'] extends 'update' ? Id : never}[WriteId]

/** The id or key of a record, and the fields that change. */
export type Changes<Id extends UpdateId> = Partial<SentRecord<Id>>

/** A record to send. Of an update: a field that is left out becomes null, those of alerts aside. */
export type SentRecord<Id extends WriteId> = Operation<Id>['body'] extends infer Use extends
  | 'create'
  | 'update'
  | 'delete'
  ? SentFields<FieldsOf<Id>, Use>
  : never

type FilterValue<Key extends FilterKey> = {
  integers: readonly JsonNumber[]
  texts: readonly (string | JsonNumber)[]
  dateTime: string
  flag: boolean
}[Tables['filters'][Key]['kind']]

/**
 * The filters that an operation honours. A list may not be empty: it would filter nothing. Dates are written as for the
 * program: `2024-07-01`, `2024-07-01T13:00`, `2024-07`, `yesterday`, `-7d`; a day or a month means its first moment in
 * `StartDate` and its last in `EndDate`.
 */
export type Filters<Id extends ReadId | WriteId> = {
  [Key in Extract<keyof Operation<Id>['filters'], FilterKey>]?: FilterValue<Key>
}

/** The content of a write: records, or the filters that say what changes. */
export type Sent<Id extends WriteId> = Operation<Id>['body'] extends 'none'
  ? {filters: Required<Filters<Id>>}
  : {records: readonly SentRecord<Id>[]}
