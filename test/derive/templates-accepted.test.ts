import {Readable} from 'node:stream'
import {describe, expect, test} from 'vitest'
import {operations, type WriteId, writeIds, writeOperation} from '../../src/contract/index.js'
import {toCsvTemplate, toJsonTemplate} from '../../src/derive/file-templates.js'
import {type JsonRecord, printJson} from '../../src/values/json.js'
import {planFile} from '../runs/flow.js'
import {type Caller, openSandbox} from '../sandbox/ask.js'

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

const {caller} = await openSandbox({batches: 0, machines: 5})

describe('over HTTP', () => {
  const creates = writeIds.filter((id) => writeOperation(id).body === 'create')
  test.each(toTemplates(creates))('the service takes the $format template of $id with its ids', async ({id, text}) => {
    const {rows} = await plan(id, text)
    const ids = await findIds(caller)
    const body = rows.map(({record}) => ({...record, ...pick(ids, Object.keys(record))}))

    const reply = await caller.ask(operations[id].verb, operations[id].path, `{"body":${printJson(body)}}`)

    expect(reply).toMatchObject({status: 200, json: [expect.any(Number)]})
  })

  async function findIds({ask}: Caller): Promise<JsonRecord> {
    const first = async (path: string) => ((await ask('POST', path, '{}')).json as JsonRecord[])[0] ?? {}
    const {id: accountId = null, organizationId: orgId = null} = await first('/accounts')
    const {id: machineId = null} = await first('/machines')
    const {id: roleId = null} = await first('/roles')
    return {accountId, orgId, machineId, roleId, rightId: 9_999}
  }
})

function pick(record: JsonRecord, names: string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))
}
