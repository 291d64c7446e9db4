import {createHash} from 'node:crypto'

/** Eight hex digits that tell one secret from another and give nothing away. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(`vendorctl ${secret}`).digest('hex').slice(0, 8)
}
