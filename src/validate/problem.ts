import type {inputProblems} from '../contract/index.js'
import {counted} from '../values/counted.js'
import {type JsonValue, printJson} from '../values/json.js'
import {type FilePlace, linesText} from '../values/place.js'
import {spellInvisible} from './invisible.js'

/** A reason why a row fails the check before anything is sent; a warning does not stop it. */
export type Problem = FilePlace & {
  file: string
  /** Lines of all rows that it is about, where they are several. */
  lines?: number[]
  columnName?: string
  severity: 'error' | 'warning'
  code: ProblemCode
  /** Tells problems apart that have one code and are not about the same; those of one kind are shown together. */
  kind?: string
  message: string
  cell?: string
  /** A note on this value alone. */
  note?: string
  /** Values to write instead: one is certain, several are all that it may mean. */
  write?: readonly string[]
  /** Flags that may end it, ready to paste. */
  remedy?: string
}

/** A record that an update names and the service does not have is refused as the service would. */
type ProblemCode = keyof typeof inputProblems | 'MISSING_RECORD'

/**
 * A problem of one value. The message finishes the sentence "this is …" and contains the value where it helps;
 * `tellFinding` adds what to write instead.
 */
export type Finding = Pick<Problem, 'code' | 'kind' | 'note'> & {
  message: string
  severity?: 'warning'
  write?: readonly string[]
  /** Name of a fix that writes it; by the code unless given. */
  fix?: string
}

export function tellFinding({code, message, note, write = []}: Finding): string {
  const told = note === undefined ? message : `${message}; ${note}`
  if (write.length === 0) return told
  const values = writeText(write)
  return code === 'NOT_A_CHOICE' ? `${told}; did you mean ${values}?` : `${told}; write ${values}`
}

/** Values to write: `5`, `5 or 5000`. */
export function writeText(write: readonly string[]): string {
  return write.map((text) => (plainValue.test(text) && text.length <= shownLetters ? text : quote(text))).join(' or ')
}

const plainValue = /^[!-~]+(?: [!-~]+)*$/

/** Codes of problems of one value; all others are about a row, a column or a file. */
const ofValues: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'SPREADSHEET_DAMAGE',
  'NOT_AN_INTEGER',
  'NOT_A_NUMBER',
  'NOT_A_BOOLEAN',
  'NOT_A_TEXT',
  'NOT_A_RECORD',
  'NOT_A_CHOICE',
  'NOT_A_DATE',
  'NOT_A_ZONE',
  'HALF_CHARACTER',
  'NOT_NULLABLE',
  'TOO_LONG',
  'TOO_SMALL',
  'NOT_ALLOWED',
  'UNKNOWN_COLUMN',
])

/** Whether a problem is none where the record has that value already, so that every list goes back as it came. */
export function mayBeUnchanged({code, line, columnName}: Problem, identity: readonly string[]): boolean {
  return ofValues.has(code) && line !== undefined && columnName !== undefined && !identity.includes(columnName)
}

/** The message of a problem behind the name of its column: `maxChargePrice: not an integer: "5,00"`. */
export function problemText({columnName, message}: Problem): string {
  return columnName === undefined ? message : `${columnName}: ${message}`
}

const shownLetters = 60

/** A value as messages show it: in quotes, on one line, cut when it is long. */
export function quote(text: string): string {
  const letters = text.length > shownLetters * 2 ? text.slice(0, shownLetters * 2) : text
  const shown = Array.from(letters)
  return JSON.stringify(
    shown.length > shownLetters || letters !== text ? `${shown.slice(0, shownLetters).join('')}…` : text,
  )
}

/** A value as messages show it: texts in quotes, others as JSON. */
export function quoteValue(value: JsonValue): string {
  return typeof value === 'string' ? quote(value) : printJson(value)
}

/** Problems of one kind in one column, shown as one line: the first, how many there are, and where the others are. */
export type ProblemGroup = {first: Problem; count: number; message: string}

/** The most cells of a group that are all named; of a larger one only the first values and lines are. */
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
  const values = [...Map.groupBy(group, ({cell, write}) => JSON.stringify([cell ?? null, write ?? null])).values()]
  const shown = values.slice(0, isLong ? valuesShown : values.length).map((same, place) => {
    const lines = linesText(same, isLong ? valuesShown : mostNamed)
    return place === 0 ? lines : describeValue(same, lines)
  })
  const count = counted(group.length, first.column === undefined ? 'row' : 'cell')
  return `${text} (${count}: ${[...shown, ...(shown.length < values.length ? ['…'] : [])].join('; ')})`
}

function describeValue([problem]: readonly Problem[], lines: string): string {
  const {cell, note, write = []} = problem ?? {}
  const value = cell === undefined || cell === '' ? lines : `${spellInvisible(quote(cell))} in ${lines}`
  return [value, note, write.length > 0 ? `write ${writeText(write)}` : undefined]
    .filter((part) => part !== undefined)
    .join(', ')
}
