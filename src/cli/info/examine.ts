import {type Elsewhere, findMissingRoutes} from '../../client/find-routes.js'
import {commandLine} from '../../core/command-line.js'
import type {Environment} from '../../core/environment.js'
import type {CliFailure} from '../../core/errors.js'
import {configFolder, stateFolder} from '../../core/folders.js'
import {nameProfile, nameSource} from '../../settings/name-source.js'
import {Profiles} from '../../settings/profiles.js'
import {type Resolved, resolveSettings, toSettings} from '../../settings/settings.js'
import type {CommandContext} from '../app/command-context.js'
import {type ClientFlags, type OpenedClient, openClient} from '../client/open-client.js'
import {type AskFlags, askConfirmation, canAsk} from '../terminal/prompt.js'
import {checkBudget, checkDatabase} from './database-checks.js'
import * as checks from './doctor-checks.js'
import {type Answer, Examination} from './examination.js'

type ExamineFlags = ClientFlags & AskFlags

/**
 * Runs all checks that can be run and names the failure that prevents the others. Offers to save a read method that
 * works where the current one does not.
 */
export async function examine(flags: ExamineFlags, context: CommandContext) {
  const {environment} = context
  const examination = new Examination()
  const isConfigured = await examination.check('config folder', () => ({text: configFolder(environment), found: true}))
  await examination.check('state folder', () => checks.checkFolder(stateFolder(environment)))
  const resolved = isConfigured ? resolveSettings(flags, environment) : undefined
  const opened = resolved && (await examineService(examination, resolved, flags, context))
  opened?.client.close()
  const known = resolved && {profile: resolved.profile, stage: resolved.values.stage.value ?? ''}
  return {...(await examination.toPresented()), meta: opened?.meta() ?? {...known}}
}

async function examineService(
  examination: Examination,
  resolved: Resolved,
  flags: ExamineFlags,
  context: CommandContext,
): Promise<OpenedClient | undefined> {
  const {environment, clock} = context
  const advise = async (failure: CliFailure) =>
    nameSource(await nameProfile(failure, flags, environment), flags, environment)
  const check: Examination['check'] = (name, run) => examination.check(name, run, advise)
  await check('shared budget', () => checkBudget(resolved, environment, clock))
  await check('database', () => checkDatabase(resolved, environment))
  const settings = await check('service', () => checks.checkAddress(toSettings(resolved, flags)))
  if (!settings) return undefined
  await check('proxy', () => checks.checkProxy(settings, environment))
  await check('name', () => checks.checkName(settings))
  const opened = await check('credentials', () => open(flags, context))
  if (!opened) return undefined
  const {client} = opened
  await check('ledger', () => checks.checkLedger(client))
  const key = await check('API key', async () => ({text: await client.testKey(), found: true}))
  if (!key && examination.find('API key')?.exit !== 'denied') return opened
  if (!(await check('login', () => checks.checkLogin(client, clock.now)))) return opened
  const isRead = await check(`read by ${settings.readMethod}`, () => checks.checkRead(client, resolved.profile))
  await check('page ceiling', () => checks.checkCeiling(client))
  await check('backlog', () => checks.checkBacklog(client, clock.now()))
  const openWith = async (variables: Environment) => {
    return (await openClient(flags, {...context, environment: {...environment, ...variables}})).client
  }
  if (isRead) {
    const elsewhere: Elsewhere = (id, path) => openWith({VENDORCTL_ROUTES: `${id}=${path}`})
    await check('paths', async () => checks.checkPaths(await findMissingRoutes(client, settings, elsewhere), settings))
  } else if (settings.readMethod === 'GET') {
    await check('read by POST', async () => {
      const other = await openWith({VENDORCTL_READ_METHOD: 'POST'})
      return tryPost(other, resolved.profile, flags, environment)
    })
  }
  return opened
}

/** Whether there are credentials for the service. */
async function open(flags: ExamineFlags, context: CommandContext): Promise<Answer<OpenedClient>> {
  const opened = await openClient(flags, context)
  return {text: `key ${opened.source.keyFingerprint} (${opened.found.origin})`, found: opened}
}

/** Tries to read by POST, and offers to save it when that works. */
async function tryPost(
  client: OpenedClient['client'],
  profile: string,
  flags: ExamineFlags,
  environment: Environment,
): Promise<Answer> {
  const works = await checks.isFilterRead(client).finally(client.close)
  if (!works) return {ok: false, text: 'the filter did not reach the service either', exit: 'incomplete'}
  const command = commandLine('profiles set', [profile, 'readMethod=POST'])
  const save = canAsk(flags) && (await askConfirmation('Reads work by POST. Save that in the profile?'))
  if (!save) return {text: `works; keep it with: ${command}`}
  await new Profiles(environment).set(profile, {readMethod: 'POST'})
  return {text: `works; saved in profile ${profile}`}
}
