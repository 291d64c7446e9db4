import {exitCodeOf} from '../contract/index.js'
import type {ErrorEntry} from '../errors.js'

/** Why a read in which records came twice is not complete. */
export function toDrift(repeated: number): ErrorEntry[] {
  if (repeated === 0) return []
  const what = repeated === 1 ? '1 record came twice' : `${repeated} records came twice`
  return [
    {
      code: 'DRIFT',
      message: `${what}: the data changed while it was read, so others may be missing`,
      exit: exitCodeOf('incomplete').code,
      changed: 'none',
      retry: 'safe',
      hint: 'Run the same command again.',
    },
  ]
}
