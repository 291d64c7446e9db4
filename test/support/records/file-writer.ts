import type {Column} from '../../../src/formats/columns.js'
import {toColumn} from '../../../src/formats/columns.js'
import {createFlatten, type Lost} from '../../../src/formats/flatten.js'
import {
  createPageIntake,
  createPageRows,
  type IntakeOptions,
  printAnswer,
  type RowVisitor,
} from '../../../src/formats/scan/page-renderer.js'
import type {OpenRows, RowWriter} from '../../../src/formats/write/file-writer.js'
import type {JsonRecord} from '../../../src/values/json.js'
import {settleColumns} from './renderer.js'

const defaultLookAhead = 10_000

/**
 * Lays records along columns before a writer sees them, which then has plain fields only: what the rows of pages are
 * compared with.
 */
export function createRecordFileWriter(
  options: Pick<IntakeOptions, 'columns' | 'chosen' | 'lookAhead'>,
  open: OpenRows,
) {
  const {chosen, lookAhead = defaultLookAhead} = options
  const lost: Lost = new Map()
  let held: JsonRecord[] = []
  let put: ((records: readonly JsonRecord[], lost?: Lost) => Promise<void>) | undefined
  let writer: RowWriter | undefined

  return {
    async page(records: Iterable<JsonRecord>): Promise<number> {
      const page = [...records]
      if (put) await put(page, chosen ? undefined : lost)
      else held = held.concat(page)
      if (!put && held.length >= lookAhead) await settle()
      return page.length
    },
    async end() {
      if (!put) await settle()
      await writer?.end()
    },
    lost,
    get notes() {
      return writer?.notes ?? []
    },
  }

  async function settle() {
    const columns = settleColumns(options, held)
    const flatten = createFlatten(columns)
    writer = await open(columns, (see) => {
      for (const [row, record] of held.entries())
        for (const [place, value] of flatten(record).entries())
          if (value !== undefined && value !== null) see(place, value, row)
    })
    put = toPut(writer, columns)
    await put(held)
    held = []
  }
}

/** Writes records whose cells are the fields of flat ones. */
function toPut(writer: RowWriter, columns: readonly Column[]) {
  const flatten = createFlatten(columns)
  const flat = columns.map(({kind}, place) => toColumn([`cell ${place}`], kind))
  const intake = createPageIntake({columns: flat}, {holds: 'nothing'})
  const rows = createPageRows({columns: flat, lines: undefined, countsLost: false, shapes: intake.shapes})
  const visitor: RowVisitor = writer.visitor(rows)
  return async (records: readonly JsonRecord[], lost?: Lost) => {
    const laid = records.map((record) =>
      Object.fromEntries(
        flatten(record, lost).flatMap((cell, place) => (cell === undefined ? [] : [[`cell ${place}`, cell]])),
      ),
    )
    const page = intake.scan(printAnswer(laid))
    for (const index of laid.keys()) {
      rows.visit(page, index, visitor, new Map())
      await writer.room?.()
    }
  }
}
