import {hostname} from 'node:os'
import type {BudgetStore} from '../../quota/budget-asker.js'
import type {CommandContext} from '../app/command-context.js'
import {isShared, type Resolved} from '../settings/settings.js'
import {findSharedKey} from './key-ledger.js'

/** The budget that this key shares with other machines; undefined, and nothing is loaded, unless the settings name one. */
export async function openKeyBudget(
  {environment}: Pick<CommandContext, 'environment'>,
  {resolved, apiKey}: {resolved: Resolved; apiKey: string},
): Promise<BudgetStore | undefined> {
  const {budget, baseUrl} = resolved.values
  if (!isShared(budget.value)) return undefined
  const {findBudgetStore} = await import('./budget-store.js')
  const {createPostgresBudget} = await import('../../quota/postgres-budget.js')
  const store = await findBudgetStore(resolved, environment)
  const key = await findSharedKey(environment, baseUrl.value ?? '', apiKey)
  return store && createPostgresBudget({...store, key, host: hostname()})
}
