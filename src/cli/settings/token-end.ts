import type {Token} from '../../client/types.js'
import {parseUsTime, toDateTime} from '../../values/date-time.js'

/** When a token expires, in UTC; as the service wrote it when that cannot be read. */
export function tokenEnd(token: Token | undefined): string | null {
  if (token?.expires === undefined) return null
  const milliseconds = parseUsTime(token.expires)
  return milliseconds === undefined ? token.expires : toDateTime(milliseconds)
}
