import {type Column, toColumn} from '../../formats/columns.js'
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
