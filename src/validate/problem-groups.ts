import {counted} from '../values/counted.js'
import {linesText} from '../values/place.js'
import {spellInvisible} from './invisible.js'
import {type Problem, problemText, quote, writeText} from './problem.js'

/** Problems of one kind in one column, shown as one line: the first, how many there are, and where the others are. */
export type ProblemGroup = {first: Problem; count: number; message: string}

/** A group of no more cells names every one of them; of a larger one the first values and lines are enough. */
const mostNamed = 50
const valuesShown = 8

/** The order in which people read a file: what concerns all of it, the header, the rows. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
}

/** One group for each kind and column, by the line of its first cell. */
export function groupProblems(problems: readonly Problem[]): ProblemGroup[] {
  return [...Map.groupBy(sortProblems(problems), kindOf).values()].flatMap((group) => {
    const [first] = group
    return first ? [{first, count: group.length, message: describeGroup(first, group)}] : []
  })
}

/** A problem without a cell is told by its message alone, so that only equal messages are one kind. */
function kindOf({severity, code, kind, columnName, column, cell, message}: Problem): string {
  const about = kind ?? (cell === undefined ? message : '')
  return JSON.stringify([severity, code, columnName ?? column ?? null, about])
}

/** `maxChargePrice: not an integer: "5,00"; write 5 (3 cells: lines 2, 4; "7,00" in line 3, write 7)` */
function describeGroup(first: Problem, group: readonly Problem[]): string {
  const text = problemText(first)
  if (group.length === 1) return text
  const isLong = group.length > mostNamed
  const values = [...Map.groupBy(group, toValueKey).values()]
  const shown = values.slice(0, isLong ? valuesShown : values.length).map((same, place) => {
    const lines = linesText(same, isLong ? valuesShown : mostNamed)
    return place === 0 ? lines : describeValue(same, lines)
  })
  const count = counted(group.length, first.column === undefined ? 'row' : 'cell')
  return `${text} (${count}: ${[...shown, ...(shown.length < values.length ? ['…'] : [])].join('; ')})`
}

function toValueKey({cell, write}: Problem): string {
  return JSON.stringify([cell ?? null, write ?? null])
}

function describeValue([problem]: readonly Problem[], lines: string): string {
  const {cell, note, write = []} = problem ?? {}
  const value = cell === undefined || cell === '' ? lines : `${spellInvisible(quote(cell))} in ${lines}`
  return [value, note, write.length > 0 ? `write ${writeText(write)}` : undefined]
    .filter((part) => part !== undefined)
    .join(', ')
}
