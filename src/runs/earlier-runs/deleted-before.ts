import {writeOperation} from '../../contract/index.js'
import {counted} from '../../values/counted.js'
import {isDeletion} from '../../values/deletion.js'
import {loadRun} from '../journal/load-run.js'
import {withJournal} from '../journal/read-journal.js'
import {mapRows} from '../rows/packed-rows.js'
import type {Uncut} from '../rows/phases.js'
import {naturalKeyOf} from '../rows/row-content.js'
import {hasTarget, readRuns} from './read-runs.js'
import type {EarlierRuns} from './related-runs.js'
import {readRows} from './rows-of-run.js'

/**
 * The plan without rows that delete what an earlier run deleted, finished or not: of a record that no list shows any more
 * only the journal of that run tells that it is gone and was not misspelled. The others stay as they are.
 */
export async function leaveOutDeleted(plan: Uncut, earlier: EarlierRuns): Promise<Uncut> {
  const {operation, comparison} = plan
  const write = writeOperation(operation)
  if (write.deletes === 'none' || !comparison || comparison.missing.length === 0) return plan
  const lines = new Set(comparison.missing.map(({line}) => line))
  const wanted = new Map<string, number>()
  for (const {line, record} of plan.rows) {
    const key = lines.has(line) && isDeletion(write, record) ? naturalKeyOf(operation, record) : null
    if (key !== null) wanted.set(key, line)
  }

  const found = await findDeleted(wanted, write, earlier)
  if (found.size === 0) return plan
  const rows = mapRows(plan.rows, (row) => {
    const by = found.get(row.line)
    return by === undefined ? row : {...row, skip: 'appliedBefore' as const, by}
  })
  const runs = Map.groupBy(found.values(), (run) => run)
  const notices = [...runs].map(([run, {length}]) => {
    const was = length === 1 ? 'was' : 'were'
    return `${counted(length, write.words.noun)} ${was} deleted by run ${run}, and nothing is sent for them (--fresh ignores earlier runs)`
  })
  const missing = comparison.missing.filter(({line}) => !found.has(line))
  return {
    ...plan,
    rows,
    comparison: {...comparison, missing},
    notices: [...plan.notices, ...notices],
  }
}

/** The runs that deleted some of the records, by the line of their row. */
async function findDeleted(
  wanted: ReadonlyMap<string, number>,
  write: ReturnType<typeof writeOperation>,
  {folder, times, target, fingerprint}: EarlierRuns,
): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  if (wanted.size === 0) return found
  const {runs} = readRuns(folder, times, {target})
  const keyFingerprint = await fingerprint()
  for (const {facts} of runs.filter((run) => hasTarget(run, {...target, keyFingerprint}))) {
    const keys = withJournal(folder, facts.id, times, (journal) => {
      const rows = readRows(journal, {appliedOnly: true}).applied.filter(({naturalKey}) => wanted.has(naturalKey ?? ''))
      if (write.deletes === 'all' || rows.length === 0) return rows
      const {plan} = loadRun(journal)
      return rows.filter(({place}) => isDeletion(write, plan.rows.at(place)?.record ?? {}))
    })
    for (const {naturalKey} of keys ?? []) found.set(wanted.get(naturalKey ?? '') ?? 0, facts.id)
  }

  return found
}
