import {type Field, fieldsOf, type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {toPlainName} from '../../validate/field-names.js'
import {isDecimal} from '../../values/decimal.js'
import {defined} from '../../values/defined.js'
import {suggest} from '../../values/suggest.js'
import {changeDecimal, type DecimalChange, type FieldRule} from '../rows/merge-fields.js'

/** Nothing is rounded that is only added; a percentage is rounded to this, unless `--round` says otherwise. */
const defaultStep = {decimal: '0.01', integer: '1'} as const

const pattern = /^(?:=([+-]?\d[\d.]*)|([+-]\d[\d.]*)(%?))$/

/** Reads `FIELD=+5%`, `FIELD=-0.10` and `FIELD==2.50`. Throws a `CliFailure` (usage). */
export function readFieldRules(operation: WriteId, texts: readonly string[] = [], round?: string): FieldRule[] {
  if (round !== undefined && texts.length === 0) throw invalidRound(round, 'only what --change makes is rounded')
  if (round !== undefined && changeDecimal('0', {kind: 'add', amount: '0', step: round}) === undefined)
    throw invalidRound(round, 'not a number above 0')
  const rules = texts.map((text) => readRule(operation, text, round))
  const twice = rules.find(({field}, place) => rules.findIndex((other) => other.field === field) !== place)
  if (twice) throw invalidChange(`${twice.field} is given twice.`)
  return rules
}

function readRule(operation: WriteId, text: string, round: string | undefined): FieldRule {
  const end = text.indexOf('=')
  const written = text.slice(0, Math.max(end, 0)).trim()
  const value = text.slice(end + 1).trim()
  if (written === '' || value === '')
    throw invalidChange(`${JSON.stringify(text)} is not FIELD=+5%, FIELD=-0.10 or FIELD==2.50.`)
  const [name, field] = findField(operation, written)
  const change = readChange(text, value, field, round)
  return {field: name, mark: change.step === undefined ? value : `${value} rounded to ${change.step}`, change}
}

function findField(operation: WriteId, written: string): [string, Field] {
  const {resource, live, identity} = writeOperation(operation)
  const all = Object.entries(fieldsOf(resource, 'update'))
  const isNumber = ([name, {kind, refersTo}]: [string, Field]) =>
    (kind === 'decimal' || kind === 'integer') && refersTo === undefined && !identity.includes(name)
  const fields = all.filter((entry) => isNumber(entry) && !live.includes(entry[0]))
  const known = fields.find(([name]) => toPlainName(name) === toPlainName(written))
  if (known) return known
  const other = all.find(([name]) => toPlainName(name) === toPlainName(written))?.[0]
  if (other !== undefined && live.includes(other))
    throw invalidChange(`${other} changes by itself meanwhile.`, 'Change stock by a difference with: selections adjust')
  const names = fields.map(([name]) => name)
  const near = suggest(written, names)
  const why = other === undefined ? 'is no field that this write sends' : 'is no number'
  throw invalidChange(
    `${other ?? JSON.stringify(written)} ${why}${near ? `; did you mean ${near}?` : '.'}`,
    `Numbers that can be changed: ${names.join(', ')}.`,
  )
}

function readChange(text: string, value: string, {kind}: Field, round: string | undefined): DecimalChange {
  const [, to, by, percent] = pattern.exec(value) ?? []
  const amount = to ?? by
  if (amount === undefined || !isDecimal(amount)) throw unreadable(text, value)
  const how = to !== undefined ? 'set' : percent === '%' ? 'percent' : 'add'
  const step = round ?? (how === 'percent' ? defaultStep[kind === 'integer' ? 'integer' : 'decimal'] : undefined)
  const part = [how === 'percent' ? '' : amount, step].find((digits) => digits?.includes('.'))
  if (kind === 'integer' && part !== undefined)
    throw invalidChange(`${text}: the field takes whole numbers, and ${part} is none.`)
  return {kind: how, amount, ...defined({step})}
}

function unreadable(text: string, value: string): CliFailure {
  const plain = value.replaceAll(/\s/g, '').replace(',', '.')
  const proposals = pattern.test(plain) ? [plain] : isDecimal(plain) ? [`+${plain}`, `=${plain}`] : []
  const field = text.slice(0, text.indexOf('='))
  const write = proposals.map((one) => `--change ${field}=${one}`)
  const hint =
    write.length === 0 ? undefined : `Write ${write.join(' to add it, or ')}${write.length > 1 ? ' to set it' : ''}`
  return invalidChange(`${JSON.stringify(value)} is not +5%, -0.10 or =2.50.`, hint)
}

function invalidChange(
  message: string,
  hint = 'Write the field, = and the change, such as: --change price=+5%',
): CliFailure {
  return new CliFailure(`--change: ${message}`, {code: 'INVALID_CHANGE', hints: [hint]})
}

function invalidRound(round: string, why: string): CliFailure {
  return new CliFailure(`--round ${round}: ${why}`, {
    code: 'INVALID_CHANGE',
    hints: ['Name the step to which prices are rounded, such as: --change price=+5% --round 0.05'],
  })
}
