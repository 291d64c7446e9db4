import {afterEach, beforeEach, expect, test} from 'vitest'
import type {RunReport} from '../../src/runs/report/report.js'
import {globalChargeKey} from '../../src/sandbox/seed/world.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {printJson} from '../../src/values/json.js'
import {createTestClient, readAll} from '../support/client.js'
import {useInputFiles} from '../support/input-files.js'
import {bulkFromFile} from './flow.js'

const files = useInputFiles()
const header =
  'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms,chargeKeyId,contact.firstName'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await startSandbox({batches: 0, machines: 5})
})

afterEach(() => sandbox.close())

async function send(lines: (parent: string) => string[], options = {}): Promise<RunReport> {
  const {client} = openClient()
  const [account] = await readAll(client, 'accounts.list')
  const parent = `${printJson(account?.['id'] ?? 0)},${printJson(account?.['organizationId'] ?? 0)}`
  const file = await files.write('sites.csv', `${[header, ...lines(parent)].join('\n')}\n`)
  return bulkFromFile('sites.create', {client, file, ...options})
}

function openClient() {
  const {apiKey, username, password, url} = sandbox
  return createTestClient(url, {token: null, credentials: async () => ({apiKey, username, password})})
}

test('a file becomes sites, letter by letter', async () => {
  const before = sandbox.store.count('site')

  const report = await send((parent) => [
    `${parent},"Ferry ""Quay"", 5\nLower \u202e deck 😀",yes,0,1000,Net10,,"=HYPERLINK(""x"")"`,
    `${parent},Old Yard,false,0500,0,PrePaid,,`,
  ])

  const sites = sandbox.store.read('site').slice(before)
  expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}, sets: {planned: 1, sent: 1, applied: 1}})
  expect(report.outcomes).toEqual(sites.map(({id}, index) => ({line: [2, 4][index], fate: 'applied', id})))
  expect(sites).toMatchObject([
    {name: 'Ferry "Quay", 5\nLower \u202e deck 😀', isActive: true, contact: {firstName: '=HYPERLINK("x")'}},
    {name: 'Old Yard', isActive: false, maxChargePrice: 500, contact: null},
  ])
})

test('a refused set leaves nothing behind, and every guilty row is named', async () => {
  const before = sandbox.store.count('site')

  const report = await send(
    (parent) => [
      `${parent},First,true,0,0,Net10,,`,
      `${parent},Second,true,0,0,Net10,,`,
      `${parent},Third,true,0,0,Net10,${globalChargeKey},`,
      `${parent},Fourth,true,0,0,Net10,,`,
      `${parent},Fifth,true,0,0,Net10,,`,
    ],
    {setSize: 2},
  )

  expect(report.outcomes.map(({line, fate}) => `${line} ${fate}`)).toEqual([
    '2 applied',
    '3 applied',
    '4 refused',
    '5 rolledBack',
    '6 unsent',
  ])
  expect(report).toMatchObject({exit: 'partial', refusals: [{line: 4, code: 'GLOBAL_CHARGE_KEY'}]})
  expect(sandbox.store.count('site')).toBe(before + 2)
})

test('an answer that is lost leaves its set in doubt; it is sent once', async () => {
  const before = sandbox.store.count('site')
  sandbox.faults.add('reset-after-commit@sites.create')

  const report = await send((parent) => [`${parent},First,true,0,0,Net10,,`])

  expect(report).toMatchObject({exit: 'inDoubt', rows: {inDoubt: 1}})
  expect(sandbox.store.count('site')).toBe(before + 1)
})

test('a wrong password sends nothing', async () => {
  const {apiKey, username, url} = sandbox
  const file = await files.write('one.csv', `${header}\n1,1,First,true,0,0,Net10,,\n`)
  const {client} = createTestClient(url, {
    token: null,
    credentials: async () => ({apiKey, username, password: 'wrong'}),
  })

  const report = await bulkFromFile('sites.create', {client, file})

  expect(report).toMatchObject({exit: 'denied', rows: {unsent: 1}, entries: [{code: 'INVALID_LOGIN'}]})
})
