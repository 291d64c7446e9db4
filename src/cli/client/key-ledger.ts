import {hostname} from 'node:os'
import {basename} from 'node:path'
import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {stateFolder} from '../../core/folders.js'
import type {BudgetStore} from '../../quota/budget-asker.js'
import type {Ledger} from '../../quota/ledger.js'
import {fingerprint} from '../../settings/credential-store.js'
import {isShared, type Resolved} from '../../settings/settings.js'
import type {CommandContext} from '../app/command-context.js'

/** The one file of a key of a service on this machine. */
export function ledgerKey(environment: Environment, baseUrl: string, apiKey: string) {
  return {folder: stateFolder(environment), baseUrl, keyFingerprint: fingerprint(apiKey)}
}

/** Name of a key of a service where machines share something: that of its ledger file. */
export async function findSharedKey(environment: Environment, baseUrl: string, apiKey: string): Promise<string> {
  const {ledgerPath} = await import('../../quota/ledger-file.js')
  return basename(ledgerPath(ledgerKey(environment, baseUrl, apiKey)), '.db')
}

/**
 * The ledger of this key; undefined when it cannot be used, with a warning that names the consequence. Commands work
 * without it.
 */
export async function openKeyLedger(
  {environment, messages, commandName, clock}: CommandContext,
  {baseUrl, apiKey}: {baseUrl: string; apiKey: string},
  otherwise = 'Only the requests of this run are counted.',
): Promise<Ledger | undefined> {
  const {openLedgerInTurn} = await import('../../quota/ledger-file.js')
  const counting = {command: commandName, pid: process.pid, startedAt: clock.now()}
  try {
    const {ledger, setAside} = await openLedgerInTurn(ledgerKey(environment, baseUrl, apiKey), counting, clock)
    if (setAside !== undefined) messages.note(setAsideWords(setAside))
    return ledger
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    messages.note(`warning: ${error.message}. ${otherwise}`)
    return undefined
  }
}

/** Drops the counted requests of a service that was reset. */
export async function forgetRequests(environment: Environment, baseUrl: string, onProblem: (text: string) => void) {
  const {forgetLedgers} = await import('../../quota/ledger-file.js')
  try {
    forgetLedgers({folder: stateFolder(environment), baseUrl})
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    onProblem(`${error.message}. Its earlier requests of today are still counted`)
  }
}

function setAsideWords(path: string): string {
  return `warning: The ledger of this key was damaged and is counted anew; earlier requests of today are not in it. The old one: ${path}`
}

/** The budget that this key shares with other machines; undefined, and nothing is loaded, unless the settings name one. */
export async function openKeyBudget(
  {environment}: Pick<CommandContext, 'environment'>,
  {resolved, apiKey}: {resolved: Resolved; apiKey: string},
): Promise<BudgetStore | undefined> {
  const {budget, baseUrl} = resolved.values
  if (!isShared(budget.value)) return undefined
  const {findBudgetStore} = await import('../../settings/database.js')
  const {createPostgresBudget} = await import('../../quota/postgres-budget.js')
  const store = await findBudgetStore(resolved, environment)
  const key = await findSharedKey(environment, baseUrl.value ?? '', apiKey)
  return store && createPostgresBudget({...store, key, host: hostname()})
}
