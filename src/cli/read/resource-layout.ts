import {recordKeyOf} from '../../contract/index.js'
import type {Column} from '../../formats/columns.js'
import type {Table} from '../../formats/write/sqlite-table.js'

export type {Table} from '../../formats/write/sqlite-table.js'

const lineId = 'lineItem.id'

/** The table of a kind of rows: `sites`, `alert_codes`, and `line_items` for the lines of the transaction report. */
export function tableOf(resource: string, columns: readonly Column[]): Table {
  if (columns.some(({name}) => name === lineId)) return {name: 'line_items', key: ['id', lineId]}
  return {name: `${resource.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}s`, key: recordKeyOf(resource)}
}

/** The most wanted columns of each resource; a terminal shows them before the others. */
const firstColumns: Readonly<Record<string, readonly string[]>> = {
  account: ['id', 'organizationId', 'name', 'externalId', 'isEnabled'],
  site: ['id', 'accountId', 'name', 'isActive', 'maxChargePrice', 'commissionTerms', 'timeZone'],
  machine: ['id', 'siteId', 'name', 'prose', 'mode', 'lastHeartBeat.local', 'modelNumber'],
  alert: ['id', 'machineId', 'code', 'message', 'isCleared', 'raisedAt', 'clearedAt'],
  request: ['id', 'time', 'operation', 'status', 'milliseconds', 'records', 'key', 'user', 'fault'],
  run: ['id', 'state', 'command', 'file', 'applied', 'refused', 'inDoubt', 'unsent', 'started'],
  inventoryAdjustment: [
    'id',
    'adjustmentOccurredAt',
    'machineId',
    'selection',
    'productId',
    'adjustmentSize',
    'newStockLevel',
    'userId',
  ],
  transaction: [
    'id',
    'recordedAtUtc',
    'siteName',
    'machineName',
    'lineItem.productName',
    'lineItem.quantity',
    'lineItem.totalPrice',
    'totalPrice',
  ],
}

/** All columns, the most wanted first. */
export function forTerminal(resource: string, columns: readonly Column[]): Column[] {
  const names = firstColumns[resource] ?? []
  const first = names.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  return [...first, ...columns.filter((column) => !first.includes(column))]
}
