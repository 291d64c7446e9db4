import {expect, test} from 'vitest'
import {tortureWrites} from './rig.js'

/** The short form of `npm run torture`: three writes, kills by time and by point, faults of the service. */
test('sixteen kills lose no row and apply none twice', async () => {
  const tally = await tortureWrites({kills: 16, seed: 20_240, workers: 3})

  expect(tally.wrong).toEqual([])
  expect(tally.kills).toBeGreaterThanOrEqual(16)
  expect(tally.faultsFired).toBeGreaterThan(0)
})
