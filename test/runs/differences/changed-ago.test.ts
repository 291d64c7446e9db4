import {expect} from 'vitest'
import {changedAgo} from '../../../src/runs/differences/quiet-time.js'
import {createJournal} from '../../../src/runs/journal/open-journal.js'
import {PackedRows} from '../../../src/runs/rows/packed-rows.js'
import {batchOf} from '../../../src/runs/rows/phases.js'
import {toNumber} from '../../../src/values/json.js'
import {factsOf, partOf, test} from '../journal/a-run.js'

test('a change by another run is known by every digit of the id of its record', ({folder}) => {
  const target = factsOf({operation: 'selections.adjust', rows: 1})
  const naturalKey = '[9007199254740993]'
  const row = {place: 0, line: 2, digest: new Uint8Array(16), naturalKey, id: null, skip: null, given: null, by: null}
  const {journal} = createJournal(folder, target, {rows: [row], parts: [partOf(1, [0])]})
  journal.markSent(1)
  journal.end({exit: 'ok', rows: {applied: 1}, requests: 1, endedAt: Date.now() - 3_600_000}) // the clock was wrong then
  journal.close()
  const changing = (id: string) =>
    batchOf('selections.adjust', 'a.csv', PackedRows.of([{line: 2, record: {selectionId: toNumber(id)}}]))

  expect(changedAgo(changing('9007199254740992'), {folder, target, quiet: 5_000})).toBe(Number.POSITIVE_INFINITY)
  expect(changedAgo(changing('9007199254740993'), {folder, target, quiet: 5_000})).toBeLessThan(5_000)
})
