import {readFileSync} from 'node:fs'
import {crc32, inflateRawSync} from 'node:zlib'

/** A cell as a spreadsheet keeps it: `style` is its number format, `fill` the colour behind it, if any. */
export type WorkbookCell = {kind: 'number' | 'text' | 'boolean'; text: string; style: string; fill?: string}
type Look = {style: string; fill?: string}
export type Sheet = {name: string; rows: (WorkbookCell | undefined)[][]}

/** The parts of a zip file, found by its central directory; every checksum and size is held. */
export function readZip(path: string): Map<string, Buffer> {
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  const parts = new Map<string, Buffer>()
  for (let at = bytes.readUInt32LE(end + 16), left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ]
    const [sum, packed, size, start] = [16, 20, 24, 42].map((place) => bytes.readUInt32LE(at + place)) as number[]
    const data =
      (start as number) + 30 + bytes.readUInt16LE((start as number) + 26) + bytes.readUInt16LE((start as number) + 28)
    const stored = bytes.subarray(data, data + (packed as number))
    const part = bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(stored) : Buffer.from(stored)
    if (crc32(part) !== sum || part.length !== size) throw new Error('a damaged part')
    parts.set(bytes.toString('utf8', at + 46, at + 46 + name), part)
    at += 46 + name + extra + comment
  }

  return parts
}

/** The sheets of a workbook, read by a reader that shares nothing with the writer. */
export function readWorkbook(path: string): Sheet[] {
  const parts = readZip(path)
  const text = (name: string) => parts.get(name)?.toString() ?? ''
  const styles = text('xl/styles.xml')
  const fills = [...styles.matchAll(/<fill>(.*?)<\/fill>/gs)].map(([, fill = '']) => /rgb="(\w+)"/.exec(fill)?.[1])
  const looks = [
    ...(/<cellXfs.*<\/cellXfs>/s.exec(styles)?.[0] ?? '').matchAll(/<xf numFmtId="(\d+)"[^>]* fillId="(\d+)"/g),
  ].map(([, style = '', fill]): Look => {
    const colour = fills[Number(fill)]
    return {style, ...(colour !== undefined && {fill: colour})}
  })
  const targets = new Map(
    [...text('xl/_rels/workbook.xml.rels').matchAll(/Id="([^"]+)"[^>]*Target="([^"]+)"/g)].map(([, id, target]) => [
      id,
      target,
    ]),
  )
  return [...text('xl/workbook.xml').matchAll(/<sheet name="([^"]*)"[^>]*r:id="([^"]+)"/g)].map(
    ([, name = '', id]) => ({
      name: fromXml(name),
      rows: readSheet(text(`xl/${targets.get(id)}`), looks),
    }),
  )
}

function readSheet(xml: string, looks: readonly Look[]): (WorkbookCell | undefined)[][] {
  const rows: (WorkbookCell | undefined)[][] = []
  for (const [, number, inner = ''] of xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)) {
    const row: (WorkbookCell | undefined)[] = []
    for (const [, letters = '', at, attributes = '', content = ''] of inner.matchAll(
      /<c r="([A-Z]+)(\d+)"([^>]*?)(?:\/>|>(.*?)<\/c>)/gs,
    )) {
      if (at !== number) throw new Error('a cell in another row')
      row[toPlace(letters)] = toCell(attributes, content, looks)
    }

    rows[Number(number) - 1] = row
  }

  return rows
}

function toCell(attributes: string, content: string, looks: readonly Look[]): WorkbookCell {
  const look = looks[Number(/ s="(\d+)"/.exec(attributes)?.[1] ?? 0)] ?? {style: ''}
  const value = /<v>(.*)<\/v>/s.exec(content)?.[1]
  if (attributes.includes('t="b"')) return {kind: 'boolean', text: value === '1' ? 'true' : 'false', ...look}
  if (attributes.includes('t="inlineStr"')) {
    return {kind: 'text', text: fromXml(/<t[^>]*>(.*)<\/t>/s.exec(content)?.[1] ?? ''), ...look}
  }

  return {kind: 'number', text: value ?? '', ...look}
}

function toPlace(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Undoes XML first, then the escapes of spreadsheets. */
function fromXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
