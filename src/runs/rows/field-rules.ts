import {amountText, readAmount} from '../../values/decimal-sum.js'

/** How a decimal number is changed: by a percentage, by a difference, or to a number; then to the nearest step. */
export type DecimalChange = {readonly kind: 'percent' | 'add' | 'set'; readonly amount: string; readonly step?: string}

/** The changed number, exactly: halves are rounded away from zero. Undefined for what is no decimal number. */
export function changeDecimal(text: string, {kind, amount, step}: DecimalChange): string | undefined {
  const [value, by] = [toLarge(text), toLarge(amount)]
  if (!value || !by) return undefined
  const changed = kind === 'set' ? by : kind === 'add' ? add(value, by) : raise(value, by)
  const rounded = step === undefined ? changed : roundTo(changed, toLarge(step))
  return rounded && amountText(rounded.units, rounded.scale)
}

type Large = {units: bigint; scale: number}

function toLarge(text: string): Large | undefined {
  const amount = readAmount(text)
  return amount && {units: BigInt(amount.units), scale: amount.scale}
}

function add(one: Large, other: Large): Large {
  const scale = Math.max(one.scale, other.scale)
  return {units: unitsAt(one, scale) + unitsAt(other, scale), scale}
}

function raise({units, scale}: Large, percent: Large): Large {
  const hundred = 100n * 10n ** BigInt(percent.scale)
  return {units: units * (hundred + percent.units), scale: scale + percent.scale + 2}
}

function unitsAt({units, scale}: Large, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale)
}

function roundTo(value: Large, step: Large | undefined): Large | undefined {
  if (!step || step.units <= 0n) return undefined
  const scale = Math.max(value.scale, step.scale)
  const [units, of] = [unitsAt(value, scale), unitsAt(step, scale)]
  const size = units < 0n ? -units : units
  const steps = (2n * size + of) / (2n * of)
  return {units: (units < 0n ? -steps : steps) * step.units, scale: step.scale}
}

/** What `--change` does with a field of the current record. */
export type FieldRule = {
  readonly field: string
  /** Stands for the value in a row until the current record is read, and tells one change from another. */
  readonly mark: string
  readonly change: DecimalChange
}

/** Whether another copy of the same rows would change records once more. */
export function isRelative(rules: readonly FieldRule[] = []): boolean {
  return rules.some(({change}) => change.kind !== 'set')
}
