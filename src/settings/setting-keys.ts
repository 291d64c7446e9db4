import {canCarryToken} from '../client/token-header.js'
import {isStage, operationIds, stageNames, transactionReport} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'
import {type DatabaseAddress, toPostgresAddress} from '../values/database-address.js'
import {didYouMean} from '../values/suggest.js'

/** `hides`: a value may contain a password, so that no message shows it. */
type SettingRow = {environment: string; about: string; check: (text: string) => string | undefined; hides?: true}

const positiveInteger = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? undefined : 'expected a whole number above 0')

/** From the weakest on. */
const approvalRules: readonly string[] = ['none', 'required', 'required:other']

/** The budget of this machine alone. */
export const localBudget = 'local'

/** The keys of a profile: the variable that overrides each, its meaning, and what it accepts. */
export const settingKeys = {
  baseUrl: {
    environment: 'VENDORCTL_BASE_URL',
    about: 'Address of the service, without the stage.',
    check: (text) => (URL.canParse(text) ? undefined : 'expected a URL such as https://api.example.com'),
  },
  stage: {
    environment: 'VENDORCTL_STAGE',
    about: 'Stage (deployed version) of the service.',
    check: (text) => (isStage(text) ? undefined : `expected one of ${stageNames.join(', ')}`),
  },
  readMethod: {
    environment: 'VENDORCTL_READ_METHOD',
    about: 'How reads are sent: GET with a body, or POST where gateways refuse or strip it.',
    check: (text) => (text === 'GET' || text === 'POST' ? undefined : 'expected GET or POST'),
  },
  tokenHeader: {
    environment: 'VENDORCTL_TOKEN_HEADER',
    about: 'Request header for the login token.',
    check: (text) =>
      /^[A-Za-z0-9-]{1,64}$/.test(text) && canCarryToken(text)
        ? undefined
        : 'expected the name of a header that neither HTTP nor this program uses',
  },
  protected: {
    environment: 'VENDORCTL_PROTECTED',
    about: 'Writes need --confirm with the name of the profile.',
    check: (text) => (text === 'true' || text === 'false' ? undefined : 'expected true or false'),
  },
  approval: {
    environment: 'VENDORCTL_APPROVAL',
    about: 'Writes need a plan that a person approved: none, required, or required:other than who made it.',
    check: (text) => (approvalRules.includes(text) ? undefined : `expected one of ${approvalRules.join(', ')}`),
  },
  approvers: {
    environment: 'VENDORCTL_APPROVERS',
    about: 'File of allowed signers (ssh-keygen -Y) whose approvals count.',
    check: (text) => (text.trim() ? undefined : 'expected a path'),
  },
  routes: {
    environment: 'VENDORCTL_ROUTES',
    about: `Operations served at other paths: ${transactionReport}=/transactions,…`,
    check: checkRoutes,
  },
  rate: {
    environment: 'VENDORCTL_RATE',
    about: 'Requests per second.',
    check: (text) => (/^\d{1,4}(\.\d{1,3})?$/.test(text) && Number(text) > 0 ? undefined : 'expected a number above 0'),
  },
  burst: {environment: 'VENDORCTL_BURST', about: 'Requests that may be sent in one burst.', check: positiveInteger},
  dailyQuota: {environment: 'VENDORCTL_DAILY_QUOTA', about: 'Requests per day.', check: positiveInteger},
  quotaFloor: {
    environment: 'VENDORCTL_QUOTA_FLOOR',
    about: 'Requests to leave unused each day.',
    check: positiveInteger,
  },
  budget: {
    environment: 'VENDORCTL_BUDGET',
    about: 'Where requests are counted: local, or postgres://USER@HOST/NAME, which machines share.',
    check: checkBudget,
    hides: true,
  },
  keepRuns: {
    environment: 'VENDORCTL_KEEP_RUNS',
    about: 'Days to keep journals of finished runs; unfinished ones are always kept.',
    check: positiveInteger,
  },
  keepAudit: {
    environment: 'VENDORCTL_KEEP_AUDIT',
    about: 'Days to keep a line about each write for runs audit.',
    check: positiveInteger,
  },
  credentialCommand: {
    environment: 'VENDORCTL_CREDENTIAL_COMMAND',
    about: 'Command that prints {"apiKey","username","password"} as JSON, and "databasePassword" for a database.',
    check: (text) => (text.trim() ? undefined : 'expected a command'),
  },
  credentialTimeout: {
    environment: 'VENDORCTL_CREDENTIAL_TIMEOUT',
    about: 'Seconds that the credentialCommand may take.',
    check: positiveInteger,
  },
} as const satisfies Record<string, SettingRow>

export type SettingKey = keyof typeof settingKeys

export const settingNames = Object.keys(settingKeys) as SettingKey[]

/**
 * Throws `usage` when a key is unknown or its value is not accepted. An empty value unsets the key. A value that came from
 * the environment is reported by the name of its variable.
 */
export function checkSetting(key: string, value: string, variable?: string): void {
  if (!Object.hasOwn(settingKeys, key)) throw unknownKey(key)
  const row: SettingRow = settingKeys[key as SettingKey]
  const problem = value === '' ? undefined : row.check(value)
  if (!problem) return
  const shown = row.hides ? '' : `"${value}": `
  throw new CliFailure(`Not a value for ${variable ?? key}: ${shown}${problem}.`, {
    code: 'SETTING_VALUE',
    hints: [
      variable === undefined
        ? 'See what every key means with: vendorctl profiles show'
        : 'See what every variable means with: vendorctl help environment',
    ],
  })
}

/** The paths of a `routes` setting by operation id. */
export function toRoutes(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.trim().split('='))
  return Object.fromEntries(pairs.map(([id = '', path = '']) => [id, path]))
}

function checkBudget(text: string): string | undefined {
  try {
    if (text !== localBudget) toPostgresAddress(text)
    return undefined
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    return `${error.message.replace(/\.$/, '')}; expected local, or such as postgres://ops@db.example.com/ops`
  }
}

function checkRoutes(text: string): string | undefined {
  const known: readonly string[] = operationIds
  const wrong = Object.entries(toRoutes(text)).find(([id, path]) => !known.includes(id) || !path.startsWith('/'))
  return wrong ? `expected OPERATION=/path pairs; "${wrong.join('=')}" is not one` : undefined
}

function unknownKey(key: string): CliFailure {
  const secret = /key|password|token|secret/i.test(key)
  const [meant = `Known keys: ${settingNames.join(', ')}`] = didYouMean(key, settingNames)
  return new CliFailure(`Unknown profile key "${key}".`, {
    code: 'SETTING_KEY',
    hints: [secret ? 'Secrets are never kept in profiles; run: vendorctl auth login' : '', meant].filter(Boolean),
  })
}

/** Whether a stored setting wins over what is nearer to the command: nobody weakens who must approve there. */
export function isEnforced(key: SettingKey, stored: string | undefined, nearer: string | undefined): boolean {
  if (key === 'approvers') return stored !== undefined
  return key === 'approval' && approvalRules.indexOf(nearer ?? '') <= approvalRules.indexOf(stored ?? '')
}

/** Throws at a password in a text that other users of this machine can see, or that would be stored. */
export function refusePassword(address: DatabaseAddress, name: string, variable: string): void {
  if (address.kind !== 'postgres' || !address.password) return
  throw new CliFailure(`The address of ${name} contains a password, which others can read there; it was not used.`, {
    code: 'DATABASE_PASSWORD',
    hints: [
      `Write it without the password: ${address.shown}`,
      `Give the password with PGPASSWORD, ~/.pgpass or credentialCommand; or the complete address with ${variable} or ${variable}_FILE.`,
    ],
  })
}
