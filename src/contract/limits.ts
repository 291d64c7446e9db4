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

/** What the client allows itself: rate and burst a little under the limits, so that it is never refused. [dec] */
export const pace = {
  requestsPerSecond: 19.5,
  burst: 95,
  /** Pages of one list that are asked for together after its first. More are no faster, and each is held in memory. */
  pagesInFlight: 4,
} as const
