import type {Elements} from '../../values/elements.js'
import type {JsonRecord} from '../../values/json.js'
import type {Column} from '../columns.js'
import type {Lost} from '../flatten.js'
import {
  createPageIntake,
  createPageRows,
  type Intake,
  type IntakeOptions,
  isScanned,
  type ScannedPage,
  type Shapes,
  type Take,
} from '../scan/page-renderer.js'
import {defaultLookAhead, type OpenVisitedRows} from './file-writer.js'

/** Writes rows of settled columns to a file that is no text, straight from scanned pages. */
export type PageRowWriter = {
  /** Writes the rows of the records `taken` of a page; resolves with how many. */
  page(page: ScannedPage, taken: readonly number[], lost?: Lost): Promise<number>
  end(): Promise<void>
  /** What a person should know about the file. */
  readonly notes: readonly string[]
}

/** Opens a writer once the columns are settled; `held` are the rows that settled them, and not written yet. */
export type OpenPageRows = (
  columns: readonly Column[],
  held: readonly JsonRecord[],
  shapes: Shapes,
) => Promise<PageRowWriter>

/** Takes answers; where bytes go is known to the writer that `open` makes. */
export type PageFileWriter = {
  scan(body: Buffer): Elements
  /** A page that fails while it is asked for its records leaves nothing behind. Resolves with its rows. */
  page(answer: Elements, take?: Take): Promise<number>
  end(): Promise<void>
  /** Values of fields that came after the columns were settled and that no column could show: how many, by name. */
  readonly lost: ReadonlyMap<string, number>
  readonly notes: readonly string[]
}

/** As `createFileWriter`, from pages. Time: linear in rows; memory: the pages of the look-ahead. */
export function createPageFileWriter(options: IntakeOptions, open: OpenPageRows): PageFileWriter {
  const intake = createPageIntake({lookAhead: defaultLookAhead, ...options}, {holds: 'rows'})
  const lost: Lost = new Map()
  let writer: PageRowWriter | undefined

  return {
    scan: (body) => intake.scan(body), // what writers of files hold on to is theirs to know
    async page(answer, take) {
      const page = isScanned(answer) ? answer : intake.scan(answer.bytes)
      const intaken = intake.page(page, take)
      const rows = await write(intaken)
      return intaken.rows ?? rows
    },
    async end() {
      await write(intake.end())
      await writer?.end()
    },
    lost,
    get notes() {
      return writer?.notes ?? []
    },
  }

  async function write({settled, ready}: Intake): Promise<number> {
    if (settled) writer = await open(settled.columns, settled.rows, intake.shapes)
    const counts = settled || options.chosen ? undefined : lost // columns that were learnt from rows show all of them
    let rows = 0
    for (const {page, taken} of ready) {
      rows += (await writer?.page(page, taken, counts)) ?? 0
      page.release()
    }

    return rows
  }
}

export type VisitOptions = Pick<IntakeOptions, 'lines' | 'chosen' | 'match'>

/** A writer that visits rows as one of pages. */
export function ofVisits(open: OpenVisitedRows, {lines, chosen, match}: VisitOptions): OpenPageRows {
  return async (columns, held, shapes) => {
    const writer = await open(columns, held)
    const rows = createPageRows({columns, lines, countsLost: chosen === undefined, shapes, match})
    const visitor = writer.visitor(rows)
    return {
      async page(page, taken, lost) {
        let written = 0
        for (const index of taken) {
          written += rows.visit(page, index, visitor, lost ?? new Map())
          const room = writer.room?.()
          if (room) await room
        }

        return written
      },
      end: () => writer.end(),
      get notes() {
        return writer.notes
      },
    }
  }
}
