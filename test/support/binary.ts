import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {test as base, expect} from 'vitest'
import {type Sandbox, type SandboxOptions, startSandbox} from '../../src/sandbox/server.js'
import {makeFolder} from './folder.js'
import {namedExits} from './named-exits.js'
import {type Ran, type Running, type RunOptions, runProgram, startBinary} from './run-binary.js'

export {requestsOf} from './requests.js'

export type Run = (words: readonly string[], options?: RunOptions) => Promise<Ran>

/** The folders of one user of the program; gone after the test. */
export type Home = {
  path: string
  config: string
  state: string
  /** What leads the program to these folders. */
  environment: Record<string, string>
}

export type Service = {
  sandbox: Sandbox
  home: Home
  /** What leads the program to this sandbox. */
  environment: Record<string, string>
  /** Runs the program against it, with credentials from the environment. */
  run: Run
  begin: (words: readonly string[], options?: RunOptions) => Running
}

type Fixtures = {
  home: Home
  /** Runs the program with no service set up. */
  alone: Run
  /** Starts a service of this test; small unless asked otherwise. */
  start: (options?: SandboxOptions) => Promise<Service>
  /** The one of a test that asks for nothing else; what it has stands beside it by name. */
  service: Service
} & Omit<Service, 'home'>

/** How long a test waits for a run to get somewhere. */
export const patience = {timeout: 120_000, interval: 10}

/** Tests that see the program as a shell does. No run may show a secret or a stack, or end as its help does not say. */
export const test = base.extend<Fixtures>({
  home: async ({onTestFinished}, use) => {
    const path = makeFolder(onTestFinished)
    const [config, state] = [join(path, 'config'), join(path, 'state')]
    const environment = {
      HOME: path,
      XDG_CONFIG_HOME: config,
      XDG_STATE_HOME: state,
      XDG_CACHE_HOME: join(path, 'cache'),
    }
    await use({path, config: join(config, 'vendorctl'), state: join(state, 'vendorctl'), environment})
  },

  alone: async ({home}, use) => {
    await use((words, options) => runClean(words, withEnvironment(home.environment, options), []))
  },

  start: async ({home, onTestFinished}, use) => {
    await use(async (options) => {
      const sandbox = await startSandbox({batches: 0, machines: 20, ...options})
      onTestFinished(() => sandbox.close())
      const environment = {...home.environment, ...environmentOf(sandbox)}
      return {
        sandbox,
        home,
        environment,
        run: (words, more) => runClean(words, withEnvironment(environment, more), secretsOf(sandbox)),
        begin: (words, more) => startBinary(words, withEnvironment(environment, more)),
      }
    })
  },

  service: async ({start}, use) => use(await start()),
  sandbox: async ({service}, use) => use(service.sandbox),
  environment: async ({service}, use) => use(service.environment),
  run: async ({service}, use) => use(service.run),
  begin: async ({service}, use) => use(service.begin),
})

/** The variables that make the program work on environment alone. */
export function environmentOf({url, apiKey, username, password}: Sandbox): Record<string, string> {
  return {
    VENDORCTL_BASE_URL: url,
    VENDORCTL_API_KEY: apiKey,
    VENDORCTL_USERNAME: username,
    VENDORCTL_PASSWORD: password,
  }
}

/** Every command, from the files that are commands. */
export function commandNames(): string[] {
  const folder = fileURLToPath(new URL('../../src/commands', import.meta.url))
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.ts'))
  return files.map((name) => name.replace(/(\/index)?\.ts$/, '').replaceAll('/', ' ')).sort()
}

/** Everything of a sandbox that must never be shown, in every encoding; tokens by what all of them begin with. */
export function secretsOf({apiKey, password}: {apiKey: string; password: string}): string[] {
  const forms = [apiKey, password].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ])
  return [...forms, 'sandbox-token-']
}

function withEnvironment(environment: Record<string, string>, options: RunOptions = {}): RunOptions {
  return {...options, environment: {...environment, ...options.environment}}
}

async function runClean(words: readonly string[], options: RunOptions, secrets: readonly string[]): Promise<Ran> {
  const ran = await runProgram(words, options)
  const text = `${ran.stdout}\n${ran.stderr}`

  for (const secret of secrets) expect(text).not.toContain(secret)
  expect(ran.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m)
  const named = namedExits(words)
  if (named !== undefined && ran.exitCode !== null)
    expect(named, `exit codes in the help of ${words}`).toContain(ran.exitCode)
  return ran
}

/** Writes a file of lines into the folder and returns its path. */
export function writeLines({path}: Pick<Home, 'path'>, name: string, ...lines: string[]): string {
  const file = join(path, name)
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}
