import type {Page, ReadRequest} from '../../client/types.js'
import {
  type Written as Counted,
  printAnswer,
  RecordProblem,
  type RowOutput,
  type Take,
} from '../../formats/scan/page-renderer.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'

/** Turns rows into output. A page that fails halfway leaves nothing behind. */
export type RowSink = {
  /** Cuts answers into records as this sink takes them, for `ReadRequest`. */
  readonly split: NonNullable<ReadRequest['split']>
  /** Throws the `CliFailure` of a page that lacks what was asked for, before any of it is written. */
  page(page: Page, take: Take): Promise<void>
  /** Takes records that are no answer: they are printed once, and scanned as all others. */
  records(records: Iterable<JsonRecord>): Promise<void>
  end(): Promise<void>
  /** Result of the rows so far. */
  written(): Written
}

/** Result of writing rows. */
export type Written = Readonly<Counted> & {
  /** The data of the envelope: undefined where it was written there already, null where a file has it. */
  readonly data: JsonValue | undefined
}

/** Records of a page of their own: a few pages are faster than one, and take less memory. */
const recordsPerAnswer = 1_000

export function toSink({scan, put, end, written}: RowOutput, data: Written['data']): RowSink {
  return {
    split: scan,
    page: (page, take) =>
      put(page.elements, checked(page, take)).catch((error: unknown) => {
        throw failureOf(page, error)
      }),
    async records(records) {
      const all = [...records]
      for (let at = 0; at < all.length; at += recordsPerAnswer)
        await put(scan(printAnswer(all.slice(at, at + recordsPerAnswer))), 'all')
    },
    end,
    written: () => ({...written, data}),
  }
}

/** The failure of a page, where an element of it may be no record. */
export function failureOf(page: Page, error: unknown): unknown {
  return error instanceof RecordProblem ? page.unreadable(error.index) : error
}

/** Runs `work`, and throws its error as the failure of the page. */
export function orFail<Result>(page: Page, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw failureOf(page, error)
  }
}

/** Has each record checked for what was asked for, first. */
export function checked(page: Page, take: Take): Take {
  return (seen, key, index) => {
    page.check(seen)
    return take(seen, key, index)
  }
}
