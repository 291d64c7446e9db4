import {createHmac} from 'node:crypto'

/**
 * Proof that a sandbox knows a secret, which does not show the secret. It covers the port: whoever listens elsewhere
 * cannot pass the question on to the sandbox and the answer back.
 */
export function toProof(secret: string, port: number, challenge: string): string {
  return createHmac('sha256', secret).update(`vendorctl-sandbox ${port} ${challenge}`).digest('hex')
}

export const challengeHeader = 'x-sandbox-challenge'
