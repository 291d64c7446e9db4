import {commandLine} from '../../core/command-line.js'
import type {Problem} from '../../validate/problem.js'
import {placeIn} from '../../values/place.js'
import {invalidInput} from '../check/invalid-input.js'
import {withJournal} from '../journal/read-journal.js'
import type {Batch} from '../rows/phases.js'
import {isFinished} from './read-runs.js'
import type {EarlierRuns, RelatedRun} from './related-runs.js'
import {indexKeys, type RowKey} from './row-keys.js'
import {readRows} from './rows-of-run.js'

/**
 * Throws `invalid` for rows that change their record by the same number as rows of another file that an unfinished run
 * applied: they may be those given again, or meant once more, and only a person knows.
 */
export function refuseEqualChanges(
  plan: Batch,
  keys: readonly RowKey[],
  others: readonly RelatedRun[],
  {folder, times}: Pick<EarlierRuns, 'folder' | 'times'>,
): void {
  const {digests} = indexKeys(keys)
  const applied = new Map<string, string>()
  for (const {id} of others) {
    const rows = withJournal(folder, id, times, (journal) =>
      isFinished(journal.outcome()) ? undefined : readRows(journal, {appliedOnly: true}).applied,
    )
    for (const {digest} of rows ?? []) if (digests.has(digest)) applied.set(digest, id)
  }
  const again = keys.filter(({digest}) => applied.has(digest))
  if (again.length > 0) throw equalChanges(plan, again, applied)
}

function equalChanges(plan: Batch, again: readonly RowKey[], applied: ReadonlyMap<string, string>) {
  const {operation, file, rows} = plan
  const errors = again.map(
    ({place, digest}): Problem => ({
      ...placeIn(plan, rows.at(place)?.line ?? 0),
      code: 'APPLIED_BY_OTHER_FILE',
      severity: 'error',
      message: `the same change was applied by run ${applied.get(digest)}, which read another file`,
    }),
  )
  const failure = invalidInput({
    operation,
    file,
    errors,
    rows: rows.length,
    broken: undefined,
    sent: 'this write was not sent',
  })
  const [id = ''] = applied.values()
  failure.hints.unshift(
    `If these rows are those given again, finish that run (${commandLine('runs resume', [id])}), or send the other rows only: --skip-applied`,
    'If they are meant once more: --fresh',
  )
  return failure
}
