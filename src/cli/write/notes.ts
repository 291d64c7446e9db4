import {writeOperation} from '../../contract/index.js'
import {compareKnown} from '../../runs/plan/compare-rows.js'
import {type RowList, rowsOfSet} from '../../runs/rows/cut-sets.js'
import {PackedRows} from '../../runs/rows/packed-rows.js'
import {
  type Before,
  type Compared,
  type Comparison,
  countToSend,
  type Known,
  type Planned,
} from '../../runs/rows/phases.js'
import type {Question} from '../../runs/write/needs.js'
import type {CommandContext} from '../app/command-context.js'
import {type Line, toText} from '../app/messages.js'
import type {Around} from '../terminal/prompt.js'
import {renderFirstChanges, renderFirstRecords, renderRecords} from './overview.js'
import {describeComparison, renderChanges} from './render-plan.js'
import {describeWarnings} from './render-problems.js'
import {countAlerts} from './select/count-alerts.js'

/** What is shown before a write, and again above the question. */
export type Notes = {
  /** Shows a warning once. */
  warn(text: string): void
  /** Shows a line once. */
  note(text: Line): void
  /** Shows what is known of the rows of a plan. */
  tell(known: Known): void
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

/** Ids that were not found, above a question: its table stays on a screen of 24 lines. */
const missingAbove = 5

/** The text above the question about a plan, and all its changes or new records for those who ask for them. */
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
    notes.note({safe: await countAlerts([...before.records.values()])})
  const counts = comparison ? describeComparison({operation, comparison, entries: []}, missingAbove) : []
  for (const text of counts) notes.note(text)
  const showAll = () => (isNew ? renderRecords(rows) : renderChanges(changes, 'table', process.stderr))
  const hasDetails = isNew || changes.length > 0
  return {
    above: notes.text(),
    isShown: !quiet,
    details: hasDetails ? async () => toText([{safe: await showAll()}]) : undefined,
  }
}

/** The records that a dry run would make new, the first unless all; none where it shows what would change instead. */
export async function previewNew(plan: Compared, isAll = false): Promise<Line[]> {
  const {body, words} = writeOperation(plan.operation)
  if ((body !== 'create' && body !== 'none') || plan.comparison) return []
  const rows = rowsToSend(plan)
  return isAll ? [{safe: (await renderRecords(rows)).trimEnd()}] : renderFirstRecords(rows, words.nouns, '-v shows all')
}

function rowsToSend({sets, rows}: Planned): RowList {
  if (countToSend({sets}) === rows.length) return rows
  const sent = new PackedRows()
  for (const set of sets) for (const row of rowsOfSet(rows, set)) sent.push(row)
  return sent.list
}

/** What a plan would change in the records as they were read; null where they are not known. */
function compareToAsk({operation, comparison}: Planned, rows: RowList, before: Before | null): Comparison | null {
  const isRead = before && writeOperation(operation).preimage !== 'none'
  return comparison ?? (isRead ? compareKnown({operation, rows}, before.records) : null)
}
