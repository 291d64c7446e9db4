import {afterAll, beforeAll, beforeEach} from 'vitest'
import type {Client} from '../../src/client/types.js'
import type {WriteId} from '../../src/contract/index.js'
import type {RunReport} from '../../src/runs/report/report.js'
import type {Messages} from '../../src/runs/rows/phases.js'
import {type Sandbox, type SandboxOptions, startSandbox} from '../../src/sandbox/server.js'
import {type JsonValue, printJson} from '../../src/values/json.js'
import {createSandboxClient} from '../support/client.js'
import {requestsOf} from '../support/requests.js'
import {type BulkOptions, bulkFromFile} from './flow.js'
import {asStdin} from './sites.js'

export type SandboxRun = {
  sandbox(): Sandbox
  client(): Pick<Client, 'write' | 'readPages'>
  /** What each set carried, as JSON text. */
  sent: string[]
  /** What a person was told of the rows, other than warnings. */
  remarks: string[]
  /** Runs a write with these lines as its file. */
  run(operation: WriteId, lines: readonly string[], options?: Partial<BulkOptions>): Promise<RunReport>
  /** Requests that the sandbox answered, by operation. */
  requests(): Record<string, number>
}

/** A sandbox of a few machines, as it was seeded for each test, and a client that has not logged in yet. */
export function useSandboxRun(options: SandboxOptions = {}): SandboxRun {
  const sent: string[] = []
  const remarks: string[] = []
  let sandbox: Sandbox | undefined
  let client: Client | undefined

  beforeAll(async () => {
    sandbox = await startSandbox({batches: 0, machines: 40, ...options})
  })
  beforeEach(() => {
    use(sandbox).reset()
    client = createSandboxClient(use(sandbox)).client
    sent.length = 0
    remarks.length = 0
  })
  afterAll(() => sandbox?.close())

  const use = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new TypeError('no test is running')
    return value
  }
  const watched = (): Pick<Client, 'write' | 'readPages'> => ({
    readPages: (id, request) => use(client).readPages(id, request),
    write: (id, one) => {
      sent.push(printJson(one as JsonValue))
      return use(client).write(id, one)
    },
  })

  const inform = ({remarks: told}: Messages) => void remarks.push(...told)
  return {
    sandbox: () => use(sandbox),
    client: watched,
    sent,
    remarks,
    run: (operation, lines, options = {}) =>
      bulkFromFile(operation, {client: watched(), inform, ...asStdin(lines), ...options}),
    requests: () => requestsOf(use(sandbox)),
  }
}
