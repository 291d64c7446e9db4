import type {WriteId} from './operations.js'
import {ordinary, publishedPolicies} from './published-policies.js'
import type {EndState, WritePolicy} from './write-policy.js'

/** An alert is never uncleared; a time of clearing clears. [pub] */
const clearing: EndState = {
  flag: 'isCleared',
  time: 'clearedAt',
  kept: 'clearedAtServerTime',
  done: 'cleared',
  never: 'an alert is never uncleared',
}

const site = {noun: 'site', nouns: 'sites'}
const alert = {noun: 'alert', nouns: 'alerts'}

/** What the engine must know of each bulk write; one without a row does not compile. */
export const writePolicies: {readonly [Id in WriteId]: WritePolicy} = {
  'sites.create': {
    identity: ['accountId', 'name'],
    ...ordinary,
    answer: 'ids',
    probe: {kind: 'identity', read: 'sites.list', filters: {accountIds: 'accountId'}},
    duplicateCode: 'NAME_UNIQUENESS',
    boundsCode: 'SITE_VALIDATION',
    preimage: 'ids',
    undo: {by: 'sites.delete'},
    merge: 'none',
    repeatable: {when: 'settled'},
    words: {verb: 'Create', ...site},
  },
  'sites.update': {
    identity: ['id'], // [pub]
    ...ordinary,
    answer: 'nothing',
    probe: {kind: 'fields', read: 'sites.list', compares: 'all'},
    duplicateCode: null,
    boundsCode: 'SITE_VALIDATION',
    preimage: 'records',
    undo: {by: 'sites.update'},
    merge: 'full-replace',
    repeatable: {when: 'settled'},
    words: {verb: 'Update', ...site},
  },
  'machines.custom-data.create': {
    identity: ['machineId', 'key'],
    ...ordinary,
    answer: 'ids',
    probe: {kind: 'resend'},
    duplicateCode: 'CUSTOM_DATA_EXISTS',
    boundsCode: 'GENERIC_ERROR',
    preimage: 'none',
    undo: {never: 'it created custom data, and the service has no route that deletes it'},
    merge: 'none',
    repeatable: {when: 'always'},
    words: {verb: 'Create', noun: 'custom data record', nouns: 'custom data records'},
  },
  'alerts.create': {
    identity: [],
    ...ordinary,
    answer: 'ids',
    probe: {
      kind: 'likeness',
      read: 'alerts.list',
      filters: {machineIdentifiers: 'machineId', alertCodes: 'code'},
      like: {
        time: {sent: 'raisedAt', kept: 'raisedAtServerTime'},
        fixed: ['alertMetadata'],
        editable: ['message'],
      },
    },
    duplicateCode: 'ALERT_EXISTS',
    boundsCode: 'GENERIC_ERROR',
    preimage: 'ids',
    undo: {never: 'it created alerts, and the service has no route that deletes them'},
    merge: 'none',
    repeatable: {when: 'asked', unless: {read: 'alerts.codes', field: 'code', flag: 'onlyOneExists'}},
    endState: clearing,
    words: {verb: 'Create', ...alert},
  },
  'alerts.update': {
    identity: ['id'],
    ...ordinary,
    answer: 'records',
    probe: {kind: 'fields', read: 'alerts.list', compares: 'all'},
    duplicateCode: null,
    boundsCode: 'GENERIC_ERROR',
    preimage: 'records',
    undo: {by: 'alerts.update'},
    merge: 'partial',
    repeatable: {when: 'always'},
    endState: clearing,
    words: {verb: 'Update', ...alert},
  },
  'alerts.clear': {
    identity: ['id'],
    ...ordinary,
    sentAs: {alertIds: 'id'},
    answer: 'nothing',
    probe: {kind: 'endState', read: 'alerts.list'},
    duplicateCode: 'ALREADY_CLEARED',
    boundsCode: 'GENERIC_ERROR',
    preimage: 'records',
    undo: {never: `it cleared alerts, and ${clearing.never}`},
    merge: 'none',
    repeatable: {when: 'always'},
    endState: clearing,
    words: {verb: 'Clear', ...alert},
  },
  ...publishedPolicies,
}
