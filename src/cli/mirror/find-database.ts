import type {Environment} from '../../core/environment.js'
import {usage} from '../../core/errors.js'
import {type CredentialCommand, toCredentialCommand} from '../../settings/credentials.js'
import {findDatabase} from '../../settings/database.js'
import type {DatabaseAddress} from '../../values/database-address.js'

/** The database of `--db` or its variables. `findCommand` gives the setting credentialCommand where a login needs it. */
export async function findNamedDatabase(
  db: string | undefined,
  environment: Environment,
  findCommand: () => Promise<CredentialCommand | undefined>,
): Promise<DatabaseAddress> {
  const address = await findDatabase(db, environment, {variable: 'VENDORCTL_DB', argument: '--db', findCommand})
  if (address) return address
  throw usage('No database is named.', 'Name a SQLite file or a PostgreSQL database: --db mirror.db')
}

/** The setting credentialCommand, for a command that speaks to no service. */
export async function findUsualCommand(
  flags: {profile?: string | undefined},
  environment: Environment,
): Promise<CredentialCommand | undefined> {
  const {resolveSettings} = await import('../../settings/settings.js')
  return toCredentialCommand(resolveSettings(flags, environment).values)
}
