import {CliFailure} from '../../core/errors.js'
import type {JsonValue} from '../../values/json.js'
import {beginningOf} from '../../values/message-text.js'
import {toCellText} from '../flatten.js'
import {toSafeText} from '../safe-text.js'

const longestShown = 40

/** The failure for a value that the file cannot store without loss; the incomplete file never gets its name. */
export function doesNotFit(format: string, column: string, value: JsonValue, why: string): CliFailure {
  return new CliFailure(`${format} cannot store a value of ${column} as it came (${why}): ${toShown(value)}`, {
    code: 'VALUE_DOES_NOT_FIT',
    hints: ['Write csv or ndjson, which store every value, or leave this column out.'],
  })
}

/** A value for messages: short, and safe on a terminal. */
export function toShown(value: JsonValue): string {
  return beginningOf(toSafeText(toCellText(value) ?? 'null'), longestShown)
}
