import type {Route, SuggestedCommand} from './grammar.js'
import {ofDates, ofReads, ofWrites} from './refusals.js'

const whatIsWrong: SuggestedCommand = ['doctor', 'find out what is wrong between here and the service']

/** What only the published documentation of v2.1 and third-party clients show: one row, one operation, one command. */
export const publishedOperations = {
  'selections.list': {
    kind: 'read',
    verb: 'GET',
    path: '/selections',
    since: 'v2',
    command: 'selections list', // route [3rd]
    unconfirmed: ['its path'],
    resource: 'selection',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List selections: product, price and stock of each place of a machine.',
    next: [
      ['selections update --file FILE', 'send an edited list back'],
      ['selections adjust --file FILE', 'change stock by a difference'],
      whatIsWrong,
    ],
    filters: {
      organizationIds: {matches: []},
      accountIds: {matches: []},
      siteIds: {matches: []},
      machineIdentifiers: {matches: ['machineId']},
      selectionIds: {matches: ['id']},
      includeDeleted: {matches: []},
    },
  },
  'selections.create': {
    kind: 'write',
    verb: 'PUT',
    path: '/selections',
    since: 'v2',
    command: 'selections create', // [3rd]
    unconfirmed: ['its path'],
    resource: 'selection',
    body: 'create',
    filters: {},
    refuses: [...ofWrites, 'SELECTION_VALIDATION'],
    about: 'Create selections from a file.',
    next: [],
  },
  'selections.update': {
    kind: 'write',
    verb: 'PATCH',
    path: '/selections',
    since: 'v2',
    command: 'selections update', // [pub]
    unconfirmed: ['that a field left out becomes null'], // [dec]
    resource: 'selection',
    body: 'update',
    filters: {},
    refuses: [...ofWrites, 'SELECTION_VALIDATION'],
    about: 'Update selections from a file: prices, products, levels.',
    next: [['machines list --where hasPlanogramChange=true', 'machines that have not picked up the change']],
  },
  'selections.delete': {
    kind: 'write',
    verb: 'DELETE',
    path: '/selections',
    since: 'v2',
    command: 'selections delete', // [3rd]
    unconfirmed: ['its path'],
    resource: 'selection',
    body: 'delete',
    filters: {},
    refuses: ofWrites,
    about: 'Delete selections that a file names.',
    next: [],
  },
  'selections.adjust': {
    kind: 'write',
    verb: 'POST',
    path: '/selections/apply-delta',
    since: 'v2',
    command: 'selections adjust', // [pub]
    resource: 'stockChange',
    body: 'update',
    filters: {},
    refuses: [...ofWrites, 'SELECTION_VALIDATION'],
    about: 'Change stock by a difference, from a file.',
    next: [['reports inventory', 'every change of stock']],
  },
  'templates.list': {
    kind: 'read',
    verb: 'GET',
    path: '/templates',
    since: 'v2',
    command: 'templates list', // [3rd]
    unconfirmed: ['its path', 'its fields'],
    resource: 'template',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List templates.',
    next: [
      ['templates selections --template ID', 'what a template sets'],
      ['templates apply --template ID --machine ID --dry-run', 'what it would change'],
      whatIsWrong,
    ],
    filters: {organizationIds: {matches: []}},
  },
  'templates.selections': {
    kind: 'read',
    verb: 'GET',
    path: '/template-selections',
    since: 'v2',
    command: 'templates selections', // route [3rd]
    unconfirmed: ['its path'],
    resource: 'templateSelection',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List what templates set: product, price and levels of each selection.',
    next: [['templates apply --template ID --machine ID --dry-run', 'what it would change'], whatIsWrong],
    filters: {templateIds: {matches: ['templateId']}},
  },
  'templates.apply': {
    kind: 'write',
    verb: 'POST',
    path: '/templates/apply',
    since: 'v2',
    command: 'templates apply', // [pub]
    resource: 'templateApplication',
    body: 'none',
    filters: {machineIdentifiers: {matches: []}, templateIds: {matches: []}},
    refuses: [...ofWrites, 'NO_SELECTIONS', 'MULTIPLE_TEMPLATES'],
    about: 'Apply a template to machines.',
    next: [['machines list --where hasPlanogramChange=true', 'machines that have not picked up the change']],
  },
  'reports.inventory': {
    kind: 'read',
    verb: 'GET',
    path: '/inventory',
    alsoAt: ['/reports/inventory-adjustments'], // [pub], both spellings
    since: 'v2',
    command: 'reports inventory',
    resource: 'inventoryAdjustment',
    maximumPageSize: 100, // [pub]
    refuses: [...ofReads, ...ofDates],
    about: 'Read every change of stock.',
    next: [
      ['reports verify FILE', 'check a finished export'],
      ['reports coverage --report inventory', 'which days are proven complete'],
      ['selections list', 'the stock as it is'],
      ['quota', 'the requests that are left today'],
    ],
    range: {maximumDays: 31, on: 'adjustmentOccurredAt', clock: 'utc'}, // [pub]; compared in UTC [dec]
    report: {
      name: 'inventory report',
      record: ['adjustment', 'adjustments'],
      filePrefix: 'inventory',
      keptAs: 'inventory',
    },
    filters: {
      organizationIds: {matches: []},
      accountIds: {matches: []},
      siteIds: {matches: ['siteId']},
      machineIdentifiers: {matches: ['machineId']},
      StartDate: {matches: ['adjustmentOccurredAt']},
      EndDate: {matches: ['adjustmentOccurredAt']},
      transactionIdentifiers: {matches: []},
    },
  },
  'reports.metadata': {
    kind: 'read',
    verb: 'GET',
    path: '/transactions/metadata',
    since: 'v2',
    command: 'reports metadata', // [pub]
    resource: 'transactionMetadata',
    maximumPageSize: 100, // [pub]
    refuses: [...ofReads, ...ofDates],
    about: 'List tags and files that are linked to transactions.',
    next: [['reports transactions', 'the transactions themselves'], whatIsWrong],
    range: {maximumDays: 365, on: 'recordedAtUtc'}, // one year [pub]
    filters: {
      organizationIds: {matches: []},
      accountIds: {matches: []},
      siteIds: {matches: []},
      machineIdentifiers: {matches: []},
      StartDate: {matches: ['recordedAtUtc']},
      EndDate: {matches: ['recordedAtUtc']},
      transactionIdentifiers: {matches: ['transactionId']},
    },
  },
  'machines.update': {
    kind: 'write',
    verb: 'PATCH',
    path: '/machines',
    since: 'v2',
    command: 'machines update', // body [pub]
    unconfirmed: ['that a field left out becomes null'], // [dec]
    resource: 'machine',
    body: 'update',
    filters: {},
    refuses: [...ofWrites, 'DATE_PARSING'],
    about: 'Update machines from a file; another site moves them.',
    next: [],
  },
  'machines.provision': {
    kind: 'write',
    verb: 'POST',
    path: '/machines/provision',
    since: 'v2',
    command: 'machines provision', // [pub]
    resource: 'provisioning',
    body: 'none',
    filters: {organizationIds: {matches: []}, machineIdentifiers: {matches: []}},
    refuses: ofWrites,
    about: 'Provision machines by their PROSE serials, one by one.',
    next: [['machines list', 'the machines and the sites they stand at']],
  },
  'machines.settings.list': {
    kind: 'read',
    verb: 'GET',
    path: '/machines/settings',
    since: 'v2',
    command: 'machines settings list', // [3rd]
    unconfirmed: ['its path'],
    resource: 'machineSetting',
    maximumPageSize: 50, // [pub]
    refuses: ofReads,
    about: 'List settings of machines, retired ones included.',
    next: [['machines settings set --file FILE', 'send an edited list back'], whatIsWrong],
    filters: {machineIdentifiers: {matches: ['machineId']}},
  },
  'machines.settings.set': {
    kind: 'write',
    verb: 'PUT',
    path: '/settings',
    since: 'v2',
    command: 'machines settings set', // [pub]
    resource: 'machineSetting',
    body: 'update',
    filters: {},
    refuses: ofWrites,
    about: 'Set settings of machines from a file.',
    next: [],
  },
  'products.list': {
    kind: 'read',
    verb: 'GET',
    path: '/products',
    since: 'v2',
    command: 'products list', // [3rd]
    unconfirmed: ['its path', 'its fields'],
    resource: 'product',
    maximumPageSize: 2_000,
    refuses: ofReads,
    about: 'List products.',
    next: [["selections list --where 'productId=ID'", 'where a product is sold'], whatIsWrong],
    filters: {organizationIds: {matches: []}, productIds: {matches: ['id']}},
  },
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
  'roles.list': {
    kind: 'read',
    verb: 'GET',
    path: '/roles',
    since: 'v2',
    command: 'roles list', // [pub]
    resource: 'role',
    maximumPageSize: 50, // [pub]
    refuses: ofReads,
    about: 'List roles.',
    next: [['role-rights list --role ID', 'what a role allows'], whatIsWrong],
    filters: {
      organizationIds: {matches: ['organizationId'], alsoSentAs: 'organizationsId'}, // both spellings [pub]
      roleIdentifiers: {matches: ['id', 'name']}, // [dec]
    },
  },
  'roles.rights': {
    kind: 'read',
    verb: 'GET',
    path: '/roles/role-rights-at-machine',
    since: 'v2',
    command: 'roles rights', // [pub]
    resource: 'machineRight',
    maximumPageSize: 2_000,
    answer: {name: 'machineId', value: 'rightId'}, // one object; its headers say whether more pages follow [dec]
    unconfirmed: ['whether the answer has pages'],
    refuses: ofReads,
    about: 'List the rights of roles at machines.',
    next: [['role-rights list', 'what roles allow'], whatIsWrong],
    filters: {machineIdentifiers: {matches: ['machineId']}, roleIdentifiers: {matches: []}},
  },
  'role-rights.list': {
    kind: 'read',
    verb: 'GET',
    path: '/role-rights',
    since: 'v2',
    command: 'role-rights list', // [pub]
    resource: 'roleRight',
    maximumPageSize: 50,
    refuses: ofReads,
    about: 'List what roles allow.',
    next: [['role-rights update --file FILE', 'send an edited list back'], whatIsWrong],
    filters: {
      organizationIds: {matches: []},
      roleRightIds: {matches: ['id']},
      roleIdentifiers: {matches: ['roleId']},
      rightIds: {matches: ['rightId']},
    },
  },
  'role-rights.create': {
    kind: 'write',
    verb: 'PUT',
    path: '/role-rights',
    since: 'v2',
    command: 'role-rights create', // [pub]
    resource: 'roleRight',
    body: 'create',
    filters: {},
    refuses: ofWrites,
    about: 'Create role rights from a file.',
    next: [],
  },
  'role-rights.update': {
    kind: 'write',
    verb: 'PATCH',
    path: '/role-rights',
    since: 'v2',
    command: 'role-rights update', // [pub]
    resource: 'roleRight',
    body: 'update',
    filters: {},
    refuses: ofWrites,
    about: 'Update role rights from a file; three false flags delete one.',
    next: [],
  },
  'sites.delete': {
    kind: 'write',
    verb: 'DELETE',
    path: '/sites',
    since: 'v2',
    command: 'sites delete', // [pub], body [3rd]
    unconfirmed: ['its body'],
    resource: 'site',
    body: 'delete',
    filters: {},
    refuses: ofWrites,
    about: 'Delete sites that a file names.',
    next: [['sites list --include-deleted', 'the deleted ones among all']],
  },
} as const satisfies Record<string, Route>
