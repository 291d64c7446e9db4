import {writeOperation} from '../../contract/index.js'
import {counted} from '../../values/counted.js'
import {placesOf} from '../plan/cut-sets.js'
import {countRecords} from '../reconcile/judgement.js'
import type {Compared, Planned} from '../rows/phases.js'

/** Where each change makes a new record: that ids change with it. */
export function describeNewIds({operation, sets}: Planned): string[] {
  const {probe, words} = writeOperation(operation)
  if (probe.kind !== 'current' || sets.length === 0) return []
  return [`the ids of ${words.nouns} change: the record in force is retired and a new one takes its place (--results)`]
}

/** Sentences about rows that need not be sent. */
export function describeNothing({operation, file, reading, rows, sets, origin, doubts}: Compared): string[] {
  if (doubts.length > 0) return [] // what their rows change is not known
  if (rows.length === 0) return [reading ? `${file} has no rows: nothing to do.` : 'Nothing matches: nothing to do.']
  const unchanged = placesOf(rows, (skip) => skip === 'unchanged').length
  if (unchanged === 0) return []
  const write = writeOperation(operation)
  const end = sets.length === 0 ? ': nothing to do' : ''
  if (write.deletes === 'all') {
    const is = unchanged === 1 ? 'is' : 'are'
    return [`${countRecords(unchanged, write)} ${is} deleted already and ${is} not sent${end}`]
  }
  const [is, changes] = unchanged === 1 ? ['is', 'changes'] : ['are', 'change']
  if (origin.kind === 'undo') return [`${counted(unchanged, 'row')} ${is} already as before run ${origin.run}${end}`]
  const hint = origin.kind === 'plan' ? '' : ' (--send-unchanged sends them)'
  return [`${counted(unchanged, 'row')} ${changes} nothing and ${is} not sent${hint}${end}`]
}
