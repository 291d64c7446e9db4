import {expect, test} from 'vitest'
import {findMissingRoutes} from '../../src/client/find-routes.js'
import {readOperation} from '../../src/contract/index.js'
import {createTestClient, failureOf} from '../support/client.js'
import {errorList, paged, reply, startVendor} from '../support/vendor.js'

const {path, alsoAt: [other = ''] = []} = readOperation('reports.transactions')
const nowhere = reply(404, errorList('MISSING_RECORD'))

/** What is missing of a service that answers so at some paths, and with an empty page at every other. */
async function find(answers: Record<string, Buffer>, routes = {}) {
  await using vendor = await startVendor((socket, seen) =>
    socket.write(answers[seen.path.replace('/v2.1', '')] ?? reply(200, '[]', paged(1, 1, 0))),
  )
  const open = (settings: object) => createTestClient(vendor.url, {settings}).client
  return await findMissingRoutes(open({routes}), {routes}, async (id, at) => open({routes: {[id]: at}}))
}

test('a read that the service has at another path is found there', async () => {
  const missing = {id: 'reports.transactions', path}

  expect(await find({})).toEqual([])
  expect(await find({[path]: nowhere})).toEqual([{...missing, found: other}])
  expect(await find({[path]: nowhere, [other]: nowhere})).toEqual([{...missing, found: undefined}])
  expect(await find({[other]: nowhere}, {[missing.id]: other})).toEqual([{...missing, path: other, found: path}])
})

test('a refusal comes from a route that is there, and an outage says nothing', async () => {
  expect(await find({[path]: reply(403, errorList('DATA_ACCESS'))})).toEqual([])
  expect(await find({[path]: reply(400, errorList('DATE_PARSING'))})).toEqual([])
  expect(await failureOf(find({[path]: reply(200, '<html>')}))).toMatchObject({exit: 'unavailable'})
})
