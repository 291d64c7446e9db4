import type {Token} from '../../client/types.js'
import {systemClock} from '../../core/clock.js'
import {toLines} from '../app/messages.js'
import {registerSecret} from '../app/redact.js'
import {stopSignal} from '../app/signals.js'
import {openHttpLog} from '../client/http-log-file.js'
import {openKeyBudget} from '../client/key-budget.js'
import {type ClientContext, openKeyLedger} from '../client/key-ledger.js'
import type {ClientFlags} from '../client/open-client.js'
import {checkSandboxProfile} from '../sandbox/sandbox-profile.js'
import {canAsk} from '../terminal/prompt.js'
import {CredentialStore} from './credential-store.js'
import {fingerprint} from './fingerprint.js'
import {createLoginQuestions, type LoginFlags, type LoginInput} from './login-input.js'
import {Profiles, toCredentialKey} from './profiles.js'
import {type Resolved, resolveSettings, toSettings} from './settings.js'
import {tokenEnd} from './token-end.js'

export type LoginResult = {text: string; data: {profile: string; stage: string; key: string; expires: string | null}}

type Given = LoginFlags & ClientFlags

/** Logs in and stores key and token, and an address that was asked for; nothing is stored when the service refuses. */
export async function logIn(
  flags: Given & {'save-password'?: boolean | undefined},
  context: ClientContext,
): Promise<LoginResult> {
  const {environment} = context
  const profiles = new Profiles(environment)
  const found = resolveSettings({...flags, isNew: canAsk(flags)}, environment, profiles)
  const questions = createLoginQuestions(flags, environment)
  for (;;) {
    const resolved = await questions.settings(found)
    const settings = toSettings(resolved, flags)
    const input = await questions.input()
    const token = await requestToken(flags, {resolved, input}, context).catch((error: unknown) => {
      if (!questions.isAboutAnswer(error)) throw error
      context.messages.tell(toLines(error.exit, {message: error.message}))
    })
    if (!token) continue

    const {baseUrl, stage} = settings
    const {apiKey, username, password} = input
    if (baseUrl !== found.values.baseUrl.value) await profiles.set(resolved.profile, {baseUrl, stage})
    await new CredentialStore(environment).write(toCredentialKey(resolved.profile, stage), {
      baseUrl,
      apiKey,
      username,
      token,
      ...(flags['save-password'] && {password}),
    })
    return toResult(resolved.profile, stage, apiKey, token)
  }
}

async function requestToken(
  flags: Given,
  {resolved, input}: {resolved: Resolved; input: LoginInput},
  context: ClientContext,
): Promise<Token> {
  const {environment, messages} = context
  const settings = toSettings(resolved, flags)
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
  return client.login().finally(client.close)
}

function toResult(profile: string, stage: string, apiKey: string, token: Token): LoginResult {
  registerSecret(token.accessToken)
  const expires = tokenEnd(token)
  const text = `Logged in: profile ${profile}, stage ${stage}, key ${fingerprint(apiKey)}${expires ? `, token until ${expires} UTC` : ''}.`
  return {text, data: {profile, stage, key: fingerprint(apiKey), expires}}
}
