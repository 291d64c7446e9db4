import {expect, test} from 'vitest'
import {findElsewhere} from '../../../src/jobs/deliver/other-machines.js'
import type {SharedFinish} from '../../../src/reports/register/shared-turn.js'
import {marksDatabase, marksOf} from '../../support/shared-marks.js'

const named = {name: 'nightly', scope: 'all'}
const path = '/srv/reports/tx.csv'
const [from, to] = ['2024-03-01T00:00:00', '2024-03-02T00:00:00']
const night: SharedFinish = {
  ...{id: 'night', coverage: 'all', covered: []},
  watermark: {at: to, nextStart: from, keys: [], manifest: 'sha256:1'},
  last: {from, to, rows: 3, file: path, at: 1_700_000_000_000},
  file: {path, digest: 'sha256:1', bytes: 9, manifest: '{}', delivers: true},
}

/** Two machines, the first of which wrote a file that is to be delivered. */
async function writeOnOne() {
  const url = await marksDatabase()
  const [one, other] = [marksOf(url, 'pod-1'), marksOf(url, 'pod-2')]
  const turn = await one.take(named)
  await turn.record(night)
  await turn.release()
  return {one, other}
}

test('a file that was not delivered is missed on every other machine, until it is delivered', async () => {
  const {one, other} = await writeOnOne()

  const [entry, ...more] = await findElsewhere({owner: named, shared: other})
  const own = await findElsewhere({owner: named, shared: one})
  const another = await findElsewhere({owner: {...named, scope: 'others'}, shared: other})
  await other.settle(named, {path, state: 'delivered'}) // it is not the file of this machine
  const still = await findElsewhere({owner: named, shared: other})
  await one.settle(named, {path, state: 'delivered'})

  expect(entry).toMatchObject({
    ...{code: 'NOT_DELIVERED_ELSEWHERE', exit: 12},
    message: `${path} (3 rows, ${from} … ${to}) is not known to be delivered from pod-1.`,
    hint: expect.stringContaining(`vendorctl exports reset nightly --to ${from}`),
  })
  expect([more, own, another, still.length]).toEqual([[], [], [], 1])
  expect(await findElsewhere({owner: named, shared: other})).toEqual([])
})

test('of several files that are missed, each names the reset that reads all of them again', async () => {
  const {one, other} = await writeOnOne()
  const turn = await one.take(named)
  const later = {from: to, to: '2024-03-03T00:00:00'}
  await turn.record({...night, id: 'later', last: {...night.last, ...later}})

  const hints = (await findElsewhere({owner: named, shared: other})).map(({hint}) => hint)

  expect(hints).toEqual(Array(2).fill(expect.stringContaining(`vendorctl exports reset nightly --to ${from}`)))
})

test('it is missed no more once the name was reset', async () => {
  const {one, other} = await writeOnOne()

  await one.giveUpElsewhere(named)
  const before = await other.waitingElsewhere(named)
  await other.giveUpElsewhere(named)

  expect(before).toHaveLength(1)
  expect(await other.waitingElsewhere(named)).toEqual([])
})
