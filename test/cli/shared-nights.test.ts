import {expect, test} from 'vitest'
import {marksDatabase, marksOf} from '../support/shared-marks.js'
import {liveOnMachines} from './shared-history.js'

// One disk for the files of all; and machines that forget everything but that disk. More: npm run torture -- --nights.
test.each([34, 44])('machines that share marks hold every record once, history %i', async (seed) => {
  const url = await marksDatabase()

  const {found, expected, killed} = await liveOnMachines(seed, (host) => marksOf(url, host))

  expect(found).toEqual(expected)
  expect(killed).toBeGreaterThan(0)
})
