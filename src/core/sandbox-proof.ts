import {createHmac} from 'node:crypto'

/**
 * What shows that a sandbox knows a secret without showing it. The port stands in it, so that whoever listens elsewhere
 * cannot pass the question on to the sandbox and the answer back.
 */
export function toProof(secret: string, port: number, challenge: string): string {
  return createHmac('sha256', secret).update(`vendorctl-sandbox ${port} ${challenge}`).digest('hex')
}

export const challengeHeader = 'x-sandbox-challenge'
