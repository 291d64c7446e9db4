import {expect, test} from 'vitest'
import {sentByService} from '../../../src/runs/differences/quiet-time.js'

const hour = 3_600_000
const at = (boot: string | undefined, milliseconds: number) => ({boot, milliseconds})
const clocks = [
  {service: 50 * hour, at: at('a', 1_000)},
  {service: 60 * hour, at: at('a', 10 * hour)},
]

test('within one start of the machine the count since the last reading before tells the time, never a later one', () => {
  expect(sentByService({sent: at('a', 11_000)}, {clocks})).toEqual({notBefore: 50 * hour + 9_995, isClose: true})
  expect(sentByService({sent: at('a', 10 * hour + 2_000)}, {clocks})?.notBefore).toBe(60 * hour + 1_999)
})

test('after a restart, elsewhere, or before any reading of this start, only the first reading is sure', () => {
  const unsure = {notBefore: 50 * hour, isClose: false}

  expect(sentByService({sent: at('b', 99 * hour)}, {clocks})).toEqual(unsure)
  expect(sentByService({sent: at(undefined, 11_000)}, {clocks})).toEqual(unsure)
  expect(sentByService({}, {clocks})).toEqual(unsure)
  expect(sentByService({sent: at('a', 500)}, {clocks})).toEqual(unsure)
})

test('without a reading nothing is known', () => {
  expect(sentByService({sent: at('a', 11_000)}, {})).toBeUndefined()
})
