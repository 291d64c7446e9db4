import type {Credentials, Token} from '../../client/types.js'
import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {registerSecret} from '../../core/redact.js'
import {readSecretFile, readSmallFile, readVariable} from '../../core/small-file.js'
import {CredentialStore, fingerprint, tokenEnd} from '../../settings/credential-store.js'
import {Profiles, toCredentialKey} from '../../settings/profiles.js'
import {settingKeys} from '../../settings/setting-keys.js'
import {type Resolved, resolveSettings, toSettings} from '../../settings/settings.js'
import type {CommandContext} from '../app/command-context.js'
import {toLines} from '../app/messages.js'
import {type ClientFlags, createCountedClient} from '../client/open-client.js'
import {type AskFlags, askSecret, askText, canAsk} from '../terminal/prompt.js'

export type LoginResult = {text: string; data: {profile: string; stage: string; key: string; expires: string | null}}

type Given = LoginFlags & ClientFlags

/** Logs in and stores key and token, and an address that was asked for; nothing is stored when the service refuses. */
export async function logIn(
  flags: Given & {'save-password'?: boolean | undefined},
  context: CommandContext,
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
  context: CommandContext,
): Promise<Token> {
  const settings = toSettings(resolved, flags)
  const tokens = {read: async () => undefined, write: async () => undefined}
  const client = await createCountedClient(flags, context, {resolved, settings, credentials: input, tokens})
  return client.login().finally(client.close)
}

function toResult(profile: string, stage: string, apiKey: string, token: Token): LoginResult {
  registerSecret(token.accessToken)
  const expires = tokenEnd(token)
  const text = `Logged in: profile ${profile}, stage ${stage}, key ${fingerprint(apiKey)}${expires ? `, token until ${expires} UTC` : ''}.`
  return {text, data: {profile, stage, key: fingerprint(apiKey), expires}}
}

export type LoginFlags = {
  username?: string | undefined
  'api-key-file'?: string | undefined
  'password-file'?: string | undefined
  'password-stdin'?: boolean | undefined
} & AskFlags

export type LoginInput = Required<Credentials>

type Answer = 'baseUrl' | 'stage' | keyof LoginInput

/** Asks a person for the parts of a login that are missing, again where the service refuses one. */
export type LoginQuestions = {
  /** The settings with address and stage, which are asked for where nothing gives an address. */
  settings(resolved: Resolved): Promise<Resolved>
  /** Key, user and password from flags, files, environment or prompts. Throws `denied` when one is missing. */
  input(): Promise<LoginInput>
  /** Whether the failure is about an answer, which is forgotten then. */
  isAboutAnswer(error: unknown): error is CliFailure
}

function createLoginQuestions(flags: LoginFlags, environment: Environment): LoginQuestions {
  const answers = new Map<Answer, string>()
  const former = new Map<Answer, string>()
  const standardInput = flags['password-stdin'] ? readStandardInput() : undefined
  const ask = async (name: Answer, question: (former: string | undefined) => Promise<string>) => {
    const answer = answers.get(name) ?? (canAsk(flags) ? (await question(former.get(name))).trim() : '')
    if (answer) answers.set(name, answer)
    return answer
  }
  const askOrFail = async (name: Answer, what: string, sources: string, question = askText) => {
    const answer = await ask(name, (known) => question(what, {initial: known}))
    return answer || missing(what, sources, canAsk(flags))
  }
  const askSetting = (name: 'baseUrl' | 'stage', what: string, usual = '') =>
    ask(name, (known) => askText(what, {initial: known ?? usual, check: settingKeys[name].check}))

  return {
    async settings(resolved) {
      const {baseUrl, stage} = resolved.values
      if (baseUrl.value || !canAsk(flags)) return resolved
      const address = await askSetting('baseUrl', 'Address of the service (https://…)')
      const typed = stage.origin === 'default' ? await askSetting('stage', 'Stage', stage.value) : stage.value
      const values = {...resolved.values, baseUrl: {...baseUrl, value: address}, stage: {...stage, value: typed}}
      return {...resolved, values}
    },
    input: async () => ({
      apiKey:
        fromFile(flags['api-key-file'], '--api-key-file') ??
        (readVariable(environment, 'VENDORCTL_API_KEY') ||
          (await askOrFail('apiKey', 'API key', '--api-key-file or VENDORCTL_API_KEY', askSecret))),
      username:
        flags.username ??
        (readVariable(environment, 'VENDORCTL_USERNAME') ||
          (await askOrFail('username', 'User name (e-mail)', '--username or VENDORCTL_USERNAME'))),
      password:
        standardInput ??
        fromFile(flags['password-file'], '--password-file') ??
        (readVariable(environment, 'VENDORCTL_PASSWORD') ||
          (await askOrFail(
            'password',
            'Password',
            '--password-file, --password-stdin or VENDORCTL_PASSWORD',
            askSecret,
          ))),
    }),
    isAboutAnswer(error): error is CliFailure {
      const wrong = answersOf(error).filter((name) => answers.has(name))
      for (const name of wrong) {
        former.set(name, answers.get(name) ?? '')
        answers.delete(name)
      }
      return wrong.length > 0
    },
  }
}

const answersByCode: Readonly<Record<string, readonly Answer[]>> = {
  API_KEY: ['apiKey'],
  FORBIDDEN: ['apiKey'],
  INVALID_LOGIN: ['username', 'password'],
  NO_API_ACCESS: ['username', 'password'],
  NO_SUCH_PATH: ['baseUrl', 'stage'],
}

/** The answers that a failure of a login is about; an address that leads to no service is wrong as well. */
function answersOf(error: unknown): readonly Answer[] {
  if (!(error instanceof CliFailure)) return []
  const isElsewhere = error.exit === 'unavailable' || error.exit === 'usage' || error.code.startsWith('HTTP_')
  return answersByCode[error.code] ?? (isElsewhere ? ['baseUrl'] : [])
}

function fromFile(path: string | undefined, flag: string): string | undefined {
  return path === undefined ? undefined : readSecretFile(path, flag)
}

function readStandardInput(): string {
  const password = readSmallFile('-').replace(/\r?\n$/, '')
  if (password) return password
  throw new CliFailure('There is no password on standard input.', {code: 'LOGIN_INPUT'})
}

function missing(what: string, sources: string, ask: boolean): never {
  throw new CliFailure(`${what} is missing.`, {
    code: 'LOGIN_INPUT',
    hints: [`Give it with ${sources}${ask ? '' : ', or run this on a terminal'}.`],
  })
}
