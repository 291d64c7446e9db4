import type {Filter} from './grammar.js'

/** Every narrowing of a read: the key the service knows, and the flag a person types. */
export const filters = {
  organizationIds: {
    kind: 'integers',
    place: 'requestFilter',
    flag: 'organization',
    alias: 'org',
    about: 'Only these organizations.', // [seed]
  },
  accountIds: {kind: 'integers', place: 'requestFilter', flag: 'account', about: 'Only these accounts.'}, // [pub]
  siteIds: {kind: 'integers', place: 'requestFilter', flag: 'site', about: 'Only these sites.'}, // [seed]
  selectionIds: {kind: 'integers', place: 'requestFilter', flag: 'selection', about: 'Only these selections.'}, // [pub]
  productIds: {kind: 'integers', place: 'requestFilter', flag: 'product', about: 'Only these products.'}, // [pub]
  machineIdentifiers: {
    kind: 'texts',
    place: 'requestFilter',
    flag: 'machine',
    about: 'Only these machines, by id or PROSE serial.', // [seed] [pub]
  },
  StartDate: {
    kind: 'dateTime',
    place: 'requestFilter',
    flag: 'start',
    about: 'Start of the range: 2024-07-01, 2024-07-01T13:00, 2024-07, today, yesterday, now, -7d, -12h.', // [seed]
    onWire: 'From this time on, ISO 8601 without offset; a date without a time starts at 00:00:00.',
  },
  EndDate: {
    kind: 'dateTime',
    place: 'requestFilter',
    flag: 'end',
    about: 'End of the range, inclusive; a day or month means its last second.', // [seed]
    onWire: 'Up to and including this time, ISO 8601 without offset; a date without a time ends at 23:59:59.',
  },
  includeDeleted: {
    kind: 'flag',
    place: 'requestFilter',
    flag: 'include-deleted',
    about: 'Include deleted records.', // [pub]
  },
  alertIds: {
    kind: 'integers',
    place: 'routeFilter',
    flag: 'alert',
    about: 'Only these alerts.', // [seed] "a filter on alerts"; the place is [dec]
  },
  alertCodes: {kind: 'texts', place: 'routeFilter', flag: 'code', about: 'Only alerts with these codes.'}, // [3rd]
  transactionIdentifiers: {
    kind: 'texts',
    place: 'routeFilter',
    flag: 'transaction',
    about: 'Only these transaction batches.', // [pub]
  },
} as const satisfies Record<string, Filter>

export type FilterKey = keyof typeof filters
