import {type ExitName, exitCodeOf} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import type {ErrorEntry} from '../../core/errors.js'
import type {JsonRecord} from '../../values/json.js'
import type {EnvelopeMeta} from '../app/envelope.js'
import type {Environment} from '../app/environment.js'
import type {Messages} from '../app/messages.js'
import {finishRequests} from '../client/finish-requests.js'
import {type ClientFlags, type OpenedClient, openClient} from '../client/open-client.js'
import {type AskFlags, askConfirmation, canAsk} from '../terminal/prompt.js'
import {simpleTable} from '../terminal/simple-table.js'
import {
  type Check,
  checkConfig,
  checkCredentials,
  checkLedger,
  checkService,
  checkSettings,
  checkState,
  checkWay,
} from './doctor-checks.js'
import {probeRead} from './probe-read.js'
import {Profiles} from './profiles.js'
import {type Resolved, resolveSettings, toSettings} from './settings.js'

export type Examined = {
  data: JsonRecord[]
  text: string
  meta: EnvelopeMeta
  exit: ExitName
  errors: ErrorEntry[]
}

type ExamineFlags = ClientFlags & AskFlags

/** Every check in its order; those that no answer was found to are listed as not run. */
const names = [
  ...['config folder', 'state folder', 'service', 'proxy', 'name', 'credentials', 'ledger'],
  ...['API key', 'login', 'read', 'page ceiling'],
]

/**
 * Runs all checks that can be run, says of the others which failure keeps them from it, and offers to save a read method
 * that works where the present one does not.
 */
export async function examine(flags: ExamineFlags, environment: Environment, messages: Messages): Promise<Examined> {
  const checks: Check[] = [await checkConfig(environment), await checkState(environment)]
  const resolved = checks[0]?.ok ? resolveSettings(flags, environment, new Profiles(environment)) : undefined
  const opened = resolved && (await examineService(resolved, flags, environment, messages, checks))
  opened?.client.close()
  return toPresented([...checks, ...notRun(checks)], resolved, opened)
}

async function examineService(
  resolved: Resolved,
  flags: ExamineFlags,
  environment: Environment,
  messages: Messages,
  checks: Check[],
): Promise<OpenedClient | undefined> {
  const {service, settings} = await checkSettings(() => toSettings(resolved, flags))
  checks.push(service)
  if (!settings) return undefined
  for await (const check of checkWay(settings.baseUrl, environment)) checks.push(check)
  const {credentials, opened} = await checkCredentials(() => openClient(flags, environment, messages))
  checks.push(credentials)
  if (!opened) return undefined
  checks.push(checkLedger(opened.client))
  for await (const check of checkService(opened.client, systemClock.now)) checks.push(check)
  const read = checks.find(({name}) => name === 'read')
  if (read && !read.ok && settings.readMethod === 'GET') {
    checks.push(await tryPost(flags, environment, messages, opened))
  }
  if (read) read.name = `read by ${settings.readMethod}`
  return opened
}

/** The checks that were not come to, with the failure that kept them from it. */
function notRun(checks: readonly Check[]): Check[] {
  const cause = checks.findLast(({ok}) => ok === false)
  const isKnown = (name: string) => checks.some((check) => check.name === name || check.name.startsWith(`${name} by `))
  const text = `not run: first fix "${cause?.name}"`
  return names.filter((name) => !isKnown(name)).map((name) => ({name, ok: null, text}))
}

/** Whether reads by POST work, and whether the user wants them from now on. */
async function tryPost(
  flags: ExamineFlags,
  environment: Environment,
  messages: Messages,
  {resolved}: OpenedClient,
): Promise<Check> {
  const other = await openClient(flags, {...environment, VENDORCTL_READ_METHOD: 'POST'}, messages)
  const {count} = await probeRead(other.client, {machineIdentifiers: ['vendorctl-doctor-0']}).finally(() =>
    other.client.close(),
  )
  if (count > 0) return {name: 'read by POST', ok: false, text: 'the filter is lost too', exit: 'incomplete'}
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
  const rows = checks.map(({name, ok, text, mend = ''}) => [states[`${ok}`], name, text, mend])
  const known = resolved && {profile: resolved.profile, stage: resolved.values.stage.value ?? ''}
  return {
    data: checks.map(({name, ok, text, mend}) => ({name, ok, text, mend: mend ?? null})),
    text: await simpleTable(['', 'check', 'found', 'fix'], rows),
    meta: opened ? finishRequests(opened) : {...known},
    exit: failed[0]?.exit ?? (failed.length > 0 ? 'failure' : 'ok'),
    errors: failed.map(toEntry),
  }
}

const states = {true: 'ok', false: 'failed', null: 'not run'} as const

function toEntry({name, text, mend, exit = 'failure'}: Check): ErrorEntry {
  const words = {code: 'CHECK_FAILED' as const, message: `${name}: ${text}`, exit: exitCodeOf(exit).code}
  return {...words, changed: 'none', retry: 'after-fix', ...(mend !== undefined && {hint: mend})}
}
