/** The client of the service for other programs: the names that they may rely on. */

export type {
  Credentials,
  HttpLogEntry,
  RawRequest,
  RefusalEntry,
  Token,
  TokenStore,
  WriteAnswer,
} from './client/types.js'
export type {Changed, ExitName, OperationId, ReadId, Stage, WriteId} from './contract/index.js'
export type {Clock} from './core/clock.js'
export {CliFailure, type ErrorEntry, type FailureOptions, type Retry} from './core/errors.js'
export {createClient} from './library/create-client.js'
export type {
  Changes,
  Client,
  ClientOptions,
  Filters,
  Page,
  RawAnswer,
  ReadRecord,
  ReadRequest,
  ReportPage,
  ReportRequest,
  Sent,
  SentRecord,
  UpdateId,
  WriteHow,
} from './library/public-types.js'
export type {Quota, QuotaLeft} from './quota/quota.js'
export {
  type JsonNumber,
  type JsonRecord,
  type JsonValue,
  numberText,
  type Printable,
  printJson,
  type RawNumber,
  toNumber,
} from './values/json.js'
