import {type Column, toColumn} from '../../formats/columns.js'
import {isNumber, type JsonRecord, type JsonValue, numberText} from '../../values/json.js'
import type {SummaryKey} from './summary-keys.js'

type Key = {
  /** The field of a line by which groups are formed, and one that names them for people. */
  readonly field: string
  readonly nameField?: string
  readonly columns: readonly Column[]
}

const localTime = 'lineItem.occurredAtLocalTime'

export const keys: Readonly<Record<SummaryKey, Key>> = {
  day: {field: localTime, columns: [{...toColumn(['day'], 'text'), clock: 'local'}]},
  week: {field: localTime, columns: [toColumn(['week'], 'text')]},
  month: {field: localTime, columns: [toColumn(['month'], 'text')]},
  hour: {field: localTime, columns: [toColumn(['hour'], 'integer')]},
  site: {
    field: 'siteId',
    nameField: 'siteName',
    columns: [toColumn(['siteId'], 'integer'), toColumn(['siteName'], 'text')],
  },
  machine: {
    field: 'machineId',
    nameField: 'machineName',
    columns: [toColumn(['machineId'], 'integer'), toColumn(['machineName'], 'text')],
  },
  product: {
    field: 'lineItem.productId',
    nameField: 'lineItem.productName',
    columns: [toColumn(['productId'], 'integer'), toColumn(['productName'], 'text')],
  },
}

/** The fields of totals, by the column that shows each. */
export const totals = {
  quantity: 'lineItem.quantity',
  totalPrice: 'lineItem.totalPrice',
  taxCharged: 'lineItem.taxCharged',
  commission: 'lineItem.commission',
} as const
export type TotalName = keyof typeof totals
export const totalNames = Object.keys(totals) as TotalName[]

export const batchField = 'id'
export const successField = 'lineItem.vendWasSuccessful'
/** Every line item has it, so that one without any other value is told from a batch without line items. */
const lineField = 'lineItem.id'

/** Fields that a line must have for a summary; a name for people may be missing. */
export function neededFields(by: readonly SummaryKey[]): string[] {
  return [...new Set([batchField, ...by.map((key) => keys[key].field), successField, ...Object.values(totals)])]
}

/** All fields that a summary uses. */
export function summaryFields(by: readonly SummaryKey[]): string[] {
  return [...neededFields(by), lineField, ...by.flatMap((key) => keys[key].nameField ?? [])]
}

/** The columns of a summary: what its rows are counted by, then counts and totals. */
export function summaryColumns(by: readonly SummaryKey[]): Column[] {
  return [
    ...by.flatMap((key) => keys[key].columns),
    ...['batches', 'lines', 'failedLines'].map((name) => toColumn([name], 'integer')),
    ...[...totalNames, 'failedPrice'].map((name) => toColumn([name], 'decimal')),
  ]
}

const barColumn = toColumn(['bar'], 'text')
/** The most wanted columns come before those that may not fit the terminal. */
const firstCounts = ['totalPrice', 'bar', 'lines', 'batches', 'failedLines']

/** The columns with those in front that people look for first, and a bar beside each price. */
export function withBars(columns: readonly Column[]): Column[] {
  const all = [...columns, barColumn]
  const first = firstCounts.flatMap((name) => all.find((column) => column.name === name) ?? [])
  const counts = columns.findIndex(({name}) => name === 'batches')
  return [...columns.slice(0, counts), ...first, ...columns.slice(counts).filter((column) => !first.includes(column))]
}

/** No longer than what a table never cuts: a cut bar would lie. */
const longestBar = 12
/** Bars from an eighth of a cell to a full one. */
const blocks = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'] as const

/** Adds a `bar` to each group, in proportion to the exact price beside it. */
export function drawBars(groups: readonly JsonRecord[]): JsonRecord[] {
  const sizes = groups.map(({totalPrice}) => toSize(totalPrice))
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0)
  return groups.map((group, place) => ({...group, bar: largest > 0 ? toBar((sizes[place] ?? 0) / largest) : ''}))
}

/** Any amount above zero is visible. */
function toBar(share: number): string {
  const eighths = share > 0 ? Math.max(1, Math.round(share * longestBar * blocks.length)) : 0
  const fullBlock = blocks[blocks.length - 1] as string
  return fullBlock.repeat(Math.floor(eighths / blocks.length)) + (blocks[(eighths % blocks.length) - 1] ?? '')
}

function toSize(value: JsonValue | undefined): number {
  return isNumber(value) ? Math.max(0, Number(numberText(value))) : 0
}
