import type {Credentials} from '../../client/types.js'
import {CliFailure} from '../../core/errors.js'
import type {Environment} from '../app/environment.js'
import {readSecretFile, readSmallFile} from '../app/read-small-file.js'
import {type AskFlags, askSecret, askText, canAsk} from '../terminal/prompt.js'

export type LoginFlags = {
  username?: string | undefined
  'api-key-file'?: string | undefined
  'password-file'?: string | undefined
  'password-stdin'?: boolean | undefined
} & AskFlags

export type LoginInput = Required<Credentials>

/** Key, user and password from flags, files, environment or prompts. Throws `denied` when one is missing. */
export async function readLoginInput(flags: LoginFlags, environment: Environment): Promise<LoginInput> {
  const ask = canAsk(flags)
  const apiKey =
    fromFile(flags['api-key-file'], '--api-key-file') ??
    fromEnvironment(environment, 'VENDORCTL_API_KEY') ??
    (await askOrFail(ask, 'API key', '--api-key-file or VENDORCTL_API_KEY', askSecret))
  const username =
    flags.username ??
    fromEnvironment(environment, 'VENDORCTL_USERNAME') ??
    (await askOrFail(ask, 'User name (e-mail)', '--username or VENDORCTL_USERNAME', askText))
  const password =
    (flags['password-stdin'] ? readStandardInput() : undefined) ??
    fromFile(flags['password-file'], '--password-file') ??
    fromEnvironment(environment, 'VENDORCTL_PASSWORD') ??
    (await askOrFail(ask, 'Password', '--password-file, --password-stdin or VENDORCTL_PASSWORD', askSecret))
  return {apiKey, username, password}
}

function fromFile(path: string | undefined, flag: string): string | undefined {
  return path === undefined ? undefined : readSecretFile(path, flag)
}

function fromEnvironment(environment: Environment, name: string): string | undefined {
  return environment[name] || fromFile(environment[`${name}_FILE`] || undefined, `${name}_FILE`)
}

function readStandardInput(): string {
  return readSmallFile('-').replace(/\r?\n$/, '')
}

async function askOrFail(
  ask: boolean,
  what: string,
  sources: string,
  question: (message: string) => Promise<string>,
): Promise<string> {
  const answer = ask ? await question(what) : ''
  if (answer) return answer
  throw new CliFailure(`${what} is missing.`, {
    code: 'LOGIN_INPUT',
    exit: 'denied',
    hints: [`Give it with ${sources}${ask ? '' : ', or run this on a terminal'}.`],
  })
}
