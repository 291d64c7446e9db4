import {allFieldsOf, changedResource, limits, writeOperation} from '../../contract/index.js'
import {flagText} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, type ErrorGroup} from '../../core/errors.js'
import {type Problem, sortProblems} from '../../validate/problem.js'
import {describeDamage} from '../../validate/respelled.js'
import {counted, listed} from '../../values/counted.js'
import {idText} from '../../values/record-key.js'
import {invalidRows, problemAt, toEntry, toGroups} from '../check/invalid-input.js'
import {findImpossible} from '../differences/changes.js'
import {rangeOf} from '../records/read-current.js'
import {type Checked, type Compared, countToSend} from '../rows/phases.js'
import {idOf, isNew, writtenKey} from '../rows/row-content.js'

/** Throws `invalid` for rows that cannot be sent to the current records: none exists, or a value was damaged. */
export function refuseBlocked(plan: Compared): void {
  const errors = sortProblems([...plan.doubts, ...plan.problems])
  if (errors.length > 0) throw invalidRows(plan, errors)
}

/** Throws `limited` for more records than `--max-records` allows. */
export function refuseTooMany(plan: Compared, maximum: number | undefined): void {
  const count = countToSend(plan)
  if (maximum === undefined || count <= maximum) return
  throw new CliFailure(`${plan.file}: ${count} records to send, but --max-records allows ${maximum}.`, {
    code: 'TOO_MANY_RECORDS',
    hints: [`If you mean it, allow more: --max-records ${count}`],
  })
}

export type DryRun = {found: 'blocked' | 'changes' | 'ok'; entries: ErrorEntry[]; groups: ErrorGroup[]}

/** Outcome that a run would have: rows that block it, something to change, or nothing. */
export function judgePlan({comparison, sets, doubts, ...plan}: Compared): DryRun {
  const problems = sortProblems([...doubts, ...plan.problems])
  const known = {entries: problems.map(toEntry), groups: toGroups(problems)}
  if (problems.length > 0) return {found: 'blocked', ...known}
  const isChange = comparison ? comparison.changes.length + comparison.missing.length > 0 : sets.length > 0
  return {found: isChange ? 'changes' : 'ok', ...known}
}

type ComparedRows = Pick<
  Compared,
  'operation' | 'file' | 'layout' | 'columns' | 'rows' | 'merges' | 'comparison' | 'before'
>

/** Problems of rows that only their current records show. */
export function findBlocking(compared: ComparedRows, allowsDamage: Checked['allowsDamage']): Problem[] {
  return [...findMissing(compared), ...findDamage(compared, allowsDamage), ...findNow(compared)]
}

/** A problem for each row of a merge whose record does not exist; a row sent unmerged leaves that to the service. */
function findMissing(compared: ComparedRows): Problem[] {
  const {operation, merges, comparison} = compared
  if (!merges || !comparison) return []
  const {resource} = writeOperation(operation)
  return comparison.missing.map(({line, id}) => {
    const message = `no ${resource} ${idText(id)} exists that this login may see`
    return problemAt(compared, {line, field: 'id', cell: idText(id)}, {code: 'MISSING_RECORD', message})
  })
}

/** For rows that change a field by a number, problems with the current records, where they were read. */
export function findNow({before, ...compared}: Omit<ComparedRows, 'comparison'>): Problem[] {
  const {operation} = compared
  if (!before) return []
  return findImpossible(compared, writeOperation(operation), (row) => before.records.get(writtenKey(operation, row)))
}

const mostNamed = 20

/** Notices, before a change is sent, about records whose current state is not known. */
export function describeUnread({operation, rows, before}: Pick<Compared, 'operation' | 'rows' | 'before'>): string[] {
  const write = writeOperation(operation)
  const {body, resource, probe, deletes, difference} = write
  if (!before || body === 'create' || difference) return []
  const unread = rows.filter(
    (row) => !row.skip && !isNew(write, row.record) && !before.records.has(writtenKey(operation, row.record)),
  )
  if (unread.length === 0) return []
  const ids = unread.map((row) => idText(idOf(row, write)))
  const where = rangeOf(probe) ? ` in the last ${counted(limits.alertSearchDays, 'day')}` : ''
  const which = `${counted(unread.length, resource)} not found${where} (${listed(ids, mostNamed)})`
  if (deletes === 'all') return [`${which}: the service refuses a set with a record that it does not have`]
  return [`${which}: without their previous values this cannot be undone, and a lost answer may stay in doubt`]
}

/** A problem for each value of a file that a spreadsheet made of the value in the record. */
function findDamage(compared: ComparedRows, allowsDamage: Checked['allowsDamage']): Problem[] {
  const {comparison} = compared
  if (!allowsDamage || !comparison) return []
  const fields = allFieldsOf(changedResource(writeOperation(compared.operation)))
  return comparison.changes.flatMap(({line, field, from, to}): Problem[] => {
    if (typeof from !== 'string' || typeof to !== 'string' || allowsDamage.has(field) || fields[field]?.opaque)
      return []
    const damage = describeDamage(from, to)
    if (damage === undefined) return []
    const message = `${damage}; if it is meant, add: ${flagText('allow-damage', field)}`
    return [problemAt(compared, {line, field, cell: to, write: [from]}, {code: 'SPREADSHEET_DAMAGE', message})]
  })
}
