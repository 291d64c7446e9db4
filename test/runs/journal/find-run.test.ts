import {describe, expect} from 'vitest'
import {findRunId} from '../../../src/runs/journal/run-folder.js'
import {makeRun, test} from './a-run.js'

const [first, second, third] = ['20260131-174502-1c84f', '20260131-174502-2c84f', '20260201-080000-1c84f'] as const

describe('a run is found', () => {
  test.for([
    [first, first],
    ['latest', third],
    ['20260201', third],
    ['-2c84f', second],
    ['502-1c84f', first],
  ] as const)('%s', ([text, id], {folder}) => {
    for (const one of [first, second, third]) makeRun(folder, {id: one}).journal.close()

    expect(findRunId(folder, text)).toBe(id)
  })

  test.for([
    ['1c84f', 'RUN_AMBIGUOUS', '"1c84f" matches 2 runs.', [third, first]],
    ['2026', 'RUN_AMBIGUOUS', '"2026" matches 3 runs.', [third, second, first]],
    ['174502', 'NO_RUN', 'No run matches "174502".', []],
    ['', 'NO_RUN', 'No run matches "".', []],
  ] as const)('never by %j', ([text, code, message, ids], {folder}) => {
    for (const one of [first, second, third]) makeRun(folder, {id: one}).journal.close()
    const hints = [...ids, 'The newest run is called latest. List all runs: vendorctl runs list']

    expect(() => findRunId(folder, text)).toThrow(expect.objectContaining({code, message, hints, exit: 'usage'}))
  })

  test('never where there is none', ({folder}) => {
    expect(() => findRunId(folder, 'latest')).toThrow(expect.objectContaining({code: 'NO_RUN'}))
  })
})
