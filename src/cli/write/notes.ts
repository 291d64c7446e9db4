import {writeOperation} from '../../contract/index.js'
import {compareToAsk, rowsToSend} from '../../runs/plan/compare-rows.js'
import {toDiffLines} from '../../runs/plan/plan-view.js'
import type {RowList} from '../../runs/rows/cut-sets.js'
import type {Compared, Messages, RowChange} from '../../runs/rows/phases.js'
import type {Question} from '../../runs/write/needs.js'
import {thousands} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {type Line, toText} from '../app/messages.js'
import type {Around} from '../terminal/prompt.js'
import {countAlerts} from './describe-sites.js'
import {cut, renderDiffLines, renderRecords} from './diff-view.js'
import {describeComparison} from './render-plan.js'
import {describeWarnings} from './render-problems.js'

/** Messages before a write, shown again above the question. */
export type Notes = {
  /** Shows a warning once. */
  warn(text: string): void
  /** Shows a line once. */
  note(text: Line): void
  /** Shows the messages about the rows of a plan. */
  tell(messages: Messages): void
  /** Everything so far, as text for a terminal. */
  text(): string
}

export function createNotes({caution, messages}: Pick<CommandContext, 'caution' | 'messages'>): Notes {
  const lines = new Set<Line>()
  const warn = (text: string) => {
    caution(text)
    lines.add(`warning: ${text}`)
  }
  const note = (text: Line) => {
    if (lines.has(text)) return
    messages.note(text)
    lines.add(text)
  }
  return {
    warn,
    note,
    tell({warnings, notices, remarks}) {
      for (const text of [...describeWarnings(warnings), ...notices]) warn(text)
      for (const remark of remarks) note(remark)
    },
    text: () => toText([...lines]),
  }
}

/** Most ids that were not found, above a question: all of it fits a screen of 24 lines. */
const missingAbove = 5

/** The text above the question about a plan, and the details that the answer `d` shows: all changes or new records. */
export async function aroundQuestion(plan: Question, notes: Notes, quiet = false): Promise<Around> {
  const {operation, dates} = plan
  const before = plan.before()
  const rows = rowsToSend(plan)
  const {body, words, endState} = writeOperation(operation)
  const comparison = body === 'create' ? plan.comparison : compareToAsk(plan, rows, before)
  const {changes = []} = comparison ?? {}
  const isNew = comparison === null
  const table = isNew ? await renderFirstRecords(rows, words.nouns, 'd shows all') : await renderFirstChanges(changes)
  for (const text of table) notes.note(text)
  if (body === 'none' && endState && before && !dates)
    notes.note({safe: await countAlerts([...before.records.values()].filter((one) => one[endState.flag] !== true))})
  const counts = comparison ? describeComparison({operation, comparison, entries: []}, missingAbove) : []
  for (const text of counts) notes.note(text)
  const showAll = () => (isNew ? renderRecords(rows) : renderDiffLines(toDiffLines(changes), process.stderr))
  const hasDetails = isNew || changes.length > 0
  return {
    above: notes.text(),
    isShown: !quiet,
    details: hasDetails ? async () => toText([{safe: await showAll()}]) : undefined,
  }
}

/** The first new records of a dry run, or all; none where it shows changes instead. */
export async function previewNew(plan: Compared, isAll = false): Promise<Line[]> {
  const {body, words} = writeOperation(plan.operation)
  if ((body !== 'create' && body !== 'none') || plan.comparison) return []
  const rows = rowsToSend(plan)
  return isAll ? [{safe: (await renderRecords(rows)).trimEnd()}] : renderFirstRecords(rows, words.nouns, '-v shows all')
}

const [most, mostNarrow] = [10, 3]
const narrow = 60
const longest = 60
const fieldsShown = 4

/** The first changes of records by place, above a question; `d` shows the others. */
export async function renderFirstChanges(changes: readonly RowChange[], how = 'd shows all'): Promise<Line[]> {
  const first = changes
    .slice(0, countShown())
    .map(({from, to, ...change}) => ({...change, from: cut(from, longest), to: cut(to, longest)}))
  if (first.length === 0) return []
  const text = renderDiffLines(toDiffLines(first), process.stderr)
  return [{safe: text.trimEnd()}, ...more(changes.length - first.length, 'changes', how)]
}

/** The first new records by what names them, above a question or of a dry run. */
async function renderFirstRecords(rows: RowList, nouns: string, how?: string): Promise<Line[]> {
  const first = rows.slice(0, countShown())
  if (first.length === 0) return []
  const table = await renderRecords(first, {fields: fieldsShown, letters: longest})
  return [{safe: table.trimEnd()}, ...more(rows.length - first.length, nouns, how)]
}

/** Rows to show above a question or a verdict. */
export function countShown(): number {
  const {columns} = process.stderr // 0 or undefined where no width is known
  return columns && columns < narrow ? mostNarrow : most
}

function more(count: number, what: string, how?: string): string[] {
  return count > 0 ? [`… and ${thousands(count)} more ${what}${how === undefined ? '' : ` (${how})`}`] : []
}
