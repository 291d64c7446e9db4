import type {ServedRange} from '../../client/pages/served-range.js'
import type {ReadFlags} from './read-flags.js'

/** A clamp that the user accepts is said, and is no error. */
export function allowClamp(
  flags: Pick<ReadFlags, 'allow-clamp'>,
  range: ServedRange | undefined,
): ServedRange | undefined {
  if (!range || flags['allow-clamp'] !== true) return range
  const {error: _accepted, ...rest} = range
  return rest
}
