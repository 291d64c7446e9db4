import {allFieldsOf, changedResource, type Write} from '../../contract/index.js'
import type {Problem} from '../../validate/problem.js'
import {counted, thousands} from '../../values/counted.js'
import {type JsonRecord, type JsonValue, toNumber} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {problemAt} from '../check/invalid-input.js'
import {type FieldChange, spellRecord} from '../rows/merge-fields.js'
import type {Batch, Comparison} from '../rows/phases.js'
import {idOf} from '../rows/row-content.js'

/** Change of the record by a row that changes a field by a number; where the field is no number, the number itself. */
export function changeByNumber(write: Write, current: JsonRecord, row: JsonRecord): FieldChange | undefined {
  const {difference} = write
  if (!difference) return undefined
  const {field, by} = difference
  const {[field]: from = null} = spell(current, write)
  const [count, size = 0n] = [toInteger(from), toInteger(row[by])]
  return {field, from, to: count === undefined ? toSignedText(size) : toNumber(String(count + size))}
}

/** `+5` */
export function toSignedText(size: bigint | number): string {
  return `${size > 0 ? '+' : ''}${size}`
}

/** A whole number, whether it came as a number or as a text. */
export function toInteger(value: JsonValue | undefined): bigint | undefined {
  const [, digits] = /^\s*([+-]?\d+)(?:\.0*)?\s*$/.exec(idText(value)) ?? []
  return digits === undefined ? undefined : BigInt(digits)
}

/** A record by the spelling of the contract. */
function spell(record: JsonRecord, write: Write): JsonRecord {
  return spellRecord(record, allFieldsOf(changedResource(write)))
}

/** A problem for each row whose record does not exist, or that moves its field out of its current bounds. */
export function findImpossible(
  plan: Pick<Batch, 'file' | 'layout' | 'columns' | 'rows'>,
  write: Write,
  currentOf: (row: JsonRecord) => JsonRecord | undefined,
) {
  if (!write.difference) return []
  return plan.rows.flatMap(({line, record, skip}): Problem[] => {
    if (skip !== undefined) return []
    const current = currentOf(record)
    const found = current ? findImpossibleChange(write, current, record) : findNone(write, record)
    if (!found) return []
    const {field, code, message} = found
    const kind = message // the numbers of one row are not those of another
    return [problemAt(plan, {line, field, cell: idText(record[field])}, {code, kind, message})]
  })
}

export type Impossible = {field: string; code: 'MISSING_RECORD' | 'OUT_OF_BOUNDS'; message: string}

function findNone(write: Write, record: JsonRecord): Impossible {
  const {target} = write
  const message = `no ${changedResource(write)} ${idText(idOf({record}, write))} exists that this login may see`
  return {field: target, code: 'MISSING_RECORD', message}
}

/** Machines sell meanwhile, so this is no promise; but a change that is impossible now is most likely a mistake. */
export function findImpossibleChange(write: Write, current: JsonRecord, row: JsonRecord): Impossible | undefined {
  const {difference} = write
  if (!difference) return undefined
  const {field, by, most} = difference
  const known = spell(current, write)
  const [count, size, limit] = [toInteger(known[field]), toInteger(row[by]), toInteger(known[most])]
  if (count === undefined || size === undefined) return undefined
  const made = `${field} is ${count} now, and ${toSignedText(size)} makes it ${count + size}`
  const tell = (why: string): Impossible => ({field: by, code: 'OUT_OF_BOUNDS', message: `${made}, ${why}`})
  if (size < 0n) return count + size < 0n ? tell('below 0') : undefined
  return limit !== undefined && count + size > limit ? tell(`above its ${most} of ${limit}`) : undefined
}

/** The sum of the counts before and after a write, as a sentence; none where no field changes by a number. */
export function describeTotals({changes}: Pick<Comparison, 'changes'>, {difference, ...write}: Write): string[] {
  if (!difference || changes.length === 0) return []
  let [before, more, less] = [0n, 0n, 0n]
  for (const {from, to} of changes) {
    const [one, other] = [toInteger(from), toInteger(to)]
    if (one === undefined || other === undefined) continue
    before += one
    if (other > one) more += other - one
    else less += one - other
  }

  const sizes = [more > 0n ? `+${thousands(String(more))}` : '', less > 0n ? `-${thousands(String(less))}` : '']
  const after = before + more - less
  const records = counted(changes.length, changedResource({...write, difference}))
  return [
    `Sum of ${difference.field} in ${records}: ${thousands(String(before))} now, ${thousands(String(after))} then (${sizes.filter(Boolean).join(' ')}), if nothing is sold meanwhile.`,
  ]
}
