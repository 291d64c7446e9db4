import {systemClock} from '../../core/clock.js'
import type {Environment} from '../../core/environment.js'
import {stateFolder} from '../../core/folders.js'
import {ownCommand} from '../../core/lock-holder.js'
import {identifyMachine} from '../../core/machine.js'
import type {ExportRegister} from '../../reports/register/export-register.js'
import {listNamed, listShared, type NamedExport} from '../../reports/register/list-named.js'
import {exportsFolder, registerPath} from '../../reports/register/register-tables.js'
import type {SharedMarks} from '../../reports/register/shared-marks.js'
import {findBudgetStore} from '../../settings/database.js'
import {type Resolved, resolveSettings} from '../../settings/settings.js'
import {findSharedKey} from '../client/key-ledger.js'
import type {OpenedClient} from '../client/open-client.js'

/** A statement takes milliseconds; a store that does not answer is reported within seconds. */
const limits = {name: 'vendorctl marks', statementMilliseconds: 2_500}

/** The marks that machines share; undefined without the setting `budget`. The store is reached when it is needed. */
export async function openSharedMarks(
  {resolved, found}: Pick<OpenedClient, 'resolved' | 'found'>,
  environment: Environment,
): Promise<SharedMarks | undefined> {
  const store = await findBudgetStore(resolved, environment)
  if (!store) return undefined
  const {baseUrl} = resolved.values
  const key = await findSharedKey(environment, baseUrl.value ?? '', found.credentials?.apiKey ?? '')
  return createMarks(store, key, environment)
}

/** The shared marks of the key that a name is listed with; undefined for a name that only this machine has. */
export async function openMarksOf(key: string | undefined, environment: Environment): Promise<SharedMarks | undefined> {
  const store = key === undefined ? undefined : await findBudgetStore(settingsNow(environment), environment)
  return store && key !== undefined ? createMarks(store, key, environment) : undefined
}

/** All names of `--since-last`: of this machine, and of all that share their marks. */
export async function listAllNamed(environment: Environment): Promise<NamedExport[]> {
  const local = listNamed(stateFolder(environment))
  const store = await findBudgetStore(settingsNow(environment), environment)
  if (!store) return local
  const session = await store.open(limits)
  try {
    return await listShared(session, local)
  } finally {
    await session.close()
  }
}

/** The register of exports of this machine, and the folder of their checkpoints and locks. */
export type ExportStore = {register: ExportRegister; folder: string}

/** Opens the register of exports, and closes it however the work ends. */
export async function withRegister<Result>(
  environment: Environment,
  work: (store: ExportStore) => Promise<Result>,
): Promise<Result> {
  const state = stateFolder(environment)
  const {openExportRegister} = await import('../../reports/register/export-register.js')
  const register = openExportRegister(registerPath(state))
  try {
    return await work({register, folder: exportsFolder(state)})
  } finally {
    register.close()
  }
}

type Store = NonNullable<Awaited<ReturnType<typeof findBudgetStore>>>

async function createMarks(store: Store, key: string, environment: Environment): Promise<SharedMarks> {
  const {createSharedMarks} = await import('../../reports/register/shared-marks.js')
  return createSharedMarks({
    open: () => store.open(limits),
    ...{key, machine: identifyMachine(stateFolder(environment)), clock: systemClock},
    process: {pid: process.pid, command: ownCommand()},
  })
}

function settingsNow(environment: Environment): Resolved {
  return resolveSettings({}, environment)
}
