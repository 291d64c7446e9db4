import {makeWorkbook, number, row, text} from '../../support/make-workbook.js'
import type {World} from '../world.js'
import type {Round} from './rounds.js'

type Rows = Pick<Round, 'header' | 'lines'>

const formats = ['csv', 'csv', 'csv', 'csv', 'json', 'xlsx'] as const

export async function writeInput(world: World, rows: Rows, name = 'rows'): Promise<string> {
  const format = world.choices.one('format', formats)
  const path = `${name}.${format}`
  world.write(path, await writers[format](rows))
  return path
}

const writers = {
  csv: ({header, lines}: Rows) =>
    [header, ...lines.map(({cells}) => cells)].map((one) => `${one.map(toCell).join(',')}\n`).join(''),
  json: ({header, lines}: Rows) =>
    `[\n${lines.map(({cells}) => JSON.stringify(Object.fromEntries(header.map((name, at) => [name, toJson(cells[at])])))).join(',\n')}\n]\n`,
  xlsx: ({header, lines}: Rows) =>
    makeWorkbook({sheets: [{rows: [header, ...lines.map(({cells}) => cells)].map(toRow).join('')}]}),
}

/** Without line breaks in quotes, which would make line numbers other than those of rows. */
const toCell = (cell: string) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

function toJson(cell = ''): unknown {
  if (cell === '') return null
  return /^(-?\d{1,15}(\.\d+)?|true|false)$/.test(cell) ? JSON.parse(cell) : cell
}

function toRow(cells: string[], index: number): string {
  const all = cells.map((cell, at) => {
    const place = `${String.fromCharCode(65 + at)}${index + 1}`
    if (cell === '' || /^-?\d{1,15}(\.\d+)?$/.test(cell)) return cell && number(place, cell)
    const escaped = cell.replace(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    return text(place, escaped)
  })
  return row(index + 1, all)
}
