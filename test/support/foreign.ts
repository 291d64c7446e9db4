import {join} from 'node:path'
import {test as base, expect} from 'vitest'
import {makeFolder} from './folder.js'
import {type Foreign, type ForeignOptions, secrets, startForeign} from './foreign-server.js'
import {type Ran, type RunOptions, runProgram} from './run-binary.js'

export type Visit = Foreign & {
  /** A folder of this user; gone after the test. */
  home: string
  /** Runs the built program against the server, with credentials from the environment. */
  run: (words: readonly string[], options?: RunOptions) => Promise<Ran>
}

/** Tests that drive the built program against a server that shares no line with it. */
export const test = base.extend<{visit: (options?: ForeignOptions) => Promise<Visit>}>({
  visit: async ({onTestFinished}, use) => {
    await use(async (options) => {
      const foreign = await startForeign(options)
      const home = makeFolder(onTestFinished)
      onTestFinished(() => foreign.close())
      const known = {
        HOME: home,
        XDG_CONFIG_HOME: join(home, 'config'),
        XDG_STATE_HOME: join(home, 'state'),
        VENDORCTL_BASE_URL: foreign.url,
        VENDORCTL_API_KEY: secrets.apiKey,
        VENDORCTL_USERNAME: secrets.username,
        VENDORCTL_PASSWORD: secrets.password,
      }

      return {
        ...foreign,
        home,
        run: async (words, more) => {
          const ran = await runProgram(words, {cwd: home, ...more, environment: {...known, ...more?.environment}})
          expectClean(ran)
          return ran
        },
      }
    })
  },
})

/** No run may show a secret in any quoting, a stack, or a control character that the service sent. */
function expectClean({stdout, stderr}: Ran): void {
  const quoted = JSON.stringify(secrets.password).slice(1, -1)
  for (const secret of [secrets.apiKey, secrets.password, quoted, 'token-1']) {
    expect(stdout + stderr).not.toContain(secret)
  }

  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m)
  expect(controlsOf(stderr)).toEqual([])
}

/** The control characters of a text, line ends aside. */
export function controlsOf(text: string): string[] {
  return [...text].filter((sign) => (sign < ' ' && sign !== '\n') || sign === '\u007f')
}

/** Accounts 1 to `count` of organizations 1 to 3, as JSON text. */
export function accounts(count: number): string[] {
  return Array.from({length: count}, (_, index) => account(index + 1))
}

function account(id: number | string, name = `account ${id}`): string {
  const organizationId = (Number(id) % 3) + 1
  return `{"id":${id},"organizationId":${organizationId},"name":${JSON.stringify(name)},"externalId":null,"isEnabled":true}`
}

/** The ids of NDJSON lines, as their text. */
export function idsOf({stdout}: Ran): string[] {
  return [...stdout.matchAll(/^\{"id":"?(\w+)/gm)].map(([, id]) => id ?? '')
}
