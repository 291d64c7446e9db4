import {expect, test} from 'vitest'
import {CliFailure} from '../../../src/core/errors.js'
import type {Postgres} from '../../../src/core/postgres.js'
import {createClockReader, createSharedChanges} from '../../../src/runs/differences/quiet-time.js'
import {batchOf} from '../../../src/runs/rows/phases.js'

const plan = batchOf('selections.adjust', 'a.csv', [{line: 2, record: {selectionId: 7, delta: 5}}])
const other = batchOf('sites.update', 'a.csv', [{line: 2, record: {id: 7}}])
const approval = {id: 'A1', expires: '2026-12-01T00:00:00Z'}
const away = new CliFailure('away', {code: 'DATABASE_LOST'})

/** What a store that answers so lets a machine know. */
function changesBy(answer: object | undefined | Error, hasStore = true) {
  const get = async () => {
    if (answer instanceof Error) throw answer
    return answer
  }
  const session = {get, run: get, close: async () => undefined} as unknown as Postgres
  return createSharedChanges('https://one.test', async () => (hasStore ? {open: async () => session} : undefined))
}

test.each([
  ['for the first time', {record: 'approval A1'}, true],
  ['that another machine has used', undefined, false],
  ['where the store cannot be reached', away, true],
])('an approval %s: %j lets its plan be sent, %s', async (_, answer, expected) => {
  expect(await changesBy(answer).useApproval(approval)).toBe(expected)
})

test.each([
  ['is as long ago as the store says', {ago: '1200.5'}, 1_200.5],
  ['is infinitely long ago where nobody made one', {ago: null}, Number.POSITIVE_INFINITY],
  ['may be of this moment where the store cannot be reached', away, 0],
])('the last change of a record by another machine %s', async (_, answer, ago) => {
  expect(await changesBy(answer).ago(plan)).toBe(ago)
})

test('a write that changes nothing by a number, and a machine alone, ask no store', async () => {
  const broken = changesBy(new TypeError('asked'))

  expect(await broken.ago(other)).toBe(Number.POSITIVE_INFINITY)
  await broken.tell(other)
  expect(await changesBy(new TypeError('asked'), false).ago(plan)).toBe(Number.POSITIVE_INFINITY)
  await expect(broken.tell(plan)).rejects.toThrow('asked')
})

test('the clock of the service goes on with that of this machine, and not past a restart of it', async () => {
  const moments = [0, 700, 10_700, 10_700].map((milliseconds, index) => ({boot: index < 3 ? 'a' : 'b', milliseconds}))
  const clock = createClockReader(() => moments.shift() ?? {boot: undefined, milliseconds: 0})
  const read = clock.watch(async function* () {
    yield* [{serverTime: 50_000}, {}] as never[]
  })

  for await (const _ of read('sites.list', {filters: {}}));

  expect(clock.last).toEqual({service: 50_000, at: {boot: 'a', milliseconds: 700}})
  expect(clock.delay).toBe(700)
  expect(clock.now()?.service).toBe(59_995)
  expect(clock.now()).toBe(clock.last)
})
