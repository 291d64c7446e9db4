import {systemClock} from '../clock.js'
import {exitCodeOf} from '../contract/index.js'
import type {ErrorEntry} from '../errors.js'
import {commandLine} from '../values/command-line.js'
import type {Presented} from './base-command.js'
import {type Check, checkLedger, checkMachine, checkService} from './doctor-checks.js'
import type {Environment} from './environment.js'
import {finishRequests} from './finish-requests.js'
import type {Messages} from './messages.js'
import {type ClientFlags, type OpenedClient, openClient} from './open-client.js'
import {probeRead} from './probe-read.js'
import {Profiles} from './profiles.js'
import {type AskFlags, askConfirmation, canAsk} from './prompt.js'
import {resolveSettings, toSettings} from './settings.js'
import {simpleTable} from './simple-table.js'

type ExamineFlags = ClientFlags & AskFlags

/** Runs all checks and offers to save a read method that works where the present one does not. */
export async function examine(flags: ExamineFlags, environment: Environment, messages: Messages): Promise<Presented> {
  const resolved = resolveSettings(flags, environment, new Profiles(environment))
  const settings = toSettings(resolved, flags)
  const checks: Check[] = []
  for await (const check of checkMachine(settings.baseUrl, environment)) checks.push(check)

  const opened = await openClient(flags, environment, messages)
  checks.push(checkLedger(opened.client))
  for await (const check of checkService(opened.client, systemClock.now)) checks.push(check)
  const reads = checks.find(({name}) => name === 'read by GET')
  if (reads && settings.readMethod === 'POST') reads.name = 'read by POST'
  if (reads && !reads.ok && settings.readMethod === 'GET') {
    checks.push(await tryPost(flags, environment, messages, opened))
  }
  opened.client.close()
  return toPresented(checks, opened)
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

async function toPresented(checks: readonly Check[], opened: OpenedClient): Promise<Presented> {
  const failed = checks.filter(({ok}) => !ok)
  const rows = checks.map(({name, ok, text, mend = ''}) => [ok ? 'ok' : 'failed', name, text, mend])
  return {
    data: checks.map(({name, ok, text, mend}) => ({name, ok, text, mend: mend ?? null})),
    text: await simpleTable(['', 'check', 'found', 'mend'], rows),
    meta: finishRequests(opened),
    exit: failed[0]?.exit ?? (failed.length > 0 ? 'failure' : 'ok'),
    errors: failed.map(toEntry),
  }
}

function toEntry({name, text, mend, exit = 'failure'}: Check): ErrorEntry {
  const words = {code: 'CHECK_FAILED', message: `${name}: ${text}`, exit: exitCodeOf(exit).code}
  return {...words, changed: 'none', retry: 'after-fix', ...(mend !== undefined && {hint: mend})}
}
