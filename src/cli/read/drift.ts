import {exitCodeOf} from '../../contract/index.js'
import type {ErrorEntry} from '../../core/errors.js'
import {counted} from '../../values/counted.js'

/** Why a read in which records came twice is not complete. */
export function toDrift(repeated: number): ErrorEntry[] {
  if (repeated === 0) return []
  return [
    {
      code: 'DRIFT',
      message: `${counted(repeated, 'record')} came twice: the data changed while it was read, so others may be missing`,
      exit: exitCodeOf('incomplete').code,
      changed: 'none',
      retry: 'safe',
      hint: 'Run the same command again.',
    },
  ]
}
