import {expect, test} from 'vitest'
import {refuseUnfound} from '../../../src/runs/machines/plan-machines.js'

const found = [{id: 5001, prose: 'PRS100000'}]

test('machines that were asked for by id or serial and not found are named', () => {
  const refused = (machineIdentifiers: string[], more = {}) => {
    return () => refuseUnfound({machineIdentifiers, ...more}, found)
  }

  expect(refused(['5001', 'prs100000'])).not.toThrow()
  expect(() => refuseUnfound({siteIds: [1001]}, found)).not.toThrow()
  expect(refused(['5001', '77'])).toThrow(
    '--machine: 1 machine not found that this login may see: 77; nothing was sent.',
  )
  expect(refused(['78', '77'], {siteIds: [1001]})).toThrow('2 machines not found with the other filters')
})
