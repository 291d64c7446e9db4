import {exitCodeOf, type WriteId, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {type JsonValue, printJson} from '../../values/json.js'
import {lineText, placeIn} from '../../values/place.js'
import {idText} from '../../values/record-key.js'
import type {RunFacts} from '../journal/run-facts.js'
import type {LeftRow, UndoConflict} from './plan-undo.js'

/** A row that the run applied and that is not undone. */
export function toLeftEntry({line, code, why}: LeftRow, facts: RunFacts): ErrorEntry {
  const message = `run ${facts.id} ${lineText(placeIn(facts, line))} is not undone: ${why}`
  return {code, message, exit: exitCodeOf('incomplete').code, changed: 'none', retry: 'no'}
}

export function leftRows({id}: RunFacts, entries: ErrorEntry[]): CliFailure {
  return new CliFailure(`Run ${id} cannot be undone: ${counted(entries.length, 'row')} in the way; nothing was sent.`, {
    code: 'UNDO_CONFLICT',
    exit: 'incomplete',
    entries,
    hints: [`See what it did: ${commandLine('runs show', [id])}`],
  })
}

export function nothingToUndo(id: string, ...why: string[]): CliFailure {
  return new CliFailure(`Nothing of run ${id} can be undone: ${why.join('; ')}. Nothing was sent.`, {
    code: 'NOTHING_TO_UNDO',
    exit: 'invalid',
    retry: 'no',
    hints: [`See what it did: ${commandLine('runs show', [id])}`],
  })
}

export function doubtful(id: string, rows: number): CliFailure {
  return new CliFailure(`${counted(rows, 'row')} of run ${id} may or may not have been applied; nothing was sent.`, {
    code: 'RUN_IN_DOUBT',
    exit: 'inDoubt',
    retry: 'reconcile-first',
    hints: [`Find out first: ${commandLine('runs reconcile', [id])}`],
  })
}

export function changedSince(facts: RunFacts, operation: WriteId, conflicts: readonly UndoConflict[]): CliFailure {
  const {id} = facts
  const {resource} = writeOperation(operation)
  const rows = counted(conflicts.length, 'row')
  return new CliFailure(`Run ${id} cannot be undone completely: someone changed ${rows} since; nothing was sent.`, {
    code: 'UNDO_CONFLICT',
    exit: 'incomplete',
    entries: conflicts.flatMap((conflict) => toEntries(facts, resource, conflict)),
    hints: [`To undo the other rows: ${commandLine('runs undo', [id], {'skip-changed': true})}`],
  })
}

function toEntries(facts: RunFacts, resource: string, conflict: UndoConflict): ErrorEntry[] {
  const {line, fields} = conflict
  const record = `run ${facts.id} ${lineText(placeIn(facts, line))}: ${resource} ${idText(conflict.id)}`
  const texts = fields.map(
    ({field, before, sent, now}) =>
      `${record} ${field} is now ${shown(now)}; the run changed it from ${shown(before)} to ${shown(sent)}`,
  )
  const all = fields.length === 0 ? [`${record} is no longer found`] : texts
  const exit = exitCodeOf('incomplete').code
  return all.map((message) => ({code: 'CHANGED_SINCE', message, exit, changed: 'none', retry: 'after-fix'}))
}

function shown(value: JsonValue): string {
  return printJson(value)
}
