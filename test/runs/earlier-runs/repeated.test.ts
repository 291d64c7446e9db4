import {describe, expect, test} from 'vitest'
import {
  describeForecast,
  findRepeated,
  isRefused,
  type Repeated,
  refuseUnfinished,
  repeats,
} from '../../../src/runs/earlier-runs/repeated.js'
import type {RunFacts, RunOutcome} from '../../../src/runs/journal/journal-entries.js'
import {batchOf} from '../../../src/runs/rows/phases.js'
import {digestOfRows} from '../../../src/runs/rows/row-content.js'

const plan = batchOf('selections.adjust', 'a.csv', [{line: 2, record: {selectionId: 7, delta: 5}}])
const content = digestOfRows(plan)

const run = (facts: {[Name in keyof RunFacts]?: RunFacts[Name] | undefined}, outcome?: Partial<RunOutcome>) => ({
  facts: {id: 'R1', rows: 1, content, ...facts} as RunFacts,
  outcome: outcome && ({exit: 'ok', rows: {applied: 1}, endedAt: 100, ...outcome} as RunOutcome),
})

describe('rows that a run has applied are found', () => {
  test.each([
    ['where it is over', run({}, {}), {}, true],
    ['where it ended just then', run({}, {endedAt: 50}), {}, true],
    ['not where it ended before', run({}, {endedAt: 49}), {}, false],
    ['not where it applied nothing', run({}, {rows: {applied: 0}}), {}, false],
    ['not where others were its rows', run({content: 'other'}, {}), {}, false],
    ['not where it is open', run({}), {}, false],
    ['not where nobody was told', run({}, {untold: true}), {}, false],
    ['not where a run goes on with it', run({}, {}), {continues: ['R1']}, false],
    ['not where a run that is resumed began later', run({}, {}), {createdAt: 101}, false],
  ])('%s', (_, earlier, resumed, isFound) => {
    expect(findRepeated(plan, [earlier], 50, resumed)?.id).toBe(isFound ? 'R1' : undefined)
  })

  test('not for a write that may come twice', () => {
    const other = batchOf('sites.update', 'a.csv', [{line: 2, record: {id: 7}}])

    expect(findRepeated(other, [run({content: undefined}, {})], 50)).toBeUndefined()
    expect(() => refuseUnfinished(other, [run({content: undefined})])).not.toThrow()
    expect(() => refuseUnfinished(plan, [run({content: undefined}), run({}, {})])).not.toThrow()
    expect(() => refuseUnfinished(plan, [run({})])).toThrow(
      expect.objectContaining({
        message: 'a.csv: run R1 of the same rows is not finished; nothing was sent.',
        hints: ['Send the rest of it: vendorctl runs resume R1'],
      }),
    )
  })
})

test.each<[Partial<Repeated>, string, string[]]>([
  [{applied: 10}, 'a run would be refused: these 10 rows were applied by run R1', ['--fresh']],
  [{applied: 9}, 'a run would be refused: 9 of these 10 rows were applied', ['--fresh']],
  [{applied: 5, isPart: true}, 'a run would be refused: 5 of these 10 rows', ['--skip-applied', '--fresh']],
  [{applied: 4, isPart: true}, '4 of these 10 rows were applied', ['--skip-applied', '--fresh']],
  [{applied: 1, rows: 1}, 'a run would be refused: this row was applied', ['--fresh']],
])('of rows that were applied before, %j, a run is refused unless they are the lesser part', (given, text, ways) => {
  const repeated: Repeated = {id: 'R1', applied: 0, rows: 10, endedAt: 0, ...given}
  const {hints} = repeats(plan, repeated)

  expect(describeForecast(repeated)).toMatch(new RegExp(`^${text}`))
  expect(isRefused(repeated)).toBe(text.startsWith('a run would be refused'))
  expect(hints.map((hint) => hint.split(': ')[1])).toEqual(['vendorctl runs show R1', ...ways])
})
