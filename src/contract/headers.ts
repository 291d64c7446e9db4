import type {Header} from './base/grammar.js'

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
  servedSize: {name: 'size', of: 'answer', kind: 'integer', about: 'The page size really used; believe it.'},
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
