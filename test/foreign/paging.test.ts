import {describe, expect} from 'vitest'
import {accounts, idsOf, test} from '../support/foreign.js'
import type {ForeignOptions} from '../support/foreign-server.js'

const everyId = (count: number) => Array.from({length: count}, (_, index) => String(index + 1))
const without =
  (...names: string[]) =>
  (name: string) =>
    names.includes(name) ? `x-${name}` : name

describe.concurrent('reads every page of a service that', () => {
  const cases: [string, ForeignOptions, string[]][] = [
    ['serves 7 records a page', {largestPage: 7}, ['1/2000', '2/7', '3/7', '4/7']],
    ['serves 100 records a page', {largestPage: 100}, ['1/2000']],
    ['shouts its headers', {largestPage: 7, spell: (name) => name.toUpperCase()}, ['1/2000', '2/7', '3/7', '4/7']],
    ['does not say the page', {largestPage: 7, spell: without('page')}, ['1/2000', '2/7', '3/7', '4/7']],
    ['does not say the size', {largestPage: 7, spell: without('size')}, ['1/2000', '2/7', '3/7', '4/7']],
    ['does not say the total', {largestPage: 7, spell: without('total-pages')}, ['1/2000', '2/7', '3/7', '4/7']],
    [
      'says nothing and serves less than was asked',
      {largestPage: 7, spell: without('page', 'size', 'total-pages')},
      ['1/2000', '2/7', '3/7', '4/7'],
    ],
    ['says nothing and serves all', {spell: without('page', 'size', 'total-pages')}, ['1/2000', '2/23']],
  ]

  test.for(cases)('%s', async ([, options, pages], {visit}) => {
    const service = await visit({rows: {'/accounts': accounts(23)}, ...options})

    const ran = await service.run(['accounts', 'list', '-o', 'ndjson'])

    expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    expect(idsOf(ran)).toEqual(everyId(23))
    const reads = service.asked.filter(({path}) => path === '/accounts')
    expect(reads.map(({headers}) => `${headers['page']}/${headers['size']}`)).toEqual(pages)
    expect(service.calls()).toHaveLength(pages.length + 1)
  })
})

test('a page that repeats what the page before held shows that records moved', async ({visit}) => {
  const rows = accounts(14)
  const second = {headers: {page: '2', size: '7', 'total-pages': '2'}, body: `[${rows.slice(6, 13).join(',')}]`}
  const service = await visit({
    rows: {'/accounts': rows},
    largestPage: 7,
    answer: ({headers}) => (headers['page'] === '2' ? second : undefined),
  })

  const ran = await service.run(['accounts', 'list', '-o', 'ndjson'])

  expect(ran.exitCode).toBe(10)
  expect(ran.stderr).toContain('incomplete: 1 record came twice')
  expect(idsOf(ran)).toEqual(everyId(13))
})

test.for([0, 1] as const)('an empty list with %i pages is one request and no row', async (pagesWhenEmpty, {visit}) => {
  const service = await visit({rows: {'/accounts': []}, pagesWhenEmpty})

  const ran = await service.run(['accounts', 'list', '-o', 'csv'])

  expect(ran).toMatchObject({exitCode: 0, stdout: 'id,organizationId,name,externalId,isEnabled\n', stderr: ''})
  expect(service.calls()).toEqual(['POST /authenticate', 'GET /accounts'])
})

test('an answer too large for the way is asked for in smaller pages', async ({visit}) => {
  const service = await visit({
    rows: {'/accounts': accounts(600)},
    answer: ({path, headers}) =>
      path === '/accounts' && Number(headers['size']) > 500
        ? {status: 413, body: '{"message":"Request Too Long"}'}
        : undefined,
  })

  const ran = await service.run(['accounts', 'list', '-o', 'ndjson'])

  expect(ran).toMatchObject({exitCode: 0, stderr: ''})
  expect(idsOf(ran)).toEqual(everyId(600))
  expect(service.asked.slice(1).map(({headers}) => `${headers['page']}/${headers['size']}`)).toEqual([
    '1/2000',
    '1/1000',
    '1/500',
    '2/500',
  ])
})
