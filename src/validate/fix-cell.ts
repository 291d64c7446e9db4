import type {Field} from '../contract/index.js'
import {trimInvisible} from './invisible.js'
import {repairMojibake} from './mojibake.js'
import {readBooleanWord} from './read-cell.js'
import {unwrapFormula} from './spreadsheet-damage.js'

/** What was fixed in a cell; each finishes the sentence "fixed: …". */
export type FixKind =
  | 'formula around the value'
  | 'text read in another encoding'
  | 'spaces around the value'
  | 'word for true or false'
  | 'spelling of the choice'

export type FixedCell = {cell: string; fixes: readonly FixKind[]}

/** A cell as it was certainly meant; what is not certain stays as it is. Whitespace inside free text is never touched. */
export function fixCell(cell: string, field: Field): FixedCell {
  const fixes: FixKind[] = []
  let text = cell
  const take = (next: string | undefined, kind: FixKind) => {
    if (next === undefined || next === text) return
    text = next
    fixes.push(kind)
  }

  take(unwrapFormula(text), 'formula around the value')
  take(repairProven(text), 'text read in another encoding')
  if (field.kind !== 'text') take(trimInvisible(text), 'spaces around the value')
  if (field.kind === 'boolean') take(readBooleanWord(text)?.toString(), 'word for true or false')
  if (field.kind === 'choice') take(findChoice(text, field), 'spelling of the choice')
  return {cell: text, fixes}
}

function repairProven(text: string): string | undefined {
  const repair = repairMojibake(text)
  return repair?.isProven ? repair.text : undefined
}

function findChoice(text: string, {of = []}: Field): string | undefined {
  const plain = text.toLowerCase()
  return of.find((word) => word.toLowerCase() === plain)
}
