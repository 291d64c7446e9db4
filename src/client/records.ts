import {CliFailure} from '../core/errors.js'
import type {Elements} from '../values/elements.js'
import {isRecord, JsonProblem, type JsonRecord, printJson} from '../values/json.js'
import {shown} from '../values/shown.js'
import type {FilterCheck, Violation} from './filter-check.js'
import {valueAt} from './filter-check.js'
import {nameOf, type RequestName} from './request.js'

/**
 * The records of a page, parsed and checked one by one; the bytes are released after the last. Throws a `CliFailure` as
 * promised by `Page.records`.
 */
export function* readRecords(
  elements: Elements,
  check: FilterCheck | undefined,
  page: number,
  asked: RequestName,
): Generator<JsonRecord> {
  for (let index = 0; index < elements.count; index++) {
    const record = parseRecord(elements, index, page, asked)
    checkRecord(record, check, asked)
    yield record
  }

  elements.release()
}

/** Throws a `CliFailure` (incomplete) at a record that was not asked for. */
export function checkRecord(record: JsonRecord, check: FilterCheck | undefined, asked: RequestName): void {
  const violation = check?.(record)
  if (violation) throw notHonoured(violation, record, asked)
}

function parseRecord(elements: Elements, index: number, page: number, asked: RequestName): JsonRecord {
  try {
    const value = elements.parse(index)
    if (isRecord(value)) return value
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
  }

  throw unreadable(index, page, asked)
}

/** An element (from 0) of a page that is no record. */
export function unreadable(index: number, page: number, asked: RequestName): CliFailure {
  return new CliFailure(`${nameOf(asked)}: record ${index + 1} of page ${page} is not JSON.`, {
    code: 'ANSWER_SENSELESS',
    exit: 'unavailable',
    retry: 'safe',
    hints: ['Look closer with: vendorctl doctor'],
  })
}

function notHonoured({filter, field, value}: Violation, record: JsonRecord, asked: RequestName): CliFailure {
  const id = valueAt(record, 'id')
  const name = id === undefined ? 'a record' : `record ${shown(printJson(id))}`
  return new CliFailure(
    `${nameOf(asked)}: the filter ${filter} was not honoured: ${name} has ${field} ${shown(value)}, which was not asked for.`,
    {
      code: 'FILTER_NOT_HONOURED',
      exit: 'incomplete',
      hints: [
        'A proxy or gateway may drop the body of a GET. Find out with: vendorctl doctor',
        'Read by POST: vendorctl profiles set NAME readMethod=POST',
      ],
    },
  )
}
