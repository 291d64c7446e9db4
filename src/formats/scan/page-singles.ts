import {comma} from '../../values/byte-codes.js'
import {splitElements} from '../../values/elements.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {createFlatten, type Lost} from '../flatten.js'
import {type LineNames, toLines} from '../lines.js'
import {findName} from '../record-path.js'
import {integersPerRecord, notCompact, type ScannedPage} from './page-elements.js'
import type {IntakeOptions} from './page-intake.js'
import type {PageWriter} from './page-kind.js'
import {PageOutput} from './page-output.js'
import {createPageRows} from './page-rows.js'
import type {Shapes} from './page-shapes.js'
import type {RowVisitor} from './printed-rows.js'
import {parseRecord} from './record-scan.js'

export type PageSinglesOptions = Pick<IntakeOptions, 'columns' | 'lines' | 'chosen' | 'match'> & {shapes: Shapes}

/**
 * Writes each row as a record with one element in its list, cut from the bytes that came, behind a comma. Without chosen
 * columns, values that no column shows are counted. Time: linear in bytes; memory: one page of output.
 */
export function createPageSingles({columns, lines, chosen, match, shapes}: PageSinglesOptions): PageWriter {
  const countsLost = chosen === undefined
  const rows = createPageRows({columns: countsLost ? columns : [], lines, countsLost, shapes, match})
  const flatten = createFlatten(columns)
  /** By shape, where the token of the list stands; -1 without one. */
  const lists: number[] = []
  let output = new PageOutput()
  let [start, end, listStart, listEnd] = [0, 0, 0, 0]
  let bounds: readonly number[] = []
  let [item, line] = [0, 0]

  const visitor: RowVisitor = {
    record: () => undefined,
    row({bytes, items}, first) {
      separate(output)
      if (bounds.length <= 2) output.copy(bytes, start, end)
      else {
        for (; item + 1 < first; line += 2) item += 1 + shapes.sizeOf(items[item] as number)
        output.copy(bytes, start, listStart + 1)
        output.copy(bytes, listStart + (bounds[line] as number), listStart + (bounds[line + 1] as number))
        output.copy(bytes, listEnd - 1, end)
      }
      output.endRow()
    },
  }

  return {
    header: '',
    record(page, index, into, lost) {
      output = into
      begin(page, index * integersPerRecord)
      const visited = rows.visitPlanned(page, index, visitor, lost)
      return visited < 0 ? parsed(parseRecord(page, index), lost) : visited
    },
  }

  function begin({bytes, records, tokens}: ScannedPage, place: number): void {
    start = records[place] as number
    end = records[place + 1] as number
    const offset = listOf(records[place + 2] as number)
    bounds = []
    if (offset < 0) return
    const token = (records[place + 3] as number) + offset
    item = tokens[token] as number
    line = 0
    listStart = tokens[token + 2] as number
    listEnd = tokens[token + 3] as number
    bounds = splitElements(bytes.subarray(listStart, listEnd)).bounds
  }

  function listOf(marked: number): number {
    if (!lines || marked < 0) return -1
    const shape = marked & ~notCompact
    lists[shape] ??= findList(shape, lines)
    return lists[shape]
  }

  function findList(shape: number, {list}: LineNames): number {
    const field = shapes
      .fieldsOf(shape)
      .find(({kind, path}) => kind === 'list' && path.length === 1 && path[0] === list)
    return field?.offset ?? -1
  }

  function parsed(record: JsonRecord, lost: Lost): number {
    let written = 0
    for (const single of lines ? toSingles(record, lines) : [record]) {
      const [row = single] = lines ? toLines(single, lines) : []
      if (match && !match.holds(row)) continue
      if (countsLost) flatten(row, lost)
      separate(output)
      output.text(printJson(single))
      output.endRow()
      written++
    }

    return written
  }
}

function separate(output: PageOutput): void {
  output.ensure(1)
  output.bytes[output.at++] = comma
}

/** Records that `toLines` makes one row each of: the same rows as of the record. */
function* toSingles(record: JsonRecord, {list: wanted}: LineNames): Generator<JsonRecord, void, void> {
  const name = findName(record, wanted)
  const list = name === undefined ? undefined : record[name]
  if (name === undefined || !Array.isArray(list) || list.length <= 1) yield record
  else for (const element of list) yield {...record, [name]: [element]}
}
