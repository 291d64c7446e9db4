import {writeOperation} from '../../contract/index.js'
import type {Undo} from '../../runs/undo/plan-undo.js'
import {counted} from '../../values/counted.js'
import {lineText, placeIn} from '../../values/place.js'
import {thousands} from '../../values/thousands.js'

/** Sentences about the rows of a run that are not undone, and why. */
export function describeUndo({conflicts, notUndone, stayCleared, left = [], plan}: Undo): string[] {
  const {neverApplied, unknown, final, before, deleted} = notUndone
  const {done = '', never = ''} = writeOperation(plan.operation).endState ?? {}
  const changed = conflicts.map(({line, fields}) => {
    const names = fields.map(({field}) => field).join(', ')
    return `${lineText(placeIn(plan, line))} (${names === '' ? 'no longer found' : names})`
  })
  return [
    countRows(neverApplied, 'was not applied by this run', 'were not applied by this run'),
    countRows(
      unknown,
      'is not undone: how it was before is not known',
      'are not undone: how they were before is not known',
    ),
    countRows(final, `is not undone: ${never}`, `are not undone: ${never}`),
    countRows(
      deleted,
      'is not undone: it deleted its record, which no update brings back',
      'are not undone: they deleted their records, which no update brings back',
    ),
    countRows(before, 'was undone already and changed again since', 'were undone already and changed again since'),
    countRows(stayCleared, `is undone and stays ${done}`, `are undone and stay ${done}`),
    ...(changed.length > 0 ? [`skipped, because someone changed them since ${plan.file}: ${shorten(changed)}`] : []),
    ...left.slice(0, linesNamed).map(({line, why}) => `${lineText(placeIn(plan, line))} is not undone: ${why}`),
    left.length > linesNamed ? `${counted(left.length - linesNamed, 'more row')} not undone` : undefined,
  ].filter((text) => text !== undefined)
}

const linesNamed = 20

function shorten(lines: readonly string[]): string {
  const more = lines.length - linesNamed
  return [...lines.slice(0, linesNamed), ...(more > 0 ? [`and ${thousands(more)} more`] : [])].join(', ')
}

function countRows(count: number, one: string, many: string): string | undefined {
  if (count === 0) return undefined
  return `${counted(count, 'row')} ${count === 1 ? one : many}`
}
