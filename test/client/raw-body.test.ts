import {expect, test} from 'vitest'
import {toRawBody} from '../../src/client/raw-call.js'

test.each([
  ['GET', [], '{"requestFilter":{},"routeFilter":{},"body":[]}'],
  ['GET', ['siteids=12,13'], '{"requestFilter":{"siteIds":[12,13]},"routeFilter":{},"body":[]}'],
  [
    'GET',
    ['alertIds=9007199254740993'],
    '{"requestFilter":{},"routeFilter":{"alertIds":[9007199254740993]},"body":[]}',
  ],
  [
    'GET',
    ['machineIdentifiers=007,PRS1'],
    '{"requestFilter":{"machineIdentifiers":["007","PRS1"]},"routeFilter":{},"body":[]}',
  ],
  ['GET', ['includeDeleted=true'], '{"requestFilter":{"includeDeleted":true},"routeFilter":{},"body":[]}'],
  ['GET', ['StartDate=2024-01-01'], '{"requestFilter":{"StartDate":"2024-01-01"},"routeFilter":{},"body":[]}'],
  ['POST', ['routeFilter.kind=["a"]'], '{"requestFilter":{},"routeFilter":{"kind":["a"]},"body":[]}'],
  [
    'POST',
    ['other=9007199254740993', 'price=10.10', 'none=null'],
    '{"requestFilter":{"other":9007199254740993,"price":10.10,"none":null},"routeFilter":{},"body":[]}',
  ],
  ['POST', ['other=text'], '{"requestFilter":{"other":"text"},"routeFilter":{},"body":[]}'],
])('%s %s', (method, words, body) => {
  expect(toRawBody(words, method)).toBe(body)
})

test('a method that is no read has no body of its own', () => {
  expect(toRawBody([], 'DELETE')).toBeUndefined()
})

test.each(['siteIds', '=1'])('%s is no pair', (word) => {
  expect(() => toRawBody([word], 'GET')).toThrow(expect.objectContaining({exit: 'usage'}))
})
