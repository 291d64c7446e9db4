import type {Row} from '../base/grammar.js'
import * as alerts from './alerts.js'
import * as auth from './auth.js'
import * as customData from './custom-data.js'
import * as inventory from './inventory.js'
import * as machineSettings from './machine-settings.js'
import * as machines from './machines.js'
import * as organizations from './organizations.js'
import * as products from './products.js'
import * as roles from './roles.js'
import * as selections from './selections.js'
import * as sessions from './sessions.js'
import * as sites from './sites.js'
import * as templates from './templates.js'
import * as transactions from './transactions.js'

/** Fields of every resource, in the order of columns. */
export const fields = {
  ...organizations.fields,
  ...sites.fields,
  ...machines.fields,
  ...machineSettings.fields,
  ...customData.fields,
  ...alerts.fields,
  ...transactions.fields,
  ...inventory.fields,
  ...products.fields,
  ...selections.fields,
  ...templates.fields,
  ...sessions.fields,
  ...roles.fields,
} as const

/** Every route of the service: one row, one operation, one command. Sources of paths: contract marks beside them. */
export const operations = withCommands({
  ...organizations.operations,
  ...sites.operations,
  ...machines.operations,
  ...machineSettings.operations,
  ...customData.operations,
  ...alerts.operations,
  ...transactions.operations,
  ...inventory.operations,
  ...products.operations,
  ...selections.operations,
  ...templates.operations,
  ...sessions.operations,
  ...roles.operations,
  ...auth.operations,
})

/** The command of an operation is its id in words: `machines settings list`. */
function withCommands<Rows extends Readonly<Record<string, Row>>>(rows: Rows) {
  const routes = Object.entries(rows).map(([id, row]) => [id, {...row, command: id.replaceAll('.', ' ')}])
  return Object.fromEntries(routes) as {readonly [Id in keyof Rows]: Rows[Id] & {readonly command: string}}
}

/** The policy of each bulk write. */
export const policies = {
  ...sites.policies,
  ...machines.policies,
  ...machineSettings.policies,
  ...customData.policies,
  ...alerts.policies,
  ...selections.policies,
  ...templates.policies,
  ...roles.policies,
} as const

export const {sessionFields} = auth
