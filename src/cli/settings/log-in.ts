import type {Token} from '../../client/types.js'
import {systemClock} from '../../core/clock.js'
import {registerSecret} from '../app/redact.js'
import {stopSignal} from '../app/signals.js'
import {openHttpLog} from '../client/http-log-file.js'
import {openKeyBudget} from '../client/key-budget.js'
import {type ClientContext, openKeyLedger} from '../client/key-ledger.js'
import type {ClientFlags} from '../client/open-client.js'
import {checkSandboxProfile} from '../sandbox/sandbox-profile.js'
import {CredentialStore} from './credential-store.js'
import {fingerprint} from './fingerprint.js'
import {type LoginFlags, readLoginInput} from './login-input.js'
import {Profiles, toCredentialKey} from './profiles.js'
import {resolveSettings, toSettings} from './settings.js'
import {tokenEnd} from './token-end.js'

export type LoginResult = {text: string; data: {profile: string; stage: string; key: string; expires: string | null}}

/** Logs in and stores key and token; nothing is stored when the service refuses. */
export async function logIn(
  flags: LoginFlags & ClientFlags & {'save-password'?: boolean | undefined},
  context: ClientContext,
): Promise<LoginResult> {
  const {environment, messages} = context
  const resolved = resolveSettings(flags, environment, new Profiles(environment))
  const settings = toSettings(resolved, flags)
  const input = await readLoginInput(flags, environment)
  for (const secret of [input.apiKey, input.password]) registerSecret(secret)
  await checkSandboxProfile(resolved, input, environment)

  const {createClient} = await import('../../client/client.js')
  const {baseUrl} = settings
  const ledger = await openKeyLedger(context, {baseUrl, apiKey: input.apiKey})
  const budget = await openKeyBudget(context, {resolved, apiKey: input.apiKey})
  const client = createClient({
    settings,
    ...(ledger && {ledger}),
    ...(budget && {budget, onAlone: context.caution}),
    credentials: async () => input,
    tokens: {read: async () => undefined, write: async () => undefined},
    clock: systemClock,
    random: Math.random,
    environment,
    signal: stopSignal,
    onNotice: messages.note,
    ...(flags['log-http'] && {onRequest: await openHttpLog(flags['log-http'])}),
  })
  if (budget) context.atEnd(client.close)
  const token = await client.login()
  await client.close()

  const store = new CredentialStore(environment)
  const {apiKey, username, password} = input
  await store.write(toCredentialKey(resolved.profile, settings.stage), {
    baseUrl: settings.baseUrl,
    apiKey,
    username,
    token,
    ...(flags['save-password'] && {password}),
  })
  return toResult(resolved.profile, settings.stage, apiKey, token)
}

function toResult(profile: string, stage: string, apiKey: string, token: Token): LoginResult {
  registerSecret(token.accessToken)
  const expires = tokenEnd(token)
  const text = `Logged in: profile ${profile}, stage ${stage}, key ${fingerprint(apiKey)}${expires ? `, token until ${expires} UTC` : ''}.`
  return {text, data: {profile, stage, key: fingerprint(apiKey), expires}}
}
