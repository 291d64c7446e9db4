import {toColumn} from '../../formats/columns.js'
import type {IntakeOptions} from '../../formats/scan/page-renderer.js'
import {columnsBeforeLine, type LoadTables} from './load-table.js'

/** The columns of records, and those of their lines as their fields. */
export function toIntakeOptions({records, lines}: LoadTables, look: readonly string[]): IntakeOptions {
  const ofLine = lines?.columns.slice(columnsBeforeLine) ?? []
  return {
    columns: [
      ...records.columns.map(({path}) => toColumn(path, 'unknown')),
      ...ofLine.map(({path}) => toColumn([lines?.line ?? '', ...path], 'unknown')),
    ],
    ...(lines && {lines: {list: lines.list, line: lines.line}}),
    look,
  }
}
