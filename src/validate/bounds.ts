import type {Field} from '../contract/index.js'
import {compareDecimals} from '../values/decimal.js'
import type {Finding} from './problem.js'

/** What a number of a field is measured by. */
export type Bounds = Pick<Field, 'min' | 'above' | 'except'>

/** Why a number is outside the bounds of its field, decided by its digits; undefined when it is within them. */
export function findOutside(digits: string, {min, above, except = []}: Bounds): Finding | undefined {
  if (min !== undefined && compareDecimals(digits, String(min)) < 0)
    return {code: 'TOO_SMALL', message: `less than ${min}: ${digits}`}
  if (above !== undefined && compareDecimals(digits, String(above)) <= 0)
    return {code: 'TOO_SMALL', message: `not above ${above}: ${digits}`}
  const refused = except.find((number) => compareDecimals(digits, String(number)) === 0)
  return refused === undefined ? undefined : {code: 'NOT_ALLOWED', message: `may not be ${refused}`}
}
