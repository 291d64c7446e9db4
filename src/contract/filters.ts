import type {Filter} from './base/grammar.js'
import type {Resource} from './fields.js'

/** Every narrowing of a read: the key the service knows, and the flag a person types. */
export const filters = {
  organizationIds: {
    kind: 'integers',
    place: 'requestFilter',
    flag: 'organization',
    alias: 'org',
    names: 'organization',
    about: 'Only these organizations.', // [seed]
  },
  accountIds: {
    kind: 'integers',
    place: 'requestFilter',
    flag: 'account',
    names: 'account',
    about: 'Only these accounts.',
  }, // [pub]
  siteIds: {kind: 'integers', place: 'requestFilter', flag: 'site', names: 'site', about: 'Only these sites.'}, // [seed]
  selectionIds: {
    kind: 'integers',
    place: 'requestFilter',
    flag: 'selection',
    names: 'selection',
    about: 'Only these selections.',
  }, // [pub]
  productIds: {
    kind: 'integers',
    place: 'requestFilter',
    flag: 'product',
    names: 'product',
    about: 'Only these products.',
  }, // [pub]
  machineIdentifiers: {
    kind: 'texts',
    place: 'requestFilter',
    flag: 'machine',
    names: 'machine',
    about: 'Only these machines, by id or PROSE serial.', // [seed] [pub]
  },
  StartDate: {
    kind: 'dateTime',
    place: 'requestFilter',
    flag: 'start',
    names: null,
    about: 'Start, e.g. 2024-07-01, 2024-07, yesterday or -7d.', // [seed]
    onWire: 'From this time on, ISO 8601 without offset; a date without a time starts at 00:00:00.',
  },
  EndDate: {
    kind: 'dateTime',
    place: 'requestFilter',
    flag: 'end',
    names: null,
    about: 'End, inclusive; a day or month means its last second.', // [seed]
    onWire: 'Up to and including this time, ISO 8601 without offset; a date without a time ends at 23:59:59.',
  },
  includeDeleted: {
    kind: 'flag',
    place: 'requestFilter',
    flag: 'include-deleted',
    names: null,
    about: 'Include deleted records.', // [pub]
  },
  alertIds: {
    kind: 'integers',
    place: 'routeFilter',
    alsoIn: 'requestFilter', // [dec]
    flag: 'alert',
    names: 'alert',
    about: 'Only these alerts.', // [seed] "a filter on alerts"; the place is [dec]
  },
  alertCodes: {
    kind: 'texts',
    place: 'routeFilter',
    flag: 'code',
    names: 'alertCode',
    about: 'Only alerts with these codes.',
  }, // [3rd]
  transactionIdentifiers: {
    kind: 'texts',
    place: 'routeFilter',
    flag: 'transaction',
    names: 'transaction',
    about: 'Only these transaction batches.', // [pub]
  },
  templateIds: {
    kind: 'integers',
    place: 'routeFilter',
    flag: 'template',
    names: null, // the list of templates does not take it
    about: 'Only these templates.', // [pub]
  },
  sessionIds: {
    kind: 'integers',
    place: 'routeFilter',
    flag: 'session',
    names: 'session',
    about: 'Only these sessions.', // [pub]
  },
  sessionEventIds: {
    kind: 'integers',
    place: 'routeFilter',
    flag: 'session-event',
    names: 'sessionEvent',
    about: 'Only these events of sessions.', // [pub]
  },
  roleIdentifiers: {
    kind: 'texts',
    place: 'routeFilter',
    flag: 'role',
    orNumbers: true, // [dec]
    names: 'role',
    about: 'Only these roles, by id or name.', // [pub]; texts like the other identifiers [dec]
  },
  roleRightIds: {
    kind: 'integers',
    place: 'routeFilter',
    flag: 'role-right',
    names: 'roleRight',
    about: 'Only these role rights.', // [pub]
  },
  rightIds: {
    kind: 'integers',
    place: 'routeFilter',
    flag: 'right',
    names: null, // nothing lists rights
    about: 'Only these rights.', // [pub]
  },
} as const satisfies Record<string, Filter & {readonly names: Resource | null}>

export type FilterKey = keyof typeof filters
