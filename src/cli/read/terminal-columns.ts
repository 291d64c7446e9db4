import type {Column} from '../../formats/columns.js'

/** What people look for first, by resource; on a terminal these columns stand before the others. */
const firstColumns: Readonly<Record<string, readonly string[]>> = {
  account: ['id', 'organizationId', 'name', 'externalId', 'isEnabled'],
  site: ['id', 'accountId', 'name', 'isActive', 'maxChargePrice', 'commissionTerms', 'timeZone'],
  machine: ['id', 'siteId', 'name', 'prose', 'mode', 'lastHeartBeat.local', 'modelNumber'],
  alert: ['id', 'machineId', 'code', 'message', 'isCleared', 'raisedAt', 'clearedAt'],
  run: ['id', 'state', 'command', 'file', 'applied', 'refused', 'inDoubt', 'unsent', 'started'],
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

/** The same columns with those first that people look for; nothing is left out. */
export function forTerminal(resource: string, columns: readonly Column[]): Column[] {
  const names = firstColumns[resource] ?? []
  const first = names.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  return [...first, ...columns.filter((column) => !first.includes(column))]
}
