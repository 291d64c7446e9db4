import type {WriteId} from '../../src/contract/index.js'

/** A mistake of a cell: what stands there, and what the person meant who is asked. */
export type Mistake = {field: string; cell: string; meant: string}

/** A table of 200 rows, each mistake in a row of its own, with the meant value beside it. */
export type MistakenTable = {
  operation: WriteId
  header: readonly string[]
  rows: string[][]
  /** Line and column of each mistake, 1-based. */
  mistakes: readonly (Mistake & {line: number; column: number})[]
}

const long =
  'A name of a site that is far longer than the hundred characters that the service has for the name of a site'

const ofSites: readonly Mistake[] = [
  {field: 'maxChargePrice', cell: '5,00', meant: '5'},
  {field: 'maxChargePrice', cell: '1.250', meant: '1250'},
  {field: 'maxChargePrice', cell: '1,250', meant: '1250'},
  {field: 'maxChargePrice', cell: '1 250', meant: '1250'},
  {field: 'maxChargePrice', cell: '1\u00a0250', meant: '1250'},
  {field: 'maxChargePrice', cell: '$500', meant: '500'},
  {field: 'maxChargePrice', cell: '500 €', meant: '500'},
  {field: 'maxChargePrice', cell: '500.00', meant: '500'},
  {field: 'maxChargePrice', cell: "'500", meant: '500'},
  {field: 'maxChargePrice', cell: '="500"', meant: '500'},
  {field: 'maxChargePrice', cell: '#REF!', meant: '500'},
  {field: 'maxChargePrice', cell: 'five hundred', meant: '500'},
  {field: 'maxChargePrice', cell: '-5', meant: '5'},
  {field: 'maxChargePrice', cell: '', meant: '500'},
  {field: 'maxChargePrice', cell: '1.23457E+15', meant: '1234567'},
  {field: 'maxChargePrice', cell: '\\N', meant: '500'},
  {field: 'maximumMeterSalesJumpAllowed', cell: '10%', meant: '10'},
  {field: 'isActive', cell: 'WAHR', meant: 'true'},
  {field: 'isActive', cell: 'oui', meant: 'true'},
  {field: 'isActive', cell: 'x', meant: 'true'},
  {field: 'commissionTerms', cell: 'Net 30', meant: 'Net30'},
  {field: 'commissionTerms', cell: 'net30', meant: 'Net30'},
  {field: 'commissionTerms', cell: 'Net3O', meant: 'Net30'},
  {field: 'commissionTerms', cell: 'monthly', meant: 'Net30'},
  {field: 'name', cell: '', meant: 'Harbour'},
  {field: 'name', cell: long, meant: 'A shorter name'},
  {field: 'name', cell: 'CafÃ© Nord', meant: 'Café Nord'},
  {field: 'name', cell: 'Quay 7', meant: 'Quay 7b'},
  {field: 'externalAccountTerminalId', cell: 'T\u00a07', meant: 'T 7'},
  {field: 'externalAccountTerminalId', cell: 'T\u200b8', meant: 'T8'},
  {field: 'externalAccountTerminalId', cell: '3-Jan', meant: 'T3-1'},
  {field: 'externalAccountTerminalId', cell: '1.23457E+15', meant: 'T123457'},
  {field: 'externalAccountTerminalId', cell: "'00123", meant: '00123'},
  {field: 'billingAddress', cell: "'=1 Quay Street", meant: '1 Quay Street'},
  {field: 'accountId', cell: '7.0', meant: '7'},
  {field: 'accountId', cell: '0', meant: '7'},
  {field: 'commissionPercentage', cell: '5,5', meant: '5'},
]

const ofAlerts: readonly Mistake[] = [
  {field: 'raisedAt', cell: '30.07.2024', meant: '2024-07-30'},
  {field: 'raisedAt', cell: '30.07.2024 18:07', meant: '2024-07-30T18:07'},
  {field: 'raisedAt', cell: '03/04/2024', meant: '2024-04-03'},
  {field: 'raisedAt', cell: '7/30/2024 6:07 PM', meant: '2024-07-30T18:07'},
  {field: 'raisedAt', cell: '2024-07-30T18:07:05Z', meant: '2024-07-30T18:07:05'},
  {field: 'raisedAt', cell: '45503', meant: '2024-07-30'},
  {field: 'raisedAt', cell: '2024-02-30', meant: '2024-02-28'},
  {field: 'raisedAt', cell: 'yesterday', meant: '2024-07-30'},
  {field: 'isCleared', cell: 'FALSCH', meant: 'false'},
  {field: 'machineId', cell: '#N/A', meant: '11'},
  {field: 'code', cell: 'N\u00a0S', meant: 'NS'},
]

/** What a row without a mistake holds. */
const plain: Record<string, (row: number) => string> = {
  accountId: () => '7',
  orgId: () => '3',
  name: (row) => `Quay ${row}`,
  isActive: () => 'true',
  maxChargePrice: () => '500',
  maximumMeterSalesJumpAllowed: () => '1000',
  commissionTerms: () => 'Net30',
  commissionPercentage: () => '5',
  billingAddress: (row) => `${row} Harbour Road`,
  externalAccountTerminalId: (row) => `T${row}x`,
  machineId: () => '11',
  code: () => 'NS',
  message: (row) => `No sales, case ${row}`,
  isCleared: () => 'false',
  raisedAt: () => '2024-07-30T18:07:05',
}

export const sitesOfMistakes = toTable('sites.create', Object.keys(plain).slice(0, 10), ofSites)
export const alertsOfMistakes = toTable('alerts.create', Object.keys(plain).slice(10), ofAlerts)

function toTable(operation: WriteId, header: readonly string[], mistakes: readonly Mistake[]): MistakenTable {
  const rows = Array.from({length: 200}, (_, place) => header.map((name) => plain[name]?.(place + 2) ?? ''))
  const placed = mistakes.map((mistake, place) => ({
    ...mistake,
    line: 12 + place * 5,
    column: header.indexOf(mistake.field) + 1,
  }))
  for (const {line, column, cell} of placed) (rows[line - 2] as string[])[column - 1] = cell
  return {operation, header, rows, mistakes: placed}
}
