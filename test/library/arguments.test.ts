import {expect} from 'vitest'
import {type Client, CliFailure, createClient} from '../../src/index.js'
import {failureOf} from '../support/client.js'
import {gather, test} from './fixture.js'

test.for<[string, (client: Client) => Promise<unknown>]>([
  ['an unknown read', (client) => gather(client.readPages('machine.list' as 'machines.list'))],
  ['a write as a read', (client) => gather(client.readPages('sites.create' as 'sites.list'))],
  [
    'a filter that the operation ignores',
    (client) => gather(client.readPages('sites.list', {filters: {machineIdentifiers: ['1']} as object})),
  ],
  ['an empty filter', (client) => gather(client.readPages('sites.list', {filters: {siteIds: []}}))],
  ['a filter that is no list', (client) => gather(client.readPages('sites.list', {filters: {siteIds: 1} as object}))],
  ['a date that does not exist', (client) => gather(client.readReport({start: '2024-02-30'}))],
  ['no records', (client) => client.write('sites.create', {records: []})],
  ['a clear of everything', (client) => client.write('alerts.clear', {filters: {}} as never)],
  ['an unclear template', (client) => client.write('templates.apply', {filters: {machineIdentifiers: ['1']}} as never)],
  [
    'two templates',
    (client) => client.write('templates.apply', {filters: {machineIdentifiers: ['1'], templateIds: [412, 413]}}),
  ],
  [
    'two machines to provision',
    (client) =>
      client.write('machines.provision', {filters: {organizationIds: [101], machineIdentifiers: ['A1', 'A2']}}),
  ],
  ['a clear by an empty list', (client) => client.write('alerts.clear', {filters: {alertIds: []}})],
])('refuses %s before anything is sent', async ([, act], {open}) => {
  const client = open()

  const failure = await failureOf(act(client))

  expect(failure).toMatchObject({code: 'ARGUMENT', exit: 'usage'})
  expect(client.requestsUsed).toBe(0)
})

test('refuses a base URL or a stage that cannot be used', () => {
  const credentials = {apiKey: 'key'}

  expect(() => createClient({baseUrl: 'http://api.example.com', credentials})).toThrow(CliFailure)
  expect(() => createClient({baseUrl: 'https://api.example.com', credentials, stage: 'v3' as 'v2'})).toThrow(
    'There is no stage "v3"; there are rc, v1, v2, v2.1.',
  )
})
