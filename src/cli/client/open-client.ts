import {createSharedTokens} from '../../client/shared-tokens.js'
import type {Client, Credentials, Settings, TokenStore} from '../../client/types.js'
import {stateFolder} from '../../core/folders.js'
import {registerSecret} from '../../core/redact.js'
import type {QuotaClass} from '../../quota/quota.js'
import {fingerprint} from '../../settings/credential-store.js'
import {type FoundCredentials, findCredentials, requireCredentials} from '../../settings/credentials.js'
import {isShared, type Resolved, resolveSettings, type SettingFlags, toSettings} from '../../settings/settings.js'
import type {ServiceSource} from '../../values/service.js'
import type {CommandContext} from '../app/command-context.js'
import type {EnvelopeMeta} from '../app/envelope.js'
import {checkSandboxProfile} from '../sandbox/sandbox-state.js'
import {type Progress, startProgress} from '../terminal/progress.js'
import {openHttpLog} from './http-log-file.js'
import {openKeyBudget, openKeyLedger} from './key-ledger.js'

export type ClientFlags = SettingFlags & {'log-http'?: string | undefined; 'output-file'?: string | undefined}

export type OpenedClient = {
  client: Client
  resolved: Resolved
  found: FoundCredentials
  random: () => number
  /** The service to read from or write to, and the key. */
  source: ServiceSource
  /** Profile, stage and requests so far, for the envelope; the rest of the day is counted, or estimated. */
  meta(): Required<Pick<EnvelopeMeta, 'profile' | 'stage' | 'requests'>>
}

/**
 * The client of this run: settings and credentials resolved, secrets made known to the redaction, its requests counted
 * in the ledger of the key.
 */
export async function openClient(
  flags: ClientFlags,
  context: CommandContext,
  quotaClass: QuotaClass = 'interactive',
): Promise<OpenedClient> {
  const {environment, messages} = context
  const resolved = resolveSettings(flags, environment)
  const settings = toSettings(resolved, flags)
  const found = await findCredentials(resolved, environment)
  const credentials = requireCredentials(found, resolved.profile)
  registerSecret((await found.tokens.read())?.accessToken)
  const {baseUrl, stage} = settings
  const facts = [baseUrl, stage, credentials.apiKey, credentials.username ?? '']
  const tokens = createSharedTokens(found.tokens, {
    ...{facts, stateFolder: () => stateFolder(environment), signal: context.signal},
    ...{note: messages.note, onSecret: registerSecret},
  })
  const client = await createCountedClient(flags, context, {resolved, settings, credentials, tokens, quotaClass})
  if (isShared(resolved.values.budget.value)) await client.begin()
  const {profile} = resolved
  return {
    ...{client, resolved, found, random: Math.random},
    source: {profile, baseUrl, stage, keyFingerprint: fingerprint(credentials.apiKey)},
    meta() {
      const {left, is} = client.quota()
      return {profile, stage, requests: {used: client.requestsUsed, quotaLeft: left, quotaLeftIs: is}}
    },
  }
}

type Access = {
  resolved: Resolved
  settings: Settings
  credentials: Credentials
  tokens: TokenStore
  quotaClass?: QuotaClass
}

/** A client whose requests are counted in the ledger of the key, and in the budget that it shares. */
export async function createCountedClient(
  flags: ClientFlags,
  context: CommandContext,
  {resolved, credentials, ...access}: Access,
): Promise<Client> {
  const {environment, messages, clock, signal, caution} = context
  const {apiKey, password} = credentials
  for (const secret of [apiKey, password]) registerSecret(secret)
  await checkSandboxProfile(resolved, credentials, environment)
  const {createClient} = await import('../../client/client.js')
  const ledger = await openKeyLedger(context, {baseUrl: access.settings.baseUrl, apiKey})
  const budget = await openKeyBudget(context, {resolved, apiKey})
  const client = createClient({
    ...access,
    ...(ledger && {ledger}),
    ...(budget && {budget, onAlone: caution}),
    onLedgerLost: (text) => messages.note(`warning: ${text}`),
    credentials: async () => credentials,
    ...{clock, random: Math.random, environment, signal, onNotice: messages.note},
    ...(flags['log-http'] && {onRequest: await openHttpLog(flags['log-http'], flags['output-file'])}),
  })
  if (budget) context.atEnd(client.close)
  return client
}

type NeedsFlags = ClientFlags & {quiet?: boolean | undefined; verbose?: boolean | undefined}

/** The service, and the line that shows how far the work with it is. */
export type ClientNeeds = {
  /** Opened by the first request, so that work without requests needs no credentials. */
  lazy: LazyClient
  progress: Progress
  /** Closes what was opened; must be called however the work ends. */
  close(): void
}

export type OpenedNeeds = {opened: OpenedClient; progress: Progress}

type Opening = {
  open: () => Promise<OpenedClient>
  /** Data goes to the same terminal as the progress; unless given, where it goes to no file. */
  sharesTerminal?: boolean
}

/** Opens what any work with the service needs; every command that reads or writes begins here. */
export async function openNeeds(
  {quiet = false, verbose = false, 'output-file': file}: NeedsFlags,
  {messages, clock}: Pick<CommandContext, 'messages' | 'clock'>,
  {open, sharesTerminal = file === undefined && process.stdout.isTTY === true}: Opening,
): Promise<ClientNeeds> {
  const lazy = createLazyClient(open)
  const progress = await startProgress({
    ...{quiet, verbose, sharesTerminal, clock, print: messages.detail},
    quotaLeft: () => lazy.opened?.client.quota().left,
  })
  const close = () => {
    progress.end()
    lazy.opened?.client.close()
  }
  return {lazy, progress, close}
}

/** Does work with an open client, which is closed however the work ends. */
export async function withNeeds<Result>(
  flags: NeedsFlags,
  context: CommandContext,
  work: (needs: OpenedNeeds) => Promise<Result>,
  quotaClass?: QuotaClass,
): Promise<Result> {
  const needs = await openNeeds(flags, context, {open: () => openClient(flags, context, quotaClass)})
  try {
    return await work({opened: await needs.lazy.open(), progress: needs.progress})
  } finally {
    needs.close()
  }
}

/** A client that is opened once, when it is first needed, so that work without requests needs no credentials. */
export type LazyClient = {
  client: Pick<Client, 'write' | 'readPages'>
  open(): Promise<OpenedClient>
  /** The client that was opened before. */
  require(): OpenedClient
  /** Undefined while nothing needed it. */
  readonly opened: OpenedClient | undefined
}

function createLazyClient(openOnce: () => Promise<OpenedClient>): LazyClient {
  let opened: OpenedClient | undefined
  const open = async () => {
    opened ??= await openOnce()
    return opened
  }

  const readPages: Client['readPages'] = async function* (id, request) {
    const {client} = await open()
    yield* client.readPages(id, request)
  }

  return {
    client: {write: async (...given) => (await open()).client.write(...given), readPages},
    open,
    require() {
      if (!opened) throw new TypeError('the client was not opened')
      return opened
    },
    get opened() {
      return opened
    },
  }
}
