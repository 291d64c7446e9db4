import type {Client, Credentials, Settings, TokenStore} from '../../client/types.js'
import type {QuotaClass} from '../../quota/quota.js'
import type {CommandContext} from '../app/command-context.js'
import type {EnvelopeMeta} from '../app/envelope.js'
import {checkSandboxProfile} from '../sandbox/sandbox-state.js'
import {fingerprint} from '../settings/credential-store.js'
import {type FoundCredentials, findCredentials, requireCredentials} from '../settings/credentials.js'
import {isShared, type Resolved, resolveSettings, type SettingFlags, toSettings} from '../settings/settings.js'
import {createSharedTokens} from '../settings/shared-tokens.js'
import {registerSecret} from '../terminal/redact.js'
import {openHttpLog} from './http-log-file.js'
import {openKeyBudget, openKeyLedger} from './key-ledger.js'

export type ClientFlags = SettingFlags & {'log-http'?: string | undefined}

export type OpenedClient = {
  client: Client
  resolved: Resolved
  found: FoundCredentials
  random: () => number
  /** What is read or written, and by which key. */
  source: {profile: string; baseUrl: string; stage: string; keyFingerprint: string}
  /** Profile, stage and requests so far, for the envelope; what is left of the day is counted, or estimated. */
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
  const tokens = createSharedTokens(found.tokens, {environment, messages, facts})
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
    ...(flags['log-http'] && {onRequest: await openHttpLog(flags['log-http'])}),
  })
  if (budget) context.atEnd(client.close)
  return client
}
