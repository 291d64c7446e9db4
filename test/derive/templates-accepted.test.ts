import {Readable} from 'node:stream'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {headers, operations, type WriteId, writeIds, writeOperation} from '../../src/contract/index.js'
import {toCsvTemplate, toJsonTemplate} from '../../src/derive/file-templates.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {type JsonRecord, printJson} from '../../src/values/json.js'
import {planFile} from '../runs/flow.js'

type Headers = Record<string, string>

const toTemplates = (ids: readonly WriteId[]) =>
  ids.flatMap((id) => [
    {id, format: 'csv', text: toCsvTemplate(id)},
    {id, format: 'json', text: toJsonTemplate(id)},
  ])

/** What flags give in place of the file. */
const given: Partial<Record<WriteId, string[]>> = {
  'templates.apply': ['templateId=412'],
  'machines.provision': ['organizationId=101'],
}

const plan = (id: WriteId, text: string) =>
  planFile(id, {file: '-', stdin: Readable.from([Buffer.from(text)]), setSize: 500, set: given[id] ?? []})

test.each(toTemplates(writeIds))('the importer takes the $format template of $id as it is', async ({id, text}) => {
  const {rows, warnings} = await plan(id, text)

  expect(rows).toHaveLength(1)
  expect(warnings).toEqual([])
})

describe('over HTTP', () => {
  const creates = writeIds.filter((id) => writeOperation(id).body === 'create')
  let sandbox: Sandbox

  beforeEach(async () => {
    sandbox = await startSandbox({batches: 0, machines: 5})
  })

  afterEach(() => sandbox.close())

  test.each(toTemplates(creates))(
    'the service takes the $format template of $id once its ids exist',
    async ({id, text}) => {
      const known = await login()
      const {rows} = await plan(id, text)
      const ids = await findIds(known)
      const body = rows.map(({record}) => ({...record, ...pick(ids, Object.keys(record))}))

      const {status, answer} = await send(
        known,
        operations[id].verb,
        operations[id].path,
        `{"body":${printJson(body)}}`,
      )

      expect({status, answer}).toEqual({status: 200, answer: [expect.any(Number)]})
    },
  )

  async function login(): Promise<Headers> {
    const {apiKey, username, password} = sandbox
    const named = {'content-type': 'application/json', [headers.apiKey.name]: apiKey}
    const {answer} = await send(named, 'POST', '/authenticate', JSON.stringify({username, password}))
    return {...named, [headers.token.name]: (answer as {accessToken: string}).accessToken}
  }

  async function findIds(known: Headers): Promise<JsonRecord> {
    const [account] = (await send(known, 'POST', '/accounts', '{}')).answer as JsonRecord[]
    const [machine] = (await send(known, 'POST', '/machines', '{}')).answer as JsonRecord[]
    const {id: accountId = null, organizationId: orgId = null} = account ?? {}
    const {id: machineId = null} = machine ?? {}
    const [role] = (await send(known, 'POST', '/roles', '{}')).answer as JsonRecord[]
    const {id: roleId = null} = role ?? {}
    return {accountId, orgId, machineId, roleId, rightId: 9_999}
  }

  async function send(known: Headers, method: string, path: string, body: string) {
    const response = await fetch(`${sandbox.url}/v2.1${path}`, {method, headers: known, body})
    return {status: response.status, answer: (await response.json()) as unknown}
  }
})

function pick(record: JsonRecord, names: string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))
}
