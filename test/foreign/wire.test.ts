import {expect} from 'vitest'
import {accounts, controlsOf, test} from '../support/foreign.js'
import {secrets} from '../support/foreign-server.js'

const credentials = {username: secrets.username, password: secrets.password}

test('sends a login and a read, and of both no more than that', async ({visit}) => {
  const service = await visit({rows: {'/accounts': accounts(5)}})

  const ran = await service.run(['accounts', 'list', '--org', '2,3', '--account', '9007199254740993', '-o', 'csv'])

  expect(ran).toMatchObject({
    exitCode: 0,
    stdout: 'id,organizationId,name,externalId,isEnabled\n',
    stderr: `Nothing was found. Add --fail-on-missing to check that all ids of --organization exist.
warning: --account: 1 account not found with the other filters: 9007199254740993
`,
  })
  const [login, read, ...more] = service.asked
  expect(more).toEqual([])
  expect(login).toMatchObject({method: 'POST', stage: 'v2.1', body: JSON.stringify(credentials)})
  expect(login?.headers).not.toHaveProperty('access-token')
  expect(read?.body).toBe(
    '{"requestFilter":{"organizationIds":[2,3],"accountIds":[9007199254740993]},"routeFilter":{},"body":[]}',
  )
  expect(namesOf(login?.rawHeaders)).toEqual(names.filter((name) => !['access-token', 'page', 'size'].includes(name)))
  expect(namesOf(read?.rawHeaders)).toEqual(names)
})

test('reads by POST where the profile says so, and keeps its token for the next run', async ({visit}) => {
  const service = await visit({rows: {'/accounts': accounts(5)}})
  const environment = {VENDORCTL_READ_METHOD: 'POST', VENDORCTL_STAGE: 'rc'}

  for (const _run of [1, 2]) {
    expect(await service.run(['accounts', 'list'], {environment})).toMatchObject({exitCode: 0})
  }

  expect(service.calls()).toEqual(['POST /authenticate', 'POST /accounts', 'POST /accounts'])
  expect(service.asked.map(({stage}) => stage)).toEqual(['rc', 'rc', 'rc'])
})

test('stops before a row is shown when the filter is lost, in whatever case names are spelled', async ({visit}) => {
  const rows = {'/accounts': ['{"Id":1,"ORGANIZATIONID":2,"Name":"n"}']}
  const service = await visit({rows, stripsFilters: true})

  const ran = await service.run(['accounts', 'list', '--org', '3', '-o', 'csv'])

  expect(ran).toMatchObject({exitCode: 10, stdout: ''})
  expect(ran.stderr).toContain('the filter organizationIds was not honoured')
  expect(service.calls()).toHaveLength(2)
})

test('a page that repeats what the page before held shows that records moved', async ({visit}) => {
  const rows = accounts(14)
  const second = {headers: {page: '2', size: '7', 'total-pages': '2'}, body: `[${rows.slice(6, 13).join(',')}]`}
  const service = await visit({
    ...{rows: {'/accounts': rows}, largestPage: 7},
    answer: ({headers}) => (headers['page'] === '2' ? second : undefined),
  })

  const ran = await service.run(['accounts', 'list', '-o', 'csv', '--columns', 'id'])

  expect(ran).toMatchObject({exitCode: 10, stderr: expect.stringContaining('incomplete: 1 record came twice')})
  expect(ran.stdout).toBe(['id', ...Array.from({length: 13}, (_, place) => place + 1), ''].join('\n'))
})

test('keeps every digit and every sign, and gives columns to fields nobody announced', async ({visit}) => {
  const rows = [
    '{"id":9007199254740993,"organizationId":1,"name":"a,b\\"c\\nd\\re\\tf","externalId":"007","isEnabled":true}',
    '{"Id":2,"name":"=1+1","externalId":"","more":10.10,"deep":{"er":1e400,"list":[1.0,-0]}}',
    '{"id":3,"name":"\\u001b]52;c;aGk=\\u0007😀\\u202e","__proto__":{"x":1},"more":null}',
  ]
  const service = await visit({rows: {'/accounts': rows}, largestPage: 1})

  const ndjson = await service.run(['accounts', 'list', '-o', 'ndjson'])
  const csv = await service.run(['accounts', 'list', '-o', 'csv'])
  const table = await service.run(['accounts', 'list', '-o', 'table'])

  expect(ndjson.stdout).toBe(`${rows.join('\n').replace('\\u202e', '\u202e')}\n`)
  expect(csv.stdout).toBe(
    [
      'id,organizationId,name,externalId,isEnabled,__proto__.x,deep.er,deep.list,more',
      '9007199254740993,1,"a,b""c\nd\re\tf",007,true,,,,',
      '2,,=1+1,"",,,1e400,"[1.0,-0]",10.10',
      '3,,\u001b]52;c;aGk=\u0007😀\u202e,,,1,,,',
      '',
    ].join('\n'),
  )
  expect(controlsOf(table.stdout)).toEqual([])
  expect(table.stdout).not.toContain('\u202e')
  for (const ran of [ndjson, csv, table]) expect(ran).toMatchObject({exitCode: 0, stderr: ''})
})

const names = [
  'accept',
  'accept-encoding',
  'access-token',
  'connection',
  'content-length',
  'content-type',
  'host',
  'page',
  'size',
  'user-agent',
  'x-api-key',
]

function namesOf(rawHeaders: string[] = []): string[] {
  return rawHeaders
    .filter((_text, index) => index % 2 === 0)
    .map((name) => name.toLowerCase())
    .sort()
}
