import {commandLine} from '../../core/command-line.js'
import type {Environment} from '../../core/environment.js'
import {CliFailure, usage} from '../../core/errors.js'
import {stateFolder} from '../../core/folders.js'
import {listNamed} from '../../reports/register/list-named.js'
import {refuseUnrecorded, shareNamed} from '../../reports/register/move-marks.js'
import type {NamedFacts} from '../../reports/register/named-marks.js'
import {findOneNamed, runOfName, shortScope} from '../../reports/register/named-steps.js'
import {findCredentials} from '../../settings/credentials.js'
import {resolveSettings} from '../../settings/settings.js'
import {isSameService} from '../../values/service.js'
import type {CommandContext} from '../app/command-context.js'
import {openSharedMarks, withRegister} from './export-store.js'

/** Moves the mark of a name from this machine into the store that machines share. Throws `locked` while a run has it. */
export async function shareName(
  name: string,
  flags: {scope?: string | undefined},
  {environment, messages, present}: CommandContext,
): Promise<void> {
  const named = findOneNamed(listNamed(stateFolder(environment)), name, flags.scope)
  const {facts} = named
  refuseUnrecorded(named, runOfName(named))
  const shared = await openSharedMarks(await findSource(facts, environment), environment)
  if (!shared)
    throw usage(
      'Machines share marks only where a profile names the store.',
      `Name it: ${commandLine('profiles set', [facts.profile ?? 'NAME', 'budget=postgres://USER@HOST/DATABASE'])}`,
      'See: vendorctl help clusters',
    )
  try {
    const {value} = await withRegister(environment, (store) => shareNamed(named, {...store, shared}))
    messages.note(`All machines share the mark of ${name} from now on, complete up to ${value?.at}.`)
    await present({data: {name, scope: shortScope(named), mark: value?.at ?? null, nextFrom: value?.nextStart ?? null}})
  } finally {
    await shared.close()
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
