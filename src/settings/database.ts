import {userInfo} from 'node:os'
import {join} from 'node:path'
import type {Environment} from '../core/environment.js'
import type {OpenPostgresOptions, Postgres} from '../core/postgres.js'
import {readPrivateFile} from '../core/private-file.js'
import {registerAddress, registerSecret} from '../core/redact.js'
import {readVariable} from '../core/small-file.js'
import {
  type DatabaseAddress,
  findInPasswordFile,
  type PostgresAddress,
  toDatabaseAddress,
  toPostgresAddress,
  withPassword,
  withUser,
} from '../values/database-address.js'
import {type CredentialCommand, readDatabasePassword, toCredentialCommand} from './credentials.js'
import {refusePassword} from './setting-keys.js'
import {isShared, type Resolved} from './settings.js'

export type DatabaseOptions = {
  /** The variable that names the database where no argument does; with `_FILE`, a file with its value. */
  variable: 'VENDORCTL_DB' | 'VENDORCTL_BUDGET'
  /** Name of the argument in messages. */
  argument: string
  findCommand: FindCommand
}

/** The setting credentialCommand, which may print a `databasePassword`; asked for only where a login needs it. */
type FindCommand = () => Promise<CredentialCommand | undefined>

/**
 * The database that an argument, or else a variable, names, with user and password from where PostgreSQL's programs
 * find them, too. Throws `usage` at an address that cannot be used, and `invalid` at an argument with a password.
 */
export async function findDatabase(
  argument: string | undefined,
  environment: Environment,
  {variable, argument: name, findCommand}: DatabaseOptions,
): Promise<DatabaseAddress | undefined> {
  const outside = readVariable(environment, variable)
  const text = argument ?? outside // the parser has read the variable, too
  if (text === undefined || text === '') return undefined
  registerAddress(text)
  const address = toDatabaseAddress(text)
  if (address.kind === 'sqlite') return address
  if (text !== outside) refusePassword(address, name, variable)
  return findLogin(address, environment, findCommand)
}

/** The address with its user and password, as far as they can be found. */
export async function findLogin(
  address: PostgresAddress,
  environment: Environment,
  findCommand: FindCommand,
): Promise<PostgresAddress> {
  const user = address.user ?? (environment['PGUSER'] || userInfo().username)
  const named = address.user === undefined ? withUser(address, user) : address
  if (address.password) return named
  const {host, port, database = user} = address
  const password =
    environment['PGPASSWORD'] ||
    findInPasswordFile(readPasswordFile(environment), {host, port, database, user}) ||
    (await findPrinted(findCommand))
  registerSecret(password || undefined)
  return password ? withPassword(named, password) : named
}

async function findPrinted(findCommand: FindCommand): Promise<string | undefined> {
  const command = await findCommand()
  return command && readDatabasePassword(command)
}

/** Throws `unsafe` for one that others can read, as PostgreSQL's programs do not use it either. */
function readPasswordFile({PGPASSFILE, APPDATA, HOME}: Environment): string {
  const usual = process.platform === 'win32' ? [APPDATA, 'postgresql/pgpass.conf'] : [HOME, '.pgpass']
  const [folder, file = ''] = usual
  const path = PGPASSFILE || (folder ? join(folder, file) : undefined)
  return (path && readPrivateFile(path)) || ''
}

/** The store that machines share, by the setting `budget`; undefined for `local`. Opening it again is a new session. */
export async function findBudgetStore(
  resolved: Resolved,
  environment: Environment,
): Promise<{shown: string; open(options: OpenPostgresOptions): Promise<Postgres>} | undefined> {
  const {budget} = resolved.values
  if (!isShared(budget.value)) return undefined
  const address = await findLogin(toPostgresAddress(budget.value), environment, async () =>
    toCredentialCommand(resolved.values),
  )
  return {
    shown: address.shown,
    async open(options) {
      const {openSharedStore} = await import('../shared/shared-store.js')
      return openSharedStore(address, options)
    },
  }
}
