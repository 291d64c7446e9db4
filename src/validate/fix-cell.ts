import type {FieldPlace} from './field-names.js'
import type {Spelling} from './hints.js'
import {trimInvisible} from './invisible.js'
import type {Finding} from './problem.js'
import {readCell} from './read-cell.js'
import {findSpreadsheetDamage} from './spreadsheet-damage.js'

/** A cell and what was fixed in it; each finishes the sentence "fixed: …". */
export type FixedCell = {cell: string; fixes: readonly string[]}

/** A fix may uncover what needs another one: spaces in a formula around a number. */
const mostRounds = 5

/**
 * A cell as it was certainly meant: what the check of a write says to write, until it says no more. What is not certain
 * stays as it is.
 */
export function fixCell(cell: string, place: FieldPlace, spelling?: Spelling): FixedCell {
  const fixes: string[] = []
  let text = cell
  for (let round = 0; round < mostRounds; round++) {
    const fix = findFix(text, place, spelling)
    if (fix === undefined || fix.write === text) break
    text = fix.write
    fixes.push(fix.name)
    if (fix.isLast) break
  }

  return {cell: text, fixes}
}

/** `isLast`: what is written is the contract's spelling, and no longer that of a locale. */
type Fix = {write: string; name: string; isLast: boolean}

function findFix(text: string, {name, field}: FieldPlace, spelling: Spelling | undefined): Fix | undefined {
  const trimmed = field.kind === 'text' ? text : trimInvisible(text)
  if (trimmed !== text) return {write: trimmed, name: 'spaces around the value', isLast: false}
  const damage = findSpreadsheetDamage(text, name, field)
  if (damage) return toFix(damage)
  let found: Fix | undefined
  readCell(
    text,
    field,
    'omit',
    {
      found: (finding) => {
        found ??= toFix(finding)
      },
      readAs: (_as, {write, fix}) => {
        found ??= {write, name: fix, isLast: true}
      },
    },
    spelling,
  )
  return found
}

function toFix({code, write, fix}: Finding): Fix | undefined {
  const [only, other] = write ?? []
  if (only === undefined || other !== undefined) return undefined
  return {write: only, name: fix ?? names[code] ?? 'spelling of the value', isLast: false}
}

const names: Partial<Record<Finding['code'], string>> = {
  NOT_A_BOOLEAN: 'word for true or false',
  NOT_A_CHOICE: 'spelling of the choice',
  NOT_A_DATE: 'spelling of the time',
  NOT_A_ZONE: 'spelling of the time zone',
  NOT_A_NUMBER: 'spelling of the number',
  NOT_AN_INTEGER: 'spelling of the number',
}
