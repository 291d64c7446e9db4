import {test as base} from 'vitest'
import {type Client, type ClientOptions, createClient} from '../../src/index.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'

type Fixtures = {sandbox: Sandbox; open: (options?: Partial<ClientOptions>) => Client}

/** Tests of the client as other programs import it, over a service of their own. */
export const test = base.extend<Fixtures>({
  sandbox: async ({onTestFinished}, use) => {
    const sandbox = await startSandbox({batches: 400, machines: 20})
    onTestFinished(() => sandbox.close())
    await use(sandbox)
  },
  open: async ({sandbox, onTestFinished}, use) => {
    await use((options) => {
      const {url: baseUrl, apiKey, username, password} = sandbox
      const client = createClient({baseUrl, credentials: {apiKey, username, password}, environment: {}, ...options})
      onTestFinished(() => client.close())
      return client
    })
  },
})

/** All records of a read. */
export async function gather<Value>(pages: AsyncIterable<{records: Value[]}>): Promise<Value[]> {
  const all: Value[] = []
  for await (const {records} of pages) all.push(...records)
  return all
}
