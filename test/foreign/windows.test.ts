import {expect} from 'vitest'
import {idsOf, test} from '../support/foreign.js'

const path = '/reports/transactions'
const batch = (id: string, time: string) => `{"id":"${id}","recordedAtUtc":"${time}","lineItems":[]}`
const halfDays = (count: number) =>
  Array.from({length: count}, (_, index) =>
    batch(`B${index}`, new Date(Date.UTC(2024, 0, 1) + index * 43_200_000).toISOString().slice(0, -1)),
  )
const report = (start: string, end: string) => [
  'reports',
  'transactions',
  '--start',
  start,
  '--end',
  end,
  '-o',
  'ndjson',
]

const spellings: Record<string, (date: string) => string> = {
  'as it is': (date) => date,
  'without fraction': (date) => date.slice(0, 19),
  'with Z': (date) => `${date}Z`,
  'with more digits': (date) => `${date}0000`,
  'as a day': (date) => date.slice(0, 10),
}

test.for(Object.keys(spellings))('reads 30 days from a service that serves 7, its dates %s', async (name, {visit}) => {
  const spellDate = spellings[name] ?? String
  const service = await visit({rows: {[path]: halfDays(60)}, longestDays: 7, spellDate})

  const ran = await service.run(report('2024-01-01', '2024-01-30'))

  expect(ran.exitCode).toBe(0)
  expect(idsOf(ran)).toEqual(halfDays(60).map((_, index) => `B${index}`))
  expect(service.calls()).toHaveLength(1 + 5)
})

test('tells batches on a shared edge apart when names are spelled otherwise, and when they have no id', async ({
  visit,
}) => {
  const edge = '2024-01-08T00:00:00'
  const rows = [
    batch('B1', edge).replace('"id"', '"ID"'),
    `{"recordedAtUtc":"${edge}","n":1}`,
    `{"recordedAtUtc":"${edge}","n":1}`,
    `{"recordedAtUtc":"${edge}","n":2}`,
  ]
  const service = await visit({rows: {[path]: rows}, longestDays: 7})

  const ran = await service.run(report('2024-01-01', '2024-01-14'))

  expect(ran).toMatchObject({exitCode: 0, stdout: `${rows.join('\n')}\n`})
  expect(service.calls()).toHaveLength(1 + 2)
})

test('an edge that cannot be read stops the report before a batch of it is shown', async ({visit}) => {
  const service = await visit({rows: {[path]: halfDays(60)}, longestDays: 7, spellDate: () => 'soon'})

  const ran = await service.run(report('2024-01-01', '2024-01-30'))

  expect(ran).toMatchObject({exitCode: 75, stdout: ''})
  expect(ran.stderr).toContain('"soon" is not a date of the served range')
  expect(service.calls()).toHaveLength(2)
})

test('alerts of a range that one request does not take are read in windows', async ({visit}) => {
  const alert = (id: number, raisedAt: string) => `{"id":${id},"code":"NS","raisedAt":"${raisedAt}"}`
  const alerts = [alert(1, '2024-01-02T00:00:00'), alert(2, '2024-01-08T00:00:00'), alert(3, '2024-01-30T00:00:00')]
  const service = await visit({rows: {'/alerts': alerts}, longestDays: 7})

  const ran = await service.run(['alerts', 'list', '--start', '2024-01-01', '--end', '2024-01-31', '-o', 'ndjson'])

  expect(ran).toMatchObject({exitCode: 0, stdout: `${alerts.join('\n')}\n`})
  expect(ran.stderr).toBe('Reading 2024-01-01T00:00:00 … 2024-01-31T23:59:59.999, machine-local time.\n')
})
