import {CliFailure} from '../../core/errors.js'
import {openExportRegister} from '../../reports/register/export-register.js'
import {listNamed} from '../../reports/register/list-named.js'
import type {NamedFacts} from '../../reports/register/named-marks.js'
import {exportsFolder, registerPath} from '../../reports/register/register-tables.js'
import {lockName} from '../../reports/register/since-last.js'
import {shareMark} from '../../reports/register/take-turn.js'
import {isSameService} from '../../values/service.js'
import type {CommandContext} from '../app/command-context.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'
import {findCredentials} from '../settings/credentials.js'
import {resolveSettings} from '../settings/settings.js'
import {findOneNamed, shortScope} from './named-exports.js'
import {openSharedMarks} from './open-shared.js'

/** Moves the mark of a name from this machine into the store that machines share. Throws `locked` while a run has it. */
export async function shareName(
  name: string,
  flags: {scope?: string | undefined},
  {environment, messages, present}: CommandContext,
): Promise<void> {
  const state = stateFolder(environment)
  const named = findOneNamed(listNamed(state), name, flags.scope)
  const {facts} = named
  const shared = await openSharedMarks(await findSource(facts, environment), environment)
  if (!shared) throw noStore()
  const lock = lockName(exportsFolder(state), named)
  const register = openExportRegister(registerPath(state))
  try {
    const turn = await shared.take(named)
    const {value} = await shareMark(named, turn, register)
    if (isKnown(facts)) await turn.describe(facts)
    await turn.release()
    messages.note(`All machines share the mark of ${name} from now on, complete up to ${value?.at}.`)
    await present({data: {name, scope: shortScope(named), mark: value?.at ?? null, nextFrom: value?.nextStart ?? null}})
  } finally {
    await shared.close()
    register.close()
    lock.remove()
  }
}

/** The service and key that the name is read with. Throws `usage` where its profile names another service now. */
async function findSource({profile, stage, baseUrl}: Partial<NamedFacts>, environment: Environment) {
  const resolved = resolveSettings({profile, stage}, environment)
  const now = resolved.values.baseUrl.value ?? ''
  if (baseUrl !== undefined && !isSameService(baseUrl, now))
    throw new CliFailure(`The name was read from ${baseUrl}, but the profile names ${now}.`, {
      code: 'OTHER_TARGET',
      hints: ['Set the profile as it was; its marks are of one service.'],
    })
  return {resolved, found: await findCredentials(resolved, environment)}
}

/** Names that only an early version of this program has used have fewer facts. */
function isKnown(facts: Partial<NamedFacts>): facts is NamedFacts {
  return facts.command !== undefined && facts.filters !== undefined
}

function noStore(): CliFailure {
  return new CliFailure('Machines share marks only where a profile names the store.', {
    code: 'USAGE',
    hints: [
      'Name it: vendorctl profiles set NAME budget=postgres://USER@HOST/DATABASE',
      'See: vendorctl help clusters',
    ],
  })
}
