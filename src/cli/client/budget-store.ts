import type {OpenPostgresOptions, Postgres} from '../../core/postgres.js'
import {toPostgresAddress} from '../../values/database-address.js'
import type {Environment} from '../app/environment.js'
import {toCredentialCommand} from '../settings/credentials.js'
import {findLogin} from '../settings/database.js'
import {isShared, type Resolved} from '../settings/settings.js'

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
      const {openSharedStore} = await import('../../shared/shared-store.js')
      return openSharedStore(address, options)
    },
  }
}
