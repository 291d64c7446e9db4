import {lookup} from 'node:dns/promises'
import {accessSync, constants, existsSync} from 'node:fs'
import type {Client, Settings} from '../../client/types.js'
import {type ExitName, limits} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {makePrivateFolder} from '../../core/private-folder.js'
import {toBaseUrl} from '../../http/address.js'
import {findProxy} from '../../http/proxy.js'
import type {Environment} from '../app/environment.js'
import {configFolder, stateFolder} from '../app/folders.js'
import type {OpenedClient} from '../client/open-client.js'
import {fingerprint} from './fingerprint.js'
import {probeRead} from './probe-read.js'

/** One check of `doctor`; `ok` is null where it was not run. */
export type Check = {name: string; ok: boolean | null; text: string; fix?: string; exit?: ExitName}

export type Answer = {text: string; ok?: boolean; fix?: string; exit?: ExitName}

const unknownMachine = 'vendorctl-doctor-0'
const clockToleranceSeconds = 60

/** Runs one check; a failure is its result and stops no other check. */
export async function toCheck(name: string, run: () => Promise<Answer>): Promise<Check> {
  try {
    return {name, ok: true, ...(await run())}
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    const [fix] = error.hints.map(withoutDoctor).filter((hint) => hint !== '')
    return {name, ok: false, text: error.message, exit: error.exit, ...(fix !== undefined && {fix})}
  }
}

/** A hint without the part that sends people to `doctor`, which they are running already. */
function withoutDoctor(hint: string): string {
  const rest = hint.replace(/(,? (or|and) |\b)(look closer|look for the cause|find out) with: vendorctl doctor$/i, '')
  return rest === hint || rest.trim() === '' || rest.endsWith('.') ? rest.trim() : `${rest.trim()}.`
}

export function checkConfig(environment: Environment): Promise<Check> {
  return toCheck('config folder', async () => ({text: configFolder(environment)}))
}

export function checkState(environment: Environment): Promise<Check> {
  return toCheck('state folder', async () => checkFolder(stateFolder(environment)))
}

/** Whether a service is set up whose address can be used. */
export async function checkSettings(toSettings: () => Settings): Promise<{service: Check; settings?: Settings}> {
  let settings: Settings | undefined
  const service = await toCheck('service', async () => {
    const found = toSettings()
    toBaseUrl(found.baseUrl)
    settings = found
    return {text: `${found.baseUrl}, stage ${found.stage}`}
  })
  return {service, ...(settings && {settings})}
}

/** Checks proxy and host name, without a request. */
export async function* checkConnection(baseUrl: string, environment: Environment): AsyncGenerator<Check> {
  const url = new URL(baseUrl)
  yield await toCheck('proxy', async () => {
    const proxy = findProxy(url, environment)
    return {text: proxy ? `requests go through ${proxy.host}` : 'none'}
  })
  yield await toCheck('name', () => checkName(url.hostname))
}

/** Whether there are credentials for the service. */
export async function checkCredentials(
  open: () => Promise<OpenedClient>,
): Promise<{credentials: Check; opened?: OpenedClient}> {
  let opened: OpenedClient | undefined
  const credentials = await toCheck('credentials', async () => {
    opened = await open()
    const {credentials, origin} = opened.found
    return {text: `key ${fingerprint(credentials?.apiKey ?? '')} (${origin})`}
  })
  return {credentials, ...(opened && {opened})}
}

/** Whether requests are counted for all runs of this key; sends none. */
export function checkLedger(client: Client): Check {
  const {used, perDay, is} = client.quota()
  if (is === 'counted') return {name: 'ledger', ok: true, text: `${used} of ${perDay} requests of this key used today`}
  return {
    name: 'ledger',
    ok: false,
    text: 'the requests of this key cannot be counted; each run counts for itself',
    fix: 'Read the warning above: the state folder must be on a disk of this machine that can be written.',
    exit: 'storage',
  }
}

/** Checks that send requests to the service, six at most. */
export async function* checkService(client: Client, now: () => number): AsyncGenerator<Check> {
  const key = await toCheck('API key', async () => ({text: await client.testKey()}))
  yield key
  if (!key.ok && key.exit !== 'denied') return
  const login = await toCheck('login', async () => checkLogin(client, now))
  yield login
  if (!login.ok) return
  yield await toCheck('read', async () => checkRead(client))
  yield await toCheck('page ceiling', async () => {
    const {size} = await probeRead(client, {})
    const ok = size >= limits.maximumPageSize
    return {text: `${size} records a page${ok ? '' : `; ${limits.maximumPageSize} were asked for`}`}
  })
}

/** A request without a body, because another check finds out whether a GET may have one. */
async function checkLogin(client: Client, now: () => number): Promise<Answer> {
  const {headers} = await client.call({method: 'GET', path: '/machines', headers: {size: '1'}})
  const served = Date.parse(headers['date'] ?? '')
  if (Number.isNaN(served)) return {text: 'accepted'}
  const seconds = Math.round(Math.abs(now() - served) / 1_000)
  if (seconds <= clockToleranceSeconds) return {text: `accepted; the clocks differ by ${seconds} s`}
  return {
    ok: false,
    text: `accepted, but the clock of this machine differs by ${seconds} s`,
    fix: 'Set the clock of this machine; relative dates are wrong until then.',
    exit: 'failure',
  }
}

async function checkRead(client: Client): Promise<Answer> {
  const {count} = await probeRead(client, {machineIdentifiers: [unknownMachine]})
  if (count === 0) return {text: 'filters reach the service'}
  return {
    ok: false,
    text: 'the filter did not reach the service: it returned everything',
    fix: 'Read by POST: vendorctl profiles set NAME readMethod=POST',
    exit: 'incomplete',
  }
}

async function checkName(hostname: string): Promise<Answer> {
  const host = hostname.replace(/^\[|\]$/g, '')
  try {
    const {address} = await lookup(host)
    return {text: `${host} is ${address}`}
  } catch (error) {
    throw new CliFailure(`${host} cannot be found (${(error as NodeJS.ErrnoException).code})`, {
      code: 'DNS',
      exit: 'unavailable',
      hints: ['Check the base URL: vendorctl profiles show'],
    })
  }
}

function checkFolder(folder: string): Answer {
  try {
    if (!existsSync(folder)) makePrivateFolder(folder)
    accessSync(folder, constants.W_OK)
    return {text: folder}
  } catch (error) {
    throw new CliFailure(`${folder} cannot be written (${(error as NodeJS.ErrnoException).code})`, {
      code: 'STATE_UNWRITABLE',
      exit: 'storage',
      hints: ['Set XDG_STATE_HOME to a folder that can be written.'],
    })
  }
}
