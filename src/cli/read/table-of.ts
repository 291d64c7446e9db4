import type {Column} from '../../formats/columns.js'
import type {Table} from '../../formats/write/sqlite-table.js'

const lineId = 'lineItem.id'

/** The table of a kind of rows: `sites`, `alert_codes`, and `line_items` for the lines of the transaction report. */
export function tableOf(resource: string, columns: readonly Column[]): Table {
  if (columns.some(({name}) => name === lineId)) return {name: 'line_items', key: ['id', lineId]}
  return {name: `${resource.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}s`, key: ['id']}
}
