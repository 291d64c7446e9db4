import {describe, expect} from 'vitest'
import {idsOf, test, type Visit} from '../support/foreign.js'

const day = 86_400_000
const at = (days: number, more = 0) => new Date(Date.UTC(2024, 0, 1) + days * day + more).toISOString().replace('Z', '')

/** A session a day from 2024 on, at midnight, which is where windows meet. */
const sessions = (days: number) =>
  Array.from({length: days}, (_, index) => `{"id":${index + 1},"organizationId":2,"startedAtUtc":"${at(index)}"}`)

const metadata = (days: number) =>
  Array.from(
    {length: days},
    (_, index) =>
      `{"transactionId":"B${index + 1}","recordedAtUtc":"${at(index)}","tags":["t"],"files":[],"lineItems":[]}`,
  )

const all = (count: number) => Array.from({length: count}, (_, index) => String(index + 1))

/** The ranges that were asked for, in order. */
const ranges = ({asked}: Visit) =>
  asked.flatMap(({json}) =>
    json?.requestFilter?.['StartDate'] === undefined
      ? []
      : [`${json.requestFilter['StartDate']} … ${json.requestFilter['EndDate']}`],
  )

const list = ['sessions', 'list', '--start', '2024-01-01', '-o', 'ndjson']

describe('a range longer than 31 days', () => {
  test.concurrent('is read in windows that share their edges, each session once and in order', async ({visit}) => {
    const service = await visit({rows: {'/sessions/management': sessions(100)}, longestDays: 31, largestPage: 50})

    const ran = await service.run([...list, '--end', '2024-04-09'])

    expect(ran).toMatchObject({exitCode: 0, stderr: 'Reading 2024-01-01T00:00:00 … 2024-04-09T23:59:59.999, UTC.\n'})
    expect(idsOf(ran)).toEqual(all(100))
    expect(ranges(service)).toEqual([
      '2024-01-01T00:00:00 … 2024-02-01T00:00:00',
      '2024-02-01T00:00:00 … 2024-03-03T00:00:00',
      '2024-03-03T00:00:00 … 2024-04-03T00:00:00',
      '2024-04-03T00:00:00 … 2024-04-09T23:59:59.999',
    ])
  })

  test.concurrent('is the same in every output', async ({visit}) => {
    const service = await visit({rows: {'/sessions/management': sessions(70)}, longestDays: 31, largestPage: 7})
    const print = (...words: string[]) =>
      service.run(['sessions', 'list', '--start', '2024-01-01', '--end', '2024-03-10', ...words])

    const csv = await print('-o', 'csv', '--columns', 'id')
    const json = await print('-o', 'json')
    const sorted = await print('-o', 'csv', '--columns', 'id', '--sort', '-id')
    const chosen = await print('-o', 'csv', '--columns', 'id', '--where', 'startedAtUtc>=2024-03')
    const envelope = await print('--json')

    expect(csv.stdout).toBe(['id', ...all(70), ''].join('\n'))
    expect(JSON.parse(json.stdout)).toHaveLength(70)
    expect(sorted.stdout).toBe(['id', ...all(70).reverse(), ''].join('\n'))
    expect(chosen.stdout).toBe(['id', ...all(70).slice(60), ''].join('\n'))
    expect(JSON.parse(envelope.stdout).data.map(({id}: {id: number}) => String(id))).toEqual(all(70))
    for (const ran of [csv, json, sorted, chosen, envelope]) expect(ran.exitCode).toBe(0)
  })

  test.concurrent('ends at the limit, without another request', async ({visit}) => {
    const service = await visit({rows: {'/sessions/management': sessions(100)}, longestDays: 31, largestPage: 50})

    const ran = await service.run([...list, '--end', '2024-04-09', '--limit', '3'])

    expect(ran.exitCode).toBe(0)
    expect(idsOf(ran)).toEqual(all(3))
    expect(ranges(service)).toHaveLength(1)
  })

  test.concurrent('with an open end is read up to now', async ({visit}) => {
    const service = await visit({rows: {'/sessions/management': sessions(3)}, longestDays: 31, largestPage: 50})

    const ran = await service.run(['sessions', 'list', '--start', '-40d', '-o', 'ndjson'])

    expect(ran.exitCode).toBe(0)
    expect(ranges(service)).toHaveLength(2)
    const end = ranges(service).at(-1)?.split(' … ')[1] ?? ''
    expect(Math.abs(Date.parse(`${end}Z`) - Date.now())).toBeLessThan(day)
  })
})

test.concurrent('metadata, which has no id, comes once at a window edge', async ({visit}) => {
  const service = await visit({rows: {'/transactions/metadata': metadata(731)}, longestDays: 365, largestPage: 100})

  const ran = await service.run([
    ...['reports', 'metadata', '--start', '2024-01-01', '--end', '2025-12-31', '-o', 'csv'],
    ...['--columns', 'transactionId'],
  ])

  expect(ran.exitCode).toBe(0)
  expect(ran.stdout).toBe(['transactionId', ...all(731).map((number) => `B${number}`), ''].join('\n'))
})

describe('without a start', () => {
  test.concurrent('an end alone is one request of the longest range', async ({visit}) => {
    const service = await visit({rows: {'/sessions/management': sessions(100)}, longestDays: 31, largestPage: 50})

    const ran = await service.run(['sessions', 'list', '--end', '2024-02-20', '-o', 'ndjson'])

    expect(ran.exitCode).toBe(0)
    expect(idsOf(ran)).toEqual(all(51).slice(20))
    expect(ran.stderr).toContain('2024-01-20')
  })
})

test.concurrent('a time with a zone is one of sessions, which are in UTC', async ({visit}) => {
  const service = await visit({rows: {'/sessions/management': sessions(3)}, longestDays: 31, largestPage: 50})

  const ran = await service.run([
    ...['sessions', 'list', '-o', 'ndjson'],
    ...['--start', '2024-01-01T02:00+02:00', '--end', '2024-01-02T01:00+02:00'],
  ])

  expect(idsOf(ran)).toEqual(['1'])
  expect(ranges(service)).toEqual(['2024-01-01T00:00:00 … 2024-01-01T23:00:00'])
})
