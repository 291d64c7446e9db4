import {isRealDate} from '../values/date-time.js'

const pattern = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?)?$/
const offset = /[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i

/**
 * Why a text is no time of the service (ISO 8601 without offset, up to three fraction digits); undefined if it is one.
 * A blank in place of the T, as spreadsheets show it, is fine.
 */
export function findDateProblem(text: string): string | undefined {
  const parts = pattern.exec(text)
  if (!parts) {
    return offset.test(text)
      ? 'a time with an offset; times are sent as UTC, without one'
      : 'not a time such as 2024-07-30T18:07:05'
  }

  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0))
  const isReal = isRealDate(year, month, day) && hour < 24 && minute < 60 && second < 60
  return isReal ? undefined : 'a time that does not exist'
}

/** A time as it is sent: with a T between day and time. */
export function toSentTime(text: string): string {
  return text.replace(' ', 'T')
}
