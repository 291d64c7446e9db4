import type {Fields, Route} from '../base/grammar.js'
import {ofDates, ofReads} from '../base/refusals.js'
import {read, whatIsWrong} from '../base/uses.js'

/** [pub] One visit of a person to the web site or to the service mode of a machine. */
const session = {
  id: {kind: 'integer', uses: read, about: 'Identifies the session.'},
  machineId: {kind: 'integer', uses: read, refersTo: 'machine', nullable: true, about: 'Machine it was on.'},
  organizationId: {kind: 'integer', uses: read, refersTo: 'organization', about: 'Organization it was in.'},
  startedAtUtc: {kind: 'dateTime', uses: read, about: 'When it started, UTC.'},
  endedAtUtc: {kind: 'dateTime', uses: read, nullable: true, about: 'When it ended, UTC.'},
  login: {kind: 'text', uses: read, maxLength: 500, alsoNamed: ['loginId'], about: 'Login that was used.'},
  reason: {kind: 'text', uses: read, nullable: true, maxLength: 300, about: 'Why it was opened.'},
  loginWasSuccessful: {
    kind: 'boolean',
    uses: read,
    alsoNamed: ['loginWasSuccessfull'],
    about: 'Whether the login was accepted.',
  },
  wasAbandoned: {kind: 'boolean', uses: read, nullable: true, about: 'Whether it was left without a logout.'},
  source: {kind: 'text', uses: read, maxLength: 50, about: 'Where it was, such as Web or Service Mode.'},
} as const satisfies Fields

/** [pub] What happened in a session. */
const sessionEvent = {
  id: {kind: 'integer', uses: read, about: 'Identifies the event.'},
  sessionId: {
    kind: 'integer',
    uses: read,
    refersTo: 'session',
    alsoNamed: ['sessionIdId'],
    about: 'Session it belongs to.',
  },
  eventType: {kind: 'text', uses: read, about: 'What happened.'},
  startedAt: {kind: 'dateTime', uses: read, nullable: true, about: 'When it began.'},
  loggedAt: {kind: 'dateTime', uses: read, about: 'When it was logged.'},
  data: {kind: 'text', uses: read, nullable: true, alsoNamed: ['additionalData'], about: 'What belongs to it.'},
} as const satisfies Fields

export const fields = {session, sessionEvent} as const satisfies Record<string, Fields>

export const operations = {
  'sessions.list': {
    kind: 'read',
    verb: 'GET',
    path: '/sessions/management',
    since: 'v2.1',
    command: 'sessions list', // [pub]
    resource: 'session',
    maximumPageSize: 50, // [pub]
    refuses: [...ofReads, ...ofDates, 'UNAUTHORIZED_DATA_ACCESS'],
    about: 'List sessions: who was logged in where, and when.',
    next: [['sessions events --session ID', 'what happened in a session'], whatIsWrong],
    range: {maximumDays: 31, on: 'startedAtUtc', clock: 'utc'}, // [pub]
    filters: {
      organizationIds: {matches: ['organizationId']},
      machineIdentifiers: {matches: ['machineId']}, // [3rd]
      StartDate: {matches: ['startedAtUtc']},
      EndDate: {matches: ['startedAtUtc']},
      sessionIds: {matches: ['id']},
      sessionEventIds: {matches: []},
    },
  },
  'sessions.events': {
    kind: 'read',
    verb: 'GET',
    path: '/sessions/management/events',
    since: 'v2.1',
    command: 'sessions events', // [pub]
    unconfirmed: ['that the dates are compared with loggedAt'], // [dec]
    resource: 'sessionEvent',
    maximumPageSize: 50, // [pub]
    refuses: [...ofReads, ...ofDates, 'UNAUTHORIZED_DATA_ACCESS'],
    about: 'List what happened in sessions.',
    next: [['sessions list', 'the sessions themselves'], whatIsWrong],
    range: {maximumDays: 31, on: 'loggedAt', clock: 'utc'}, // [pub]; the field is [dec]
    filters: {
      organizationIds: {matches: []},
      machineIdentifiers: {matches: []}, // [3rd]
      StartDate: {matches: ['loggedAt']},
      EndDate: {matches: ['loggedAt']},
      sessionIds: {matches: ['sessionId']},
      sessionEventIds: {matches: ['id']},
    },
  },
} as const satisfies Record<string, Route>
