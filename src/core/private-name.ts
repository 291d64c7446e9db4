import {createHash} from 'node:crypto'

/** A file name for these facts, different from that of all others, which reveals none of them. */
export function privateName(facts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32)
}
