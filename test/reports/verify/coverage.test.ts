import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Manifest, ManifestWindow} from '../../../src/reports/export/manifest.js'
import {findHoles, hasPassed, listDays, listDaysAndFiles, toCovered} from '../../../src/reports/verify/days-read.js'
import {makeFolder} from '../../support/folder.js'

type Changes = Partial<Pick<Manifest, 'report' | 'timeBasis' | 'startedAt' | 'grade'>>

const window = (served: [string, string], grade: ManifestWindow['grade'] = 'B', asked = served) =>
  ({asked, served, grade}) as ManifestWindow
const covered = (windows: ManifestWindow[], changes: Changes = {}) =>
  toCovered(
    {
      ...{
        report: 'reports.transactions',
        windows,
        timeBasis: 'local',
        startedAt: '2024-04-01T00:00:00',
        grade: 'B',
        ...changes,
      },
      range: {asked: [windows[0]?.asked[0], windows.at(-1)?.asked[1]]},
    } as Manifest,
    '/reports/a.csv',
  )
const days = (all: ReturnType<typeof toCovered>, first: string, last: string) =>
  listDays(all, Date.parse(`${first}Z`), Date.parse(`${last}T23:59Z`))
    .map(({state}) => ({proven: '#', partly: '+', unread: '.'})[state])
    .join('')

describe('days that were read', () => {
  test('are proven by windows that touch, also over a leap day', () => {
    const all = covered([
      window(['2024-02-27T00:00:00', '2024-02-28T12:00:00']),
      window(['2024-02-28T12:00:00', '2024-03-01T23:59:59.999']),
    ])

    expect(days(all, '2024-02-26', '2024-03-02')).toBe('.####.')
  })

  test('are partly read where the range ends within them, or nothing proved them', () => {
    const all = covered([
      window(['2024-03-01T06:00:00', '2024-03-02T23:59:59.999'], 'B'),
      window(['2024-03-03T00:00:00', '2024-03-03T23:59:59.999'], 'C'),
      window(['2024-03-04T00:00:00', '2024-03-04T23:59:59.999'], 'D'),
      window(['2024-03-05T00:00:00', '2024-03-05T23:59:59.999'], null),
    ])

    expect(days(all, '2024-03-01', '2024-03-05')).toBe('+#++.')
  })

  test('are whole although the service says whole seconds of an edge', () => {
    const asked: [string, string] = ['2024-03-01T00:00:00', '2024-03-01T23:59:59.999']

    expect(
      days(covered([window(['2024-03-01T00:00:00', '2024-03-01T23:59:59'], 'A', asked)]), '2024-03-01', '2024-03-01'),
    ).toBe('#')
    expect(
      days(covered([window(['2024-03-01T00:00:00', '2024-03-01T23:59:58'], 'A', asked)]), '2024-03-01', '2024-03-01'),
    ).toBe('+')
  })

  test('are not proven before they had passed on every machine', () => {
    const windows = [window(['2024-03-01T00:00:00', '2024-03-03T23:59:59.999'])]

    expect(days(covered(windows, {startedAt: '2024-03-03T11:00:00'}), '2024-03-01', '2024-03-03')).toBe('#++')
    expect(days(covered(windows, {startedAt: '2024-03-03T12:00:00'}), '2024-03-01', '2024-03-03')).toBe('##+')
    expect(days(covered(windows, {startedAt: '2024-02-28T00:00:00'}), '2024-02-28', '2024-03-03')).toBe('..+++')
    expect(days(covered(windows, {startedAt: null}), '2024-03-01', '2024-03-03')).toBe('+++')
  })

  test('of UTC hold the local days of all machines but at their edges', () => {
    const asked: [string, string] = ['2024-03-01T00:00:00', '2024-03-05T23:59:59.999']
    const windows = [window(['2024-02-28T22:00:00', '2024-03-07T02:00:00'], 'B', asked)]

    expect(days(covered(windows, {timeBasis: 'utc'}), '2024-02-29', '2024-03-06')).toBe('.+###+.')
  })
})

test('a day misses the files that were read within it, and not one that ends where it begins', ({onTestFinished}) => {
  const folder = makeFolder(onTestFinished)
  for (const name of ['kept.csv', 'changed.csv']) writeFileSync(join(folder, name), 'four')
  const cover = (name: string, from: string, to: string, bytes: number) => {
    return {from: `${from}T00:00:00`, to: `${to}T00:00:00`, grade: 'A', file: join(folder, name), bytes}
  }
  const covered = [
    cover('gone.csv', '2024-07-01', '2024-07-02', 4),
    cover('kept.csv', '2024-07-01', '2024-07-02', 4),
    cover('changed.csv', '2024-07-02', '2024-07-03', 5),
  ]

  const {days, lost} = listDaysAndFiles(covered, Date.UTC(2024, 6, 1), Date.UTC(2024, 6, 3))

  expect(days).toEqual([
    {day: '2024-07-01', state: 'proven'},
    {day: '2024-07-02', state: 'proven', file: 'changed'},
  ])
  expect(lost).toEqual([{file: join(folder, 'changed.csv'), is: 'changed'}])
})

test('holes are runs of days that are not proven', () => {
  const all = covered([
    window(['2024-03-02T00:00:00', '2024-03-02T23:59:59.999']),
    window(['2024-03-04T00:00:00', '2024-03-04T12:00:00']),
  ])
  const list = listDays(all, Date.UTC(2024, 2, 1), Date.UTC(2024, 2, 6) - 1)

  expect(findHoles(list)).toEqual([
    ['2024-03-01', '2024-03-01'],
    ['2024-03-03', '2024-03-05'],
  ])
  expect(findHoles([])).toEqual([])
})

test('a day has passed when it is over 12 hours behind UTC', () => {
  expect(hasPassed('2024-02-29', Date.UTC(2024, 2, 1, 11, 59), 'local')).toBe(false)
  expect(hasPassed('2024-02-29', Date.UTC(2024, 2, 1, 12), 'local')).toBe(true)
})

describe('days of a report in UTC', () => {
  const inUtc = {report: 'reports.inventory', timeBasis: 'utc', startedAt: '2024-03-03T01:00:00'} as const

  test('are proven as they were read, an hour after their end', () => {
    const windows = [window(['2024-02-29T00:00:00', '2024-03-03T23:59:59.999'])]

    expect(days(covered(windows, inUtc), '2024-02-28', '2024-03-04')).toBe('.###+.')
    expect(days(covered(windows, {...inUtc, startedAt: '2024-03-03T00:59:00'}), '2024-02-28', '2024-03-04')).toBe(
      '.##++.',
    )
  })

  test('have passed an hour after their end', () => {
    expect(hasPassed('2024-02-29', Date.UTC(2024, 2, 1, 0, 59), 'utc')).toBe(false)
    expect(hasPassed('2024-02-29', Date.UTC(2024, 2, 1, 1), 'utc')).toBe(true)
  })
})
