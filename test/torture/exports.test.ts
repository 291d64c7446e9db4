import {expect, test} from 'vitest'
import {tortureExports} from './exports-rig.js'

/** The short form of `npm run torture -- --exports`: every format, plain and compressed, 1 to 8 pages in flight. */
test('exports that are killed and gone on with are the same bytes', async () => {
  const tally = await tortureExports({kills: 12, seed: 4_711, workers: 3, batches: 120})

  expect(tally.wrong).toEqual([])
  expect(tally.kills).toBeGreaterThanOrEqual(12)
  expect(tally.atPoints).toBeGreaterThan(3)
  expect(tally.faultsFired).toBeGreaterThan(0)
})
