import {describe, expect} from 'vitest'
import {test} from '../support/foreign.js'
import {type Asked, type Reply, refusal} from '../support/foreign-server.js'

const fields = {accountId: 1, orgId: 1, isActive: true, maxChargePrice: 500, maximumMeterSalesJumpAllowed: 10}
const site = (name: string) => JSON.stringify({...fields, name, commissionTerms: 'Net30'})
const input = ['one', 'two', 'three'].map(site).join('\n')
/** No site is there before. */
const rows = {'/sites': []}
const create = ['sites', 'create', '-f', '-', '--input-format', 'ndjson', '--yes']
const list = (status: number, errors: unknown): Reply => ({status, body: JSON.stringify(errors)})
const named = (pointers: unknown, pointerName?: string) =>
  list(400, [{code: 'NAME_UNIQUENESS', message: 'not unique', pointers, pointerName}])

const fate = (applied: number, refused: number, rolledBack: number, inDoubt: number, unsent: number) =>
  `stdin: applied ${applied} · refused ${refused} · rolledBack ${rolledBack} · inDoubt ${inDoubt} · unsent ${unsent}\n`
const allApplied = fate(3, 0, 0, 0, 0)
const allRefused = fate(0, 3, 0, 0, 0)
const oneRefused = fate(0, 1, 2, 0, 0)
const allInDoubt = fate(0, 0, 0, 3, 0)
const allUnsent = fate(0, 0, 0, 0, 3)

/** Answers of PUT /sites, with exit code, what is said of three rows, and number of these requests. */
const writes: [string, (asked: Asked) => Reply, number, string, number][] = [
  ['three ids', () => ({body: '[9007199254740993,"12",3]'}), 0, allApplied, 1],
  ['four ids', () => ({body: '[1,2,3,4]'}), 7, allInDoubt, 1],
  ['one id three times', () => ({body: '[1,1,1]'}), 7, allInDoubt, 1],
  ['204', () => ({status: 204}), 7, allInDoubt, 1],
  ['an error list at 200', () => refusal(200, 'NAME_UNIQUENESS'), 7, allInDoubt, 1],
  ['an index as text', () => named(['1'], 'INDEX'), 5, oneRefused, 1],
  ['an index without a name', () => named([1]), 5, oneRefused, 1],
  ['a natural key in other case', () => named(['TWO'], 'Name'), 5, oneRefused, 1],
  ['an index out of range', () => named([99, -1], 'index'), 5, allRefused, 1],
  ['an error in no list', () => list(400, {code: 'WOMBAT', message: 'm', pointers: [2]}), 5, oneRefused, 1],
  ['rows changed elsewhere', () => refusal(400, 'UNEXPECTED_RESULT_COUNT'), 7, allInDoubt, 1],
  ['403 DATA_ACCESS', () => refusal(403, 'DATA_ACCESS', {pointers: [0], pointerName: 'index'}), 4, oneRefused, 1],
  ['421 of the service', () => refusal(421, 'MISSING_REQUIRED_DATA', {pointers: [0]}), 5, oneRefused, 1],
  ['421 of a gateway', () => ({status: 421, body: '<html>'}), 7, allInDoubt, 1],
  ['401 for ever', () => refusal(401, 'API_TOKEN'), 4, allRefused, 2],
  ['the quota', () => list(429, {message: 'Limit Exceeded'}), 8, allUnsent, 1],
  ['500', () => refusal(500, 'UNKNOWN_ERROR'), 7, allInDoubt, 1],
  ['a reset', () => ({raw: '', after: 'reset'}), 7, allInDoubt, 1],
  ['a cut body', () => ({raw: 'HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n[1,2'}), 7, allInDoubt, 1],
]

test('a refusal of a million letters and a thousand pointers is cut', async ({visit}) => {
  const message = 'm'.repeat(1_000_000)
  const answer = list(400, [{code: 'GENERIC_ERROR', message, pointers: [...Array(1_000).keys()]}])
  const service = await visit({rows, answer: ({method}) => (method === 'PUT' ? answer : undefined)})

  const words = await service.run(create, {input})
  const envelope = await service.run([...create, '--json'], {input})

  expect(words.stderr.length).toBeLessThan(50_000)
  expect(words.stderr).toContain(allRefused)
  expect(envelope.stdout.length).toBeLessThan(10_000_000)
  expect(JSON.parse(envelope.stdout)).toMatchObject({ok: false, meta: {rows: {refused: 3}}})
})

describe.concurrent('a set of three rows answered with', () => {
  test.for(writes)('%s', async ([, answer, exitCode, fates, requests], {visit}) => {
    const service = await visit({rows, answer: (asked) => (asked.method === 'PUT' ? answer(asked) : undefined)})

    const ran = await service.run(create, {input})

    expect(ran).toMatchObject({exitCode, stdout: ''})
    expect(ran.stderr).toContain(fates)
    const sets = service.asked.filter(({method}) => method === 'PUT')
    expect(sets).toHaveLength(requests)
    const body = `{"requestFilter":{},"routeFilter":{},"body":[${input.replaceAll('\n', ',')}]}`
    expect(sets.map((set) => set.body)).toEqual(sets.map(() => body))
  })
})
