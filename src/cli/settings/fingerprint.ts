import {createHash} from 'node:crypto'

/** Eight hex digits that distinguish one secret from another and reveal nothing of it. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(`vendorctl ${secret}`).digest('hex').slice(0, 8)
}
