import {expect, test} from 'vitest'
import {findClockChanges, findSteadyTime, parseTimeOfDay, toUtc} from '../../../src/jobs/setup/schedule.js'

const now = Date.UTC(2026, 10, 22, 15)
const at = (text: string) => parseTimeOfDay(text) ?? {hour: -1, minute: -1}

test('a time of day has two digits of a 24-hour clock each', () => {
  expect(parseTimeOfDay('02:10')).toEqual({hour: 2, minute: 10})
  expect(parseTimeOfDay('23:59')).toEqual({hour: 23, minute: 59})
  for (const text of ['2:10', '24:00', '02:60', '2:10 pm', '02:10:00', '', '-1:00', '0210'])
    expect(parseTimeOfDay(text), text).toBeUndefined()
})

test.each([
  ['Europe/Berlin', '02:10', ['skipped 2027-03-28 02:00 03:00', 'repeated 2027-10-31 03:00 02:00'], '03:10'],
  ['Europe/Berlin', '03:00', [], '03:00'],
  ['America/New_York', '02:59', ['skipped 2027-03-14 02:00 03:00'], '03:59'],
  ['America/New_York', '01:00', ['repeated 2027-11-07 02:00 01:00'], '03:00'],
  ['Australia/Lord_Howe', '01:45', ['repeated 2027-04-04 02:00 01:30'], '02:45'],
  ['America/Santiago', '23:30', ['repeated 2027-04-03 00:00 23:00'], '01:30'],
  ['America/Santiago', '00:10', ['skipped 2027-09-05 00:00 01:00'], '01:10'],
  ['UTC', '02:10', [], '02:10'],
  ['Asia/Kolkata', '02:10', [], '02:10'],
])('in %s, clocks around %s: %j', (zone, time, changes, steady) => {
  const found = findClockChanges(at(time), zone, now)

  expect(found.map(({kind, date, from, to}) => `${kind} ${date} ${from} ${to}`)).toEqual(changes)
  expect(findSteadyTime(at(time), zone, now)).toEqual(at(steady))
})

test.each([
  ['Europe/Berlin', '02:10', '01:10', ['02:10', '03:10']],
  ['Europe/Berlin', '00:30', '23:30', ['00:30', '01:30']],
  ['America/New_York', '21:00', '02:00', ['21:00', '22:00']],
  ['Asia/Kolkata', '02:10', '20:40', ['02:10']],
  ['UTC', '02:10', '02:10', ['02:10']],
])('in %s, %s is %s UTC the year round', (zone, local, utc, shown) => {
  const july = Date.UTC(2026, 6, 1)

  expect(toUtc(at(local), zone, now)).toEqual({utc: at(utc), local: shown.map(at)})
  expect(toUtc(at(local), zone, july)).toEqual(toUtc(at(local), zone, now))
})
