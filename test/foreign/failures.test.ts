import {gzipSync} from 'node:zlib'
import {describe, expect} from 'vitest'
import {accounts, idsOf, test} from '../support/foreign.js'
import {type Asked, type Reply, refusal, startForeign} from '../support/foreign-server.js'

const html = '<html>\u001b[31m502 Bad Gateway</html>'
const page = `[${accounts(3).join(',')}]`
const paging = {page: '1', size: '3', 'total-pages': '1'}
const raw = (headers: string, body: string): Reply => ({raw: `HTTP/1.1 200 OK\r\n${headers}\r\n\r\n${body}`})

/** Answers of GET /accounts, with exit code and number of these requests. */
const refusedReads: [string, (asked: Asked) => Reply, number, number][] = [
  ['401 for ever', () => refusal(401, 'API_TOKEN'), 4, 2],
  ['403 DATA_ACCESS', () => refusal(403, 'DATA_ACCESS', {pointers: [5, '9007199254740993']}), 4, 1],
  ['403 of a gateway', () => ({status: 403, body: '{"message":"Forbidden"}'}), 4, 1],
  ['429 for a day', () => ({status: 429, headers: {'retry-after': '86400'}, body: '{}'}), 8, 1],
  ['429 of the quota', () => ({status: 429, body: '{"message":"Limit Exceeded"}'}), 8, 1],
  ['an unknown code with an escape', () => refusal(418, 'NEW\u001b[31m'), 5, 1],
  ['an error list at 200', () => refusal(200, 'UNKNOWN_ERROR'), 75, 1],
  ['a list of texts', () => ({headers: paging, body: '["a"]'}), 75, 1],
  ['10,000 levels', () => ({headers: paging, body: `[{"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}]`}), 75, 1],
  ['bytes that are no UTF-8', () => ({headers: paging, body: Buffer.from('[{"name":"\xe9"}]', 'latin1')}), 75, 1],
  ['two documents', () => ({headers: paging, body: page + page}), 75, 1],
  ['0 pages with records', () => ({headers: {...paging, 'total-pages': '0'}, body: page}), 75, 1],
  ['two totals', () => raw('total-pages: 1\r\ntotal-pages: 3\r\nconnection: close', page), 75, 1],
]

describe.concurrent('a read ends on', () => {
  test.for(refusedReads)('%s', async ([, answer, exitCode, requests], {visit}) => {
    const service = await visit({answer: (asked) => (asked.path === '/accounts' ? answer(asked) : undefined)})

    const ran = await service.run(['accounts', 'list', '-o', 'csv'])

    expect(ran).toMatchObject({exitCode, stdout: ''})
    expect(ran.stderr).toMatch(/^error: .+\n(→ .+\n)+$/)
    expect(service.calls().filter((call) => call === 'GET /accounts')).toHaveLength(requests)
  })
})

const curedReads: [string, (asked: Asked) => Reply][] = [
  ['a token that expired', () => refusal(401, 'API_TOKEN')],
  ['a code in other case, in no list', () => ({status: 401, body: '{"Code":"API_TOKEN","Message":"x"}'})],
  ['421 of a gateway', () => ({status: 421, body: html})],
  ['a body cut by its length', () => raw(`content-length: ${page.length}`, page.slice(0, -9))],
  ['a body cut by the end', () => raw('connection: close', page.slice(0, -9))],
  ['a connection reset', () => ({raw: '', after: 'reset'})],
  [
    'gzip that is cut',
    () => ({headers: {...paging, 'content-encoding': 'gzip'}, body: gzipSync(page).subarray(0, -12)}),
  ],
]

describe.concurrent('a read goes on after, in mid run,', () => {
  test.for(curedReads)('%s', async ([, answer], {visit}) => {
    const service = await visit({
      rows: {'/accounts': accounts(9)},
      largestPage: 3,
      answer: (asked) => (asked.path === '/accounts' && asked.before === 1 ? answer(asked) : undefined),
    })

    const ran = await service.run(['accounts', 'list', '-o', 'ndjson'])

    expect(ran.exitCode).toBe(0)
    expect(idsOf(ran)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    const reads = service.asked.filter(({path}) => path === '/accounts')
    expect(reads.map(({headers}) => headers['page']).sort()).toEqual(['1', '2', '2', '3'])
    expect(new Set(reads.map(({body}) => body)).size).toBe(1)
    expect(ran.stderr).toMatch(/^$|^GET \/accounts.+\. Trying again (?:in \d+\.\d s|now)\.\n$/)
  })
})

test.for([301, 302, 303, 307, 308])('a redirect %i takes the key nowhere', async (status, {visit, onTestFinished}) => {
  const elsewhere = await startForeign({answer: () => ({body: '[]'})})
  onTestFinished(elsewhere.close)
  const redirect = {status, headers: {location: `${elsewhere.url}/v2.1/accounts`}}
  const service = await visit({answer: ({path}) => (path === '/accounts' ? redirect : undefined)})

  const ran = await service.run(['accounts', 'list'])

  expect(ran).toMatchObject({exitCode: 14, stdout: ''})
  expect(service.calls()).toEqual(['POST /authenticate', 'GET /accounts'])
  expect(elsewhere.asked).toEqual([])
})

test('a message that a slow reader takes in parts arrives whole', async ({visit}) => {
  const service = await visit()
  const slowReader: [string, ...string[]] = ['sh', '-c', '"$@" 2>&1 >/dev/null | (sleep 0.3; cat)', 'sh']

  const {stdout} = await service.run(['profiles', 'use', 'z'.repeat(100_000)], {through: slowReader})

  expect(stdout.length).toBeGreaterThan(200_000)
  expect(stdout).toMatch(/z baseUrl=URL\n$/)
  expect(service.calls()).toEqual([])
})
