import type {Route, SuggestedCommand} from './grammar.js'
import {publishedOperations} from './published-operations.js'
import {ofDates, ofReads, ofWrites} from './refusals.js'

/** Where a read leads that does not show what was expected. */
const whatIsWrong: SuggestedCommand = ['doctor', 'find out what is wrong between here and the service']

/** Every route of the service: one row, one operation, one command. Sources of paths: contract marks beside them. */
export const operations = {
  'organizations.list': {
    kind: 'read',
    verb: 'GET',
    path: '/organizations',
    since: 'v2',
    command: 'organizations list', // [3rd]
    unconfirmed: ['its path'],
    resource: 'organization',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List organizations.',
    next: [['accounts list --organization ID', 'the accounts of an organization'], whatIsWrong],
    filters: {organizationIds: {matches: ['id']}},
  },
  'accounts.list': {
    kind: 'read',
    verb: 'GET',
    path: '/accounts',
    since: 'v2',
    command: 'accounts list', // [seed]
    resource: 'account',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List accounts.',
    next: [['sites list --account ID', 'the sites of an account'], whatIsWrong],
    filters: {organizationIds: {matches: ['organizationId']}, accountIds: {matches: ['id']}},
  },
  'sites.list': {
    kind: 'read',
    verb: 'GET',
    path: '/sites',
    since: 'v2',
    command: 'sites list', // flat-route rule [seed]
    resource: 'site',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List sites.',
    next: [
      ['machines list --site ID', 'the machines of a site'],
      ['sites update --file FILE', 'send an edited list back'],
      whatIsWrong,
    ],
    filters: {
      organizationIds: {matches: ['orgId']},
      accountIds: {matches: ['accountId']},
      siteIds: {matches: ['id']},
      includeDeleted: {matches: []},
    },
  },
  'sites.create': {
    kind: 'write',
    verb: 'PUT',
    path: '/sites',
    since: 'v2',
    command: 'sites create', // [seed]
    resource: 'site',
    body: 'create',
    filters: {},
    refuses: [...ofWrites, 'NAME_UNIQUENESS', 'GLOBAL_CHARGE_KEY', 'SITE_VALIDATION'],
    about: 'Create sites from a file.',
    next: [],
  },
  'sites.update': {
    kind: 'write',
    verb: 'PATCH',
    path: '/sites',
    since: 'v2',
    command: 'sites update', // [seed]
    resource: 'site',
    body: 'update',
    filters: {},
    refuses: [...ofWrites, 'NAME_UNIQUENESS', 'GLOBAL_CHARGE_KEY', 'SITE_VALIDATION'],
    about: 'Update sites from a file.',
    next: [],
  },
  'machines.list': {
    kind: 'read',
    verb: 'GET',
    path: '/machines',
    since: 'v2',
    command: 'machines list', // [seed]
    resource: 'machine',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List machines.',
    next: [['alerts list --machine ID', 'what machines have raised'], whatIsWrong],
    filters: {
      organizationIds: {matches: ['organizationId']},
      accountIds: {matches: []},
      siteIds: {matches: ['siteId']},
      machineIdentifiers: {matches: ['id', 'prose']},
      includeDeleted: {matches: []},
    },
  },
  'machines.custom-data.create': {
    kind: 'write',
    verb: 'PUT',
    path: '/machines/custom-data',
    since: 'v2', // [seed]
    command: 'machines custom-data create',
    resource: 'customData',
    body: 'create',
    filters: {},
    refuses: [...ofWrites, 'CUSTOM_DATA_EXISTS'],
    about: 'Create machine custom data from a file.',
    next: [],
  },
  'alerts.list': {
    kind: 'read',
    verb: 'GET',
    path: '/alerts',
    since: 'v2',
    command: 'alerts list', // [seed]
    resource: 'alert',
    maximumPageSize: 2_000,
    refuses: [...ofReads, ...ofDates],
    about: 'List alerts.',
    next: [
      ['alerts codes', 'what the codes mean'],
      ['alerts clear', 'clear alerts by id, from a file or by filter'],
      whatIsWrong,
    ],
    range: {maximumDays: 90, on: 'raisedAt'}, // [dec]
    filters: {
      organizationIds: {matches: ['organizationId']},
      siteIds: {matches: ['siteId']},
      machineIdentifiers: {matches: ['machineId', 'machineProse']},
      StartDate: {matches: ['raisedAt']},
      EndDate: {matches: ['raisedAt']},
      alertIds: {matches: ['id']},
      alertCodes: {matches: ['code']},
    },
  },
  'alerts.create': {
    kind: 'write',
    verb: 'PUT',
    path: '/alerts',
    since: 'v2',
    command: 'alerts create', // [seed]
    resource: 'alert',
    body: 'create',
    filters: {},
    refuses: [...ofWrites, 'ALERT_EXISTS', 'DATE_PARSING'],
    about: 'Create alerts from a file.',
    next: [],
  },
  'alerts.update': {
    kind: 'write',
    verb: 'PATCH',
    path: '/alerts',
    since: 'v2',
    command: 'alerts update', // [seed]
    resource: 'alert',
    body: 'update',
    filters: {},
    refuses: [...ofWrites, 'DATE_PARSING'],
    about: 'Update alerts from a file.',
    next: [],
  },
  'alerts.clear': {
    kind: 'write',
    verb: 'POST',
    path: '/alerts/clear',
    since: 'v2',
    command: 'alerts clear', // [seed]
    resource: 'alert',
    body: 'none',
    filters: {alertIds: {matches: ['id']}},
    refuses: [...ofWrites, 'ALREADY_CLEARED'],
    about: 'Clear alerts, also those that only the user interface clears.',
    next: [['alerts list', 'look at them first']],
  },
  'alerts.codes': {
    kind: 'read',
    verb: 'GET',
    path: '/alerts/codes',
    since: 'v2',
    command: 'alerts codes', // [3rd]
    unconfirmed: ['its path'],
    resource: 'alertCode',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List alert codes.',
    next: [['alerts list --code CODE', 'the alerts with a code']],
    filters: {},
  },
  'reports.transactions': {
    kind: 'read',
    verb: 'GET',
    path: '/reports/transactions',
    alsoAt: ['/transactions'], // [seed], also [pub]
    since: 'v2',
    command: 'reports transactions',
    resource: 'transaction',
    maximumPageSize: 2_000,
    refuses: [...ofReads, ...ofDates],
    about: 'Read the transaction report.',
    next: [
      ['reports verify FILE', 'check a finished export'],
      ['reports summary FILE --by site', 'totals of it'],
      ['reports coverage', 'which days are proven complete'],
      ['quota', 'the requests that are left today'],
    ],
    range: {maximumDays: 31, on: 'recordedAtUtc'}, // [pub]; compared in the local time of the machine [dec]
    report: {name: 'transaction report', record: ['batch', 'batches'], filePrefix: 'tx'},
    filters: {
      organizationIds: {matches: []},
      accountIds: {matches: []},
      siteIds: {matches: ['siteId']},
      machineIdentifiers: {matches: ['machineId']},
      StartDate: {matches: ['recordedAtUtc']},
      EndDate: {matches: ['recordedAtUtc']},
      transactionIdentifiers: {matches: ['id']},
    },
  },
  ...publishedOperations,
  'auth.login': {
    kind: 'session',
    verb: 'POST',
    path: '/authenticate',
    since: 'v1',
    command: 'auth login',
    needsToken: false, // [pub]
    sends: 'login',
    answer: 'token',
    refuses: ['INVALID_LOGIN', 'NO_API_ACCESS', 'MISSING_REQUIRED_DATA', 'GENERIC_ERROR', 'UNKNOWN_ERROR'],
    about: 'Log in and keep the token.',
  },
  'auth.test': {
    kind: 'session',
    verb: 'POST',
    path: '/token-test',
    since: 'v1',
    command: 'auth test',
    needsToken: false, // [pub]
    sends: null,
    answer: 'text',
    refuses: ['UNKNOWN_ERROR'],
    about: 'Check the API key.',
  },
} as const satisfies Record<string, Route>

export type OperationId = keyof typeof operations

type IdOf<Kind> = {[Id in OperationId]: (typeof operations)[Id]['kind'] extends Kind ? Id : never}[OperationId]

/** Operation ids by kind. */
export type ReadId = IdOf<'read'>
export type WriteId = IdOf<'write'>
export type SessionId = IdOf<'session'>

/** Reads with a row `report`. */
export type ReportId = {
  [Id in ReadId]: (typeof operations)[Id] extends {report: object} ? Id : never
}[ReadId]

/** Operations that a part of the program is about, so that no other file names one. */
export const transactionReport = 'reports.transactions' satisfies ReadId
export const login = 'auth.login' satisfies SessionId
export const keyTest = 'auth.test' satisfies SessionId
/** What is wrong with machines, and what the codes of it mean. */
export const alertList = 'alerts.list' satisfies ReadId
export const alertCodeList = 'alerts.codes' satisfies ReadId
/** The read that shows whether key, token and filters arrive. */
export const smallestRead = 'machines.list' satisfies ReadId
