import {thousands} from '../../../values/counted.js'
import type {TextCell, TextPage, TextSection, TextTable} from '../html/text-page.js'
import {toLine, toMarkdown} from './markdown.js'

/**
 * A page as Markdown of about `mostBytes` at most; tables say what they leave out. Values are code: nothing in them
 * mentions a person, links elsewhere, or is markup.
 */
export function renderMarkdownPage({title, facts, tiles = [], sections}: TextPage, mostBytes: number): string {
  const ofFacts = facts.map(([name, text]) => [toMarkdown(name), toCode(text)])
  const [names, values] = [tiles.map(({name}) => name), tiles.map(({value}) => value)]
  const ofTiles = tiles.length === 0 ? [] : ['\n', ...toTable(names, [values])]
  const head = [`### ${toMarkdown(title)}\n\n`, ...toTable(['', ''], ofFacts), ...ofTiles].join('')
  const room = {bytes: mostBytes - Buffer.byteLength(head)}
  return head + sections.map((section) => renderSection(section, room, sections.length > 1)).join('')
}

type Room = {bytes: number}

function renderSection({title, texts = [], command, tables = []}: TextSection, room: Room, isNamed: boolean): string {
  return [
    isNamed ? `\n#### ${toMarkdown(title)}\n` : '',
    ...texts.map((text) => `\n${toMarkdown(text)}\n`),
    command === undefined ? '' : `\n${toCode(command)}\n`,
    ...tables.map((table) => renderTable(table, room, isNamed)),
  ].join('')
}

function renderTable({caption, columns, what, rows, left = 0, all}: TextTable, room: Room, isNamed: boolean): string {
  const lines: string[] = []
  for (const row of rows) {
    const line = toLine(row.map((cell, at) => (columns[at]?.name === '' ? toText(cell) : toCode(toText(cell)))))
    room.bytes -= Buffer.byteLength(line)
    if (room.bytes < 0) break
    lines.push(line)
  }
  const more = rows.length - lines.length + left
  const end = all === undefined ? '.' : `: ${toCode(all)}`
  return [
    isNamed ? `\n${toMarkdown(caption)}\n` : '',
    rows.length === 0
      ? ''
      : `\n${toTable(
          columns.map(({name}) => toCode(name)),
          [],
        ).join('')}${lines.join('')}`,
    more > 0 ? `\n… and ${thousands(more)} more ${what}${end}\n` : '',
  ].join('')
}

function toTable(headers: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [headers, headers.map(() => '---'), ...rows].map(toLine)
}

function toText(cell: TextCell): string {
  return typeof cell === 'string' ? cell : cell.start + cell.changed + cell.end
}

function toCode(text: string): string {
  return text === '' ? '' : `<code>${toMarkdown(text)}</code>`
}
