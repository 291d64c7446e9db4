import type {Filter} from './base/grammar.js'
import {fields} from './resources/index.js'

const ids = {kind: 'integers', place: 'requestFilter'} as const
const texts = {kind: 'texts', place: 'requestFilter'} as const
const routeIds = {kind: 'integers', place: 'routeFilter'} as const
const routeTexts = {kind: 'texts', place: 'routeFilter'} as const

/** Every narrowing of a read: the key the service knows, and the flag a person types. */
export const filters = {
  organizationIds: {
    ...ids,
    flag: 'organization',
    alias: 'org',
    names: 'organization',
    about: 'Only these organizations.',
  }, // [seed]
  accountIds: {...ids, flag: 'account', names: 'account', about: 'Only these accounts.'}, // [pub]
  siteIds: {...ids, flag: 'site', names: 'site', about: 'Only these sites.'}, // [seed]
  selectionIds: {...ids, flag: 'selection', names: 'selection', about: 'Only these selections.'}, // [pub]
  productIds: {...ids, flag: 'product', names: 'product', about: 'Only these products.'}, // [pub]
  machineIdentifiers: {
    ...texts,
    flag: 'machine',
    names: 'machine',
    about: 'Only these machines, by id or PROSE serial.',
  }, // [seed] [pub]
  StartDate: {
    kind: 'dateTime',
    place: 'requestFilter',
    flag: 'start',
    names: null,
    about: 'Start, e.g. 2024-07-01, 2024-07, yesterday or -7d.',
    onWire: 'From this time on, ISO 8601 without offset; a date without a time starts at 00:00:00.',
  }, // [seed]
  EndDate: {
    kind: 'dateTime',
    place: 'requestFilter',
    flag: 'end',
    names: null,
    about: 'End, inclusive; a day or month means its last second.',
    onWire: 'Up to and including this time, ISO 8601 without offset; a date without a time ends at 23:59:59.',
  }, // [seed]
  includeDeleted: {
    kind: 'flag',
    place: 'requestFilter',
    flag: 'include-deleted',
    names: null,
    about: 'Include deleted records.',
  }, // [pub]
  alertIds: {...routeIds, alsoIn: 'requestFilter', flag: 'alert', names: 'alert', about: 'Only these alerts.'}, // [seed] "a filter on alerts"; its places are [dec]
  alertCodes: {...routeTexts, flag: 'code', names: 'alertCode', about: 'Only alerts with these codes.'}, // [3rd]
  transactionIdentifiers: {
    ...routeTexts,
    flag: 'transaction',
    names: 'transaction',
    about: 'Only these transaction batches.',
  }, // [pub]
  templateIds: {...routeIds, flag: 'template', names: null, about: 'Only these templates.'}, // [pub]; the list of templates does not take it
  sessionIds: {...routeIds, flag: 'session', names: 'session', about: 'Only these sessions.'}, // [pub]
  sessionEventIds: {...routeIds, flag: 'session-event', names: 'sessionEvent', about: 'Only these events of sessions.'}, // [pub]
  roleIdentifiers: {
    ...routeTexts,
    flag: 'role',
    orNumbers: true,
    names: 'role',
    about: 'Only these roles, by id or name.',
  }, // [pub]; texts like the other identifiers, and numbers [dec]
  roleRightIds: {...routeIds, flag: 'role-right', names: 'roleRight', about: 'Only these role rights.'}, // [pub]
  rightIds: {...routeIds, flag: 'right', names: null, about: 'Only these rights.'}, // [pub]; nothing lists rights
} as const satisfies Record<string, Filter & {readonly names: Resource | null}>

export type FilterKey = keyof typeof filters

export {fields}
export type Resource = keyof typeof fields

/** Fields that together name a record, where it has no id. */
export const recordKeys = {
  transactionMetadata: ['transactionId'],
  machineRight: ['machineId', 'rightId'],
} as const satisfies Partial<Record<keyof typeof fields, readonly string[]>>

/** Rules across the fields of a record, and across the records of one file. */
export type RecordRules = {
  /** Fields in order: none may be above one behind it; those that are null are passed over. */
  readonly ascending: readonly (readonly string[])[]
  /** Fields that together no two records share. */
  readonly unique: readonly (readonly string[])[]
}

export const recordRules: Readonly<Partial<Record<Resource, RecordRules>>> = {
  selection: {
    ascending: [
      ['alertLevel', 'restockAt', 'restockTo', 'depth'], // [dec]
      ['count', 'depth'], // [dec]
    ],
    unique: [['machineId', 'selectionNumber']], // [pub]
  },
}

export function recordRulesOf(resource: string): RecordRules {
  const rules: Readonly<Record<string, RecordRules | undefined>> = recordRules
  return rules[resource] ?? {ascending: [], unique: []}
}
