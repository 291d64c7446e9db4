import {isOn} from '../../values/truth.js'
import type {Terminal} from './facts.js'

/** Properties of a stream and of the environment that decide how text is set. */
type Stream = {readonly isTTY?: boolean | undefined; readonly columns?: number | undefined}
type Environment = Readonly<Record<string, string | undefined>>

const usualWidth = 80

/** Width and colours of text for a stream, with flags of a command line. */
export function terminalOf(stream: Stream, environment: Environment, args: readonly string[] = []): Terminal {
  const width = Number(environment['COLUMNS'] || undefined) || (stream.isTTY && stream.columns) || usualWidth
  return {width, color: !args.includes('--no-color') && hasColor(stream, environment)}
}

/** Whether a stream may have colours: `NO_COLOR` wins over `FORCE_COLOR`, that over what the terminal can do. */
export function hasColor({isTTY}: Stream, environment: Environment): boolean {
  const {NO_COLOR, FORCE_COLOR, TERM, VENDORCTL_NO_COLOR} = environment
  if (NO_COLOR || isOn(VENDORCTL_NO_COLOR)) return false
  if (FORCE_COLOR !== undefined) return !/^(0|false)$/.test(FORCE_COLOR)
  return isTTY === true && TERM !== 'dumb'
}
