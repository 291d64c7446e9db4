import type {Header, Stage, StageRow} from './base/grammar.js'
import type {FilterKey} from './filters.js'
import type {ReadId} from './operations.js'

/** The deployed versions of the service and what each can do. [seed] */
export const stages = {
  rc: {bulk: true, sessions: true, about: 'Early access to the next release; may break.'},
  v1: {bulk: false, sessions: false, about: 'Original production release, without standard request bodies.'},
  v2: {bulk: true, sessions: false, about: 'Standard request bodies, templating, roles and rights.'},
  'v2.1': {bulk: true, sessions: true, about: 'v2 with sessions and files; the most current version.'},
} as const satisfies Record<Stage, StageRow>

/** "The most current version is recommended." [seed] */
export const defaultStage = 'v2.1' satisfies Stage

/** The limits of one API key and one request. Default values of a new key. [seed] unless marked. */
export const limits = {
  requestsPerSecond: 20,
  burst: 100,
  requestsPerDay: 5_000,
  defaultPageSize: 50,
  maximumPageSize: 2_000,
  /** [dec] A larger request body is answered 413. */
  maximumBodyBytes: 10_485_760,
  /** [pub] Life of a login token. */
  tokenLifeHours: 72,
  defaultSetSize: 500,
  /** [dec] How far back an alert is looked for by its id when it is not known when it was raised. */
  alertSearchDays: 1_095,
} as const

/** Rate and burst of the client, a little under the limits, so that it is never refused. [dec] */
export const pace = {
  requestsPerSecond: 19.5,
  burst: 95,
  /** Pages of one list that are asked for together after its first. More are no faster, and each takes memory. */
  pagesInFlight: 4,
} as const

/** The headers that carry what the bodies do not. [seed] unless marked. */
export const headers = {
  apiKey: {name: 'x-api-key', of: 'request', kind: 'text', about: 'The API key; every request carries it.'},
  token: {
    name: 'access-token',
    of: 'request',
    kind: 'text',
    about: 'The login token; a profile may name another header.', // name [3rd]
  },
  page: {name: 'page', of: 'request', kind: 'integer', about: 'Page of results asked for.'},
  size: {name: 'size', of: 'request', kind: 'integer', about: 'Records per page.'},
  servedPage: {name: 'page', of: 'answer', kind: 'integer', about: 'The page returned.'},
  servedSize: {name: 'size', of: 'answer', kind: 'integer', about: 'The page size used, whatever was asked for.'},
  totalPages: {
    name: 'total-pages',
    of: 'answer',
    kind: 'integer',
    about: 'Pages there are; 0 or 1 when nothing matched.',
  },
  servedStart: {
    name: 'search-range-start-date',
    of: 'answer',
    kind: 'dateTime',
    about: 'The start date really used, when the service changed or filled it.',
  },
  servedEnd: {
    name: 'search-range-end-date',
    of: 'answer',
    kind: 'dateTime',
    about: 'The end date really used, when the service changed or filled it.',
  },
} as const satisfies Record<string, Header>

/** The way in which a change of what machines sell reaches them: at their next check-in. [pub] */
export const pickUp = {
  read: 'machines.list',
  filter: 'machineIdentifiers',
  /** True until the machine has it. */
  flag: 'hasPlanogramChange',
  /** The last sign of life of the machine. */
  heartbeat: 'lastHeartBeat.server',
  typicalMinutes: 45,
} as const satisfies {read: ReadId; filter: FilterKey; flag: string; heartbeat: string; typicalMinutes: number}
