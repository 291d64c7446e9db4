import type {DatabaseAddress} from '../../values/database-address.js'
import type {Environment} from '../app/environment.js'
import {usage} from '../app/usage-error.js'
import {findDatabase, findLogin} from '../settings/database.js'

/** The database of `--db` or its variables, for reading. Settings are looked into only where a login needs them. */
export async function findQueried(db: string | undefined, environment: Environment): Promise<DatabaseAddress> {
  const named = {variable: 'VENDORCTL_DB', argument: '--db'} as const
  const address = await findDatabase(db, environment, named)
  if (!address) throw usage('No database is named.', 'Name a SQLite file or a PostgreSQL database: --db vending.db')
  if (address.kind === 'sqlite' || address.password) return address
  const {Profiles} = await import('../settings/profiles.js')
  const {resolveSettings} = await import('../settings/settings.js')
  const {credentialCommand} = resolveSettings({}, environment, new Profiles(environment)).values
  return credentialCommand.value === undefined ? address : findLogin(address, environment, credentialCommand.value)
}
