import {isRouteMissing} from '../../client/failures.js'
import type {Client, Settings} from '../../client/types.js'
import {
  type ExitName,
  exitCodeOf,
  isPathUnconfirmed,
  type ReadId,
  readIds,
  readOperation,
} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import type {EnvelopeMeta} from '../app/envelope.js'
import {nameProfile} from '../app/name-profile.js'
import type {ClientContext} from '../client/key-ledger.js'
import {type ClientFlags, type OpenedClient, openClient} from '../client/open-client.js'
import {nameSource} from '../settings/name-source.js'
import {probeRead} from '../settings/probe-read.js'
import {Profiles} from '../settings/profiles.js'
import {type Resolved, resolveSettings, toSettings} from '../settings/settings.js'
import {type AskFlags, askConfirmation, canAsk} from '../terminal/prompt.js'
import {simpleTable} from '../terminal/simple-table.js'
import {
  type Answer,
  type Check,
  checkBudget,
  checkConfig,
  checkConnection,
  checkCredentials,
  checkDatabase,
  checkLedger,
  checkService,
  checkSettings,
  checkState,
  toCheck,
} from './doctor-checks.js'

export type Examined = {
  data: JsonRecord[]
  text: string
  meta: EnvelopeMeta
  exit: ExitName
  errors: ErrorEntry[]
}

type ExamineFlags = ClientFlags & AskFlags

/** The checks in their order; those without a result are listed as not run. */
const names = [
  ...['config folder', 'state folder', 'service', 'proxy', 'name', 'credentials', 'ledger'],
  ...['API key', 'login', 'read', 'page ceiling', 'paths'],
]

/**
 * Runs all checks that can be run and names the failure that prevents the others. Offers to save a read method that
 * works where the current one does not.
 */
export async function examine(flags: ExamineFlags, context: ClientContext): Promise<Examined> {
  const {environment} = context
  const checks: Check[] = [await checkConfig(environment), await checkState(environment)]
  const resolved = checks[0]?.ok ? resolveSettings(flags, environment, new Profiles(environment)) : undefined
  const opened = resolved && (await examineService(resolved, flags, context, checks))
  opened?.client.close()
  return toPresented([...checks, ...notRun(checks)], resolved, opened)
}

async function examineService(
  resolved: Resolved,
  flags: ExamineFlags,
  context: ClientContext,
  checks: Check[],
): Promise<OpenedClient | undefined> {
  for (const check of [checkBudget, checkDatabase]) {
    const found = await check(resolved, context.environment)
    if (found) checks.push(found)
  }
  const {service, settings} = await checkSettings(() => toSettings(resolved, flags))
  checks.push(service)
  if (!settings) return undefined
  for await (const check of checkConnection(settings.baseUrl, context.environment)) checks.push(check)
  const {credentials, opened} = await checkCredentials(() => openClient(flags, context))
  checks.push(credentials)
  if (!opened) return undefined
  checks.push(checkLedger(opened.client))
  const advise = (failure: CliFailure) => nameSource(nameProfile(failure, flags), flags, context.environment)
  for await (const check of checkService(opened.client, systemClock.now, advise)) checks.push(check)
  const read = checks.find(({name}) => name === 'read')
  if (read && !read.ok && settings.readMethod === 'GET') {
    checks.push(await tryPost(flags, context, opened))
  }
  if (read?.ok) checks.push(await checkRoutes(flags, context, {opened, settings}))
  if (read) read.name = `read by ${settings.readMethod}`
  return opened
}

/** Which paths the service answers, where that is not certain; about ten requests, all of them reads. */
function checkRoutes(
  flags: ExamineFlags,
  context: ClientContext,
  {opened, settings}: {opened: OpenedClient; settings: Settings},
): Promise<Check> {
  const {client, resolved} = opened
  const {environment} = context
  const elsewhere: Elsewhere = async (id, path) => {
    const other = {...environment, VENDORCTL_ROUTES: `${id}=${path}`}
    return (await openClient(flags, {...context, environment: other})).client
  }
  return toCheck('paths', () => checkPaths({client, settings, profile: resolved.profile, elsewhere}))
}

/** The checks that were not reached, with the failure that prevented them. */
function notRun(checks: readonly Check[]): Check[] {
  const cause = checks.findLast(({ok}) => ok === false)
  const isKnown = (name: string) => checks.some((check) => check.name === name || check.name.startsWith(`${name} by `))
  const text = `not run: first fix "${cause?.name}"`
  return names.filter((name) => !isKnown(name)).map((name) => ({name, ok: null, text}))
}

/** Tries to read by POST, and offers to save it when that works. */
async function tryPost(flags: ExamineFlags, context: ClientContext, {resolved}: OpenedClient): Promise<Check> {
  const {environment} = context
  const other = await openClient(flags, {...context, environment: {...environment, VENDORCTL_READ_METHOD: 'POST'}})
  const {count} = await probeRead(other.client, {machineIdentifiers: ['vendorctl-doctor-0']}).finally(() =>
    other.client.close(),
  )
  if (count > 0)
    return {name: 'read by POST', ok: false, text: 'the filter did not reach the service either', exit: 'incomplete'}
  const command = commandLine('profiles set', [resolved.profile, 'readMethod=POST'])
  const save = canAsk(flags) && (await askConfirmation('Reads work by POST. Save that in the profile?'))
  if (!save) return {name: 'read by POST', ok: true, text: `works; keep it with: ${command}`}
  await new Profiles(environment).set(resolved.profile, {readMethod: 'POST'})
  return {name: 'read by POST', ok: true, text: `works; saved in profile ${resolved.profile}`}
}

async function toPresented(
  checks: readonly Check[],
  resolved: Resolved | undefined,
  opened: OpenedClient | undefined,
): Promise<Examined> {
  const failed = checks.filter(({ok}) => ok === false)
  const rows = checks.map(({name, ok, text, fix = ''}) => [states[`${ok}`], name, text, fix])
  const known = resolved && {profile: resolved.profile, stage: resolved.values.stage.value ?? ''}
  return {
    data: checks.map(({name, ok, text, fix}) => ({name, ok, text, fix: fix ?? null})),
    text: await simpleTable(['', 'check', 'found', 'fix'], rows),
    meta: opened?.meta() ?? {...known},
    exit: failed[0]?.exit ?? (failed.length > 0 ? 'failure' : 'ok'),
    errors: failed.map(toEntry),
  }
}

const states = {true: 'ok', false: 'failed', null: 'not run'} as const

function toEntry({name, text, fix, exit = 'failure'}: Check): ErrorEntry {
  const words = {code: 'CHECK_FAILED' as const, message: `${name}: ${text}`, exit: exitCodeOf(exit).code}
  return {...words, changed: 'none', retry: 'after-fix', ...(fix !== undefined && {hint: fix})}
}

/** Where another client is had, which asks for an operation at another path. */
export type Elsewhere = (id: ReadId, path: string) => Promise<Client>

type Asked = {client: Client; settings: Settings; profile: string; elsewhere: Elsewhere}

type Missing = {id: ReadId; path: string; found?: string}

/** Reads that services have at several paths, or whose path the documentation does not confirm. */
const uncertain = readIds.filter((id) => isPathUnconfirmed(readOperation(id)) || readOperation(id).alsoAt !== undefined)

/** Asks for one record at each path that may differ, one request for each; another path is asked only after 404. */
async function checkPaths({client, settings, profile, elsewhere}: Asked): Promise<Answer> {
  const missing: Missing[] = []
  for (const id of uncertain) {
    const path = settings.routes[id] ?? readOperation(id).path
    if (await hasRoute(client, id)) continue
    const found = await findElsewhere(id, path, elsewhere)
    missing.push({id, path, ...(found !== undefined && {found})})
  }

  const moved = missing.filter(({found}) => found !== undefined)
  const lost = missing.filter(({found}) => found === undefined)
  const text = [...moved.map(describeMoved), describeRest(uncertain.length - missing.length, lost)].join('; ')
  if (missing.length === 0) return {text}
  const routes = {...settings.routes, ...Object.fromEntries(missing.map(({id, found = '/PATH'}) => [id, found]))}
  const pairs = Object.entries(routes).map(([id, path]) => `${id}=${path}`)
  const set = commandLine('profiles set', [profile, `routes=${pairs.join()}`])
  if (moved.length === 0) return {text, fix: `If they are at other paths: ${set}`}
  const known = pairs.filter((pair) => !pair.endsWith('=/PATH'))
  return {ok: false, text, exit: 'refused', fix: commandLine('profiles set', [profile, `routes=${known.join()}`])}
}

async function findElsewhere(id: ReadId, path: string, elsewhere: Elsewhere): Promise<string | undefined> {
  const {path: first, alsoAt = []} = readOperation(id)
  for (const other of [first, ...alsoAt].filter((one) => one !== path)) {
    const client = await elsewhere(id, other)
    if (await hasRoute(client, id).finally(() => client.close())) return other
  }

  return undefined
}

/** A refusal other than 404 comes from a route that exists. Throws what says nothing about it. */
async function hasRoute(client: Client, id: ReadId): Promise<boolean> {
  try {
    for await (const _ of client.readPages(id, {filters: {}, pageSize: 1, limit: 1, skipFilterCheck: true})) break
    return true
  } catch (error) {
    if (isRouteMissing(error)) return false
    if (error instanceof CliFailure && (error.exit === 'denied' || error.exit === 'refused')) return true
    throw error
  }
}

function describeMoved({id, path, found}: Missing): string {
  return `"${readOperation(id).command}" is at ${found}, not at ${path}`
}

function describeRest(answering: number, lost: readonly Missing[]): string {
  const text = `${answering} of ${counted(uncertain.length, 'path')} answer`
  if (lost.length === 0) return text
  return `${text}; not found: ${lost.map(({id, path}) => `${path} (${readOperation(id).command})`).join(', ')}`
}
