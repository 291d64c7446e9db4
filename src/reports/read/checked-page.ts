import type {Page} from '../../client/types.js'
import {RecordProblem, type Take} from '../../formats/scan/page-renderer.js'

/** What ended a page, where an element of it may be no record. */
export function failureOf(page: Page, error: unknown): unknown {
  return error instanceof RecordProblem ? page.unreadable(error.index) : error
}

/** What `work` throws at a page, as the failure that its records would end in. */
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
