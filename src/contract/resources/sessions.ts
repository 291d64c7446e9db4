import type {Fields, Row} from '../base/grammar.js'
import {ofDates, ofReads} from '../base/refusals.js'
import {boolean, dateTime, integer, read, reading, text, whatIsWrong} from '../base/rows.js'

/** [pub] One visit of a person to the web site or to the service mode of a machine. */
const session = {
  id: integer(read, 'Identifies the session.'),
  machineId: integer(read, 'Machine it was on.', {refersTo: 'machine', nullable: true}),
  organizationId: integer(read, 'Organization it was in.', {refersTo: 'organization'}),
  startedAtUtc: dateTime(read, 'When it started, UTC.'),
  endedAtUtc: dateTime(read, 'When it ended, UTC.', {nullable: true}),
  login: text(read, 'Login that was used.', {maxLength: 500, alsoNamed: ['loginId']}),
  reason: text(read, 'Why it was opened.', {nullable: true, maxLength: 300}),
  loginWasSuccessful: boolean(read, 'Whether the login was accepted.', {alsoNamed: ['loginWasSuccessfull']}),
  wasAbandoned: boolean(read, 'Whether it was left without a logout.', {nullable: true}),
  source: text(read, 'Where it was, such as Web or Service Mode.', {maxLength: 50}),
} as const satisfies Fields

/** [pub] What happened in a session. */
const sessionEvent = {
  id: integer(read, 'Identifies the event.'),
  sessionId: integer(read, 'Session it belongs to.', {refersTo: 'session', alsoNamed: ['sessionIdId']}),
  eventType: text(read, 'What happened.'),
  startedAt: dateTime(read, 'When it began.', {nullable: true}),
  loggedAt: dateTime(read, 'When it was logged.'),
  data: text(read, 'What belongs to it.', {nullable: true, alsoNamed: ['additionalData']}),
} as const satisfies Fields

export const fields = {session, sessionEvent} as const satisfies Record<string, Fields>

export const operations = {
  'sessions.list': {
    ...reading,
    path: '/sessions/management', // [pub]
    since: 'v2.1',
    resource: 'session',
    maximumPageSize: 50, // [pub]
    refuses: [...ofReads, ...ofDates, 'UNAUTHORIZED_DATA_ACCESS'],
    about: 'List sessions: who was logged in where, and when.',
    next: {'sessions events --session ID': 'what happened in a session', ...whatIsWrong},
    range: {maximumDays: 31, on: 'startedAtUtc', clock: 'utc'}, // [pub]
    filters: {
      organizationIds: ['organizationId'],
      machineIdentifiers: ['machineId'], // [3rd]
      StartDate: ['startedAtUtc'],
      EndDate: ['startedAtUtc'],
      sessionIds: ['id'],
      sessionEventIds: [],
    },
  },
  'sessions.events': {
    ...reading,
    path: '/sessions/management/events', // [pub]
    since: 'v2.1',
    unconfirmed: ['that the dates are compared with loggedAt'], // [dec]
    resource: 'sessionEvent',
    maximumPageSize: 50, // [pub]
    refuses: [...ofReads, ...ofDates, 'UNAUTHORIZED_DATA_ACCESS'],
    about: 'List what happened in sessions.',
    next: {'sessions list': 'the sessions themselves', ...whatIsWrong},
    range: {maximumDays: 31, on: 'loggedAt', clock: 'utc'}, // [pub]; the field is [dec]
    filters: {
      organizationIds: [],
      machineIdentifiers: [], // [3rd]
      StartDate: ['loggedAt'],
      EndDate: ['loggedAt'],
      sessionIds: ['sessionId'],
      sessionEventIds: ['id'],
    },
  },
} as const satisfies Record<string, Row>
