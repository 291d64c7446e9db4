import {expect, test} from 'vitest'
import {countsOf, stockUp} from '../../support/stock.js'
import {failureOf, useRuns} from './runs.js'

const runs = useRuns()
const ids = Array.from({length: 15}, (_, place) => 20_001 + place)
const adjust = (...ids: number[]) => ['selectionId,delta', ...ids.map((id) => `${id},1`)]
const path = '/restock.csv'

test('a corrected file after a run that was applied completely and never reported changes no record twice', async () => {
  stockUp(runs.sandbox, ...ids)
  await runs.give('selections.adjust', adjust(...ids.slice(0, 12)), {path, diesUntold: true})

  const failure = await failureOf(runs.give('selections.adjust', adjust(...ids.slice(2)), {path}))

  expect(failure).toMatchObject({exit: 'invalid', code: 'INVALID_INPUT', changed: 'none'})
  expect(failure.entries).toHaveLength(10)
  expect(failure.entries[0]).toMatchObject({code: 'APPLIED_BY_OTHER_FILE', line: 2})
  expect(countsOf(runs.sandbox, ...ids)).toEqual([...Array(12).fill(6), 5, 5, 5])
})
