import {CliFailure} from '../../core/errors.js'
import type {DatabaseAddress} from '../../values/database-address.js'

/** Throws at a password in a text that other users of this machine can see, or that would be stored. */
export function refusePassword(address: DatabaseAddress, name: string, variable: string): void {
  if (address.kind !== 'postgres' || !address.password) return
  throw new CliFailure(`The address of ${name} holds a password, which others can read there; it was not used.`, {
    code: 'DATABASE_PASSWORD',
    hints: [
      `Write it without the password: ${address.shown}`,
      `Give the password with PGPASSWORD, ~/.pgpass or credentialCommand; or the complete address with ${variable} or ${variable}_FILE.`,
    ],
  })
}
