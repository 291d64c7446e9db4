import {readFileSync} from 'node:fs'
import type {ConnectionOptions} from 'node:tls'
import {type Place, tlsFailure} from './postgres-failure.js'

/** An address of `values/database-address.ts`. */
export type PostgresTarget = {
  host: string
  port: number
  user: string | undefined
  database: string | undefined
  password?: () => string
  tls: 'disable' | 'require' | 'verify-ca' | 'verify-full'
  rootCertificate?: string
  certificate?: string
  certificateKey?: string
  shown: string
}

/** How the server must prove who it is, as libpq understands the mode. */
export function toTls(address: PostgresTarget, place: Place): false | ConnectionOptions {
  const {tls, rootCertificate, certificate, certificateKey} = address
  if (tls === 'disable') return false
  const read = (path: string) => {
    try {
      return readFileSync(path)
    } catch (error) {
      throw tlsFailure(place, `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  return {
    minVersion: 'TLSv1.2',
    // As libpq: with a certificate to trust, `require` checks against it as verify-ca does.
    rejectUnauthorized: tls !== 'require' || rootCertificate !== undefined,
    ...(tls !== 'verify-full' && {checkServerIdentity: () => undefined}),
    ...(rootCertificate !== undefined && rootCertificate !== 'system' && {ca: read(rootCertificate)}),
    ...(certificate !== undefined && {cert: read(certificate)}),
    ...(certificateKey !== undefined && {key: read(certificateKey)}),
  }
}
