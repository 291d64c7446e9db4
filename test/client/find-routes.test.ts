import {expect, test} from 'vitest'
import {findMissingRoutes, uncertainReads} from '../../src/client/find-routes.js'
import {readOperation} from '../../src/contract/index.js'
import {createTestClient, failureOf} from '../support/client.js'
import {errorList, paged, reply, startVendor} from '../support/vendor.js'

const {path, alsoAt = []} = readOperation('reports.transactions')
const other = alsoAt[0] ?? ''

/** What is missing of a service that answers so at one path, and with one empty page at every other. */
async function find(answers: Record<string, Buffer>, routes = {}) {
  await using vendor = await startVendor((socket, seen) => {
    const answer = Object.entries(answers).find(([end]) => seen.path === `/v2.1${end}`)?.[1]
    socket.write(answer ?? reply(200, '[]', paged(1, 1, 0)))
  })
  const open = (settings: object) => createTestClient(vendor.url, {settings}).client
  const missing = await findMissingRoutes(open({routes}), {routes}, async (id, at) => open({routes: {[id]: at}}))
  return {missing, asked: vendor.seen.filter((seen) => seen.path.endsWith('transactions')).map((seen) => seen.path)}
}

const nowhere = reply(404, errorList('MISSING_RECORD'))

test('a read that the service has at another path is found there', async () => {
  expect(await find({[path]: nowhere})).toEqual({
    missing: [{id: 'reports.transactions', path, found: other}],
    asked: [`/v2.1${path}`, `/v2.1${other}`],
  })
  expect(await find({[other]: nowhere}, {'reports.transactions': other})).toMatchObject({
    missing: [{path: other, found: path}],
  })
  expect((await find({[path]: nowhere, [other]: nowhere})).missing).toMatchObject([{path, found: undefined}])
})

test('a refusal comes from a route that is there, and an outage says nothing', async () => {
  expect((await find({})).missing).toEqual([])
  expect((await find({[path]: reply(403, errorList('DATA_ACCESS'))})).missing).toEqual([])
  expect((await find({[path]: reply(400, errorList('DATE_PARSING'))})).missing).toEqual([])
  expect(await failureOf(find({[path]: reply(200, '<html>')}))).toMatchObject({exit: 'unavailable'})
  expect(uncertainReads).toContain('reports.transactions')
})
