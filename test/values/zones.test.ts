import {expect, test} from 'vitest'
import {isZone, toLocalTime} from '../../src/values/zones.js'

/** Instants and wall clocks, written down from the rules of each zone. */
test.each([
  ['UTC', '2024-07-30T18:07:05.477Z', '2024-07-30T18:07:05.477Z'],
  ['Nepal Standard Time', '2024-07-30T18:20:00Z', '2024-07-31T00:05:00Z'],
  ['Asia/Kathmandu', '2024-01-01T00:00:00Z', '2024-01-01T05:45:00Z'],
  ['Lord Howe Standard Time', '2024-06-01T00:00:00Z', '2024-06-01T10:30:00Z'],
  ['Australia/Lord_Howe', '2024-12-01T00:00:00Z', '2024-12-01T11:00:00Z'],
  ['Pacific/Kiritimati', '2024-12-31T10:00:00Z', '2025-01-01T00:00:00Z'],
  ['Line Islands Standard Time', '2024-12-31T09:59:59Z', '2024-12-31T23:59:59Z'],
  ['Dateline Standard Time', '2024-03-01T11:59:59Z', '2024-02-29T23:59:59Z'],
  ['Pacific Standard Time', '2024-03-10T09:59:59Z', '2024-03-10T01:59:59Z'],
  ['Pacific Standard Time', '2024-03-10T10:00:00Z', '2024-03-10T03:00:00Z'],
  ['Pacific Standard Time', '2024-11-03T08:59:59Z', '2024-11-03T01:59:59Z'],
  ['Pacific Standard Time', '2024-11-03T09:00:00Z', '2024-11-03T01:00:00Z'],
  ['Australia/Lord_Howe', '2024-10-05T15:29:59Z', '2024-10-06T01:59:59Z'],
  ['Australia/Lord_Howe', '2024-10-05T15:30:00Z', '2024-10-06T02:30:00Z'],
  ['Australia/Lord_Howe', '2024-04-06T14:59:59Z', '2024-04-07T01:59:59Z'],
  ['Australia/Lord_Howe', '2024-04-06T15:00:00Z', '2024-04-07T01:30:00Z'],
  ['W. Europe Standard Time', '2024-03-31T01:00:00Z', '2024-03-31T03:00:00Z'],
  ['Newfoundland Standard Time', '2024-01-15T12:00:00Z', '2024-01-15T08:30:00Z'],
])('shows the wall clock of %s at %s', (zone, utc, local) => {
  const wall = toLocalTime(Date.parse(utc), zone)

  expect(new Date(wall).toISOString()).toBe(new Date(local).toISOString())
})

test.each(['Nepal Standard Time', 'America/New_York', 'UTC', 'Etc/GMT+12', 'utc'])('knows the zone %s', (name) => {
  expect(isZone(name)).toBe(true)
})

test.each(['', 'Mars Standard Time', '+05:45', 'Europe/Atlantis', '__proto__', 'constructor'])(
  'does not know the zone %j',
  (name) => {
    expect(isZone(name)).toBe(false)
  },
)

test('takes an unknown zone as UTC', () => {
  expect(toLocalTime(1_722_362_825_477, 'Mars Standard Time')).toBe(1_722_362_825_477)
})
