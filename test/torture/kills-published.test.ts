import {expect, test} from 'vitest'
import {torturePublished} from './published/rig.js'

/** The short form of `npm run torture -- --published`: a service of the published contract that shares no line with us. */
test('twenty kills of the published writes lose no row and apply none twice', async () => {
  const tally = await torturePublished({kills: 20, seed: 41_000, workers: 3})

  expect(tally.wrong).toEqual([])
  expect(tally.kills).toBeGreaterThanOrEqual(20)
  expect(tally.faultsFired).toBeGreaterThan(0)
})
