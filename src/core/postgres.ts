import {readFileSync} from 'node:fs'
import {Socket} from 'node:net'
import type {ConnectionOptions} from 'node:tls'
import {Client} from 'pg'
import {systemClock} from './clock.js'
import {
  connectFailure,
  noPassword,
  noTls,
  type Place,
  postgresFailure,
  silent,
  tlsFailure,
  unreachable,
} from './postgres-failure.js'
import {ownPath} from './postgres-owners.js'
import {type Answer, asText, createSession, type Postgres} from './postgres-session.js'

export {escapeIdentifier} from 'pg'
export {sqlState} from './postgres-failure.js'
export type {Postgres, PostgresResult, PostgresRow, PostgresValue} from './postgres-session.js'
export {GivesNoRows} from './postgres-session.js'

export type OpenPostgresOptions = {
  /** Name of this session on the server (application_name). */
  name: string
  connectMilliseconds?: number
  /** For each statement, and each part of a long answer; `Infinity` waits for ever. */
  statementMilliseconds?: number
  signal?: AbortSignal
}

const usualConnectMilliseconds = 2_000
const usualStatementMilliseconds = 30_000
/** Nobody needs the answer to a goodbye. */
const goodbyeMilliseconds = 500
/** Part of our patience after which the server itself gives up, and so tells why. */
const serverPatience = 0.9

/** Opens one session. Throws a `CliFailure` that tells what is wrong with the way, the server, the login or the database. */
export async function openPostgres(address: PostgresTarget, options: OpenPostgresOptions): Promise<Postgres> {
  const {connectMilliseconds = usualConnectMilliseconds, signal} = options
  const {statementMilliseconds = usualStatementMilliseconds} = options
  const place: Place = {shown: address.shown}
  const socket = new Socket()
  const client = createClient(address, options.name, socket)
  const lost = new AbortController()
  const stop = () => void socket.destroy()
  let isConnected = false
  let lostBy: unknown
  client.on('error', (error) => {
    lostBy ??= error
    lost.abort(postgresFailure(error, place))
  })
  signal?.throwIfAborted()
  signal?.addEventListener('abort', stop)
  const close = async () => {
    signal?.removeEventListener('abort', stop)
    if (isConnected && !lost.signal.aborted) await within(client.end(), goodbyeMilliseconds).catch(() => undefined)
    socket.destroy()
  }

  const answer: Answer = async (work, mayBeDone = false) => {
    const where: Place = mayBeDone ? {...place, changed: 'unknown'} : place
    signal?.throwIfAborted()
    if (lost.signal.aborted) throw lost.signal.reason
    try {
      return await within(work(), statementMilliseconds, lost.signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof Lost) throw postgresFailure(lostBy, where) // only this statement knows what that leaves open
      if (!(error instanceof Late)) throw postgresFailure(error, where)
      lost.abort(silent(place, statementMilliseconds))
      socket.destroy()
      throw silent(where, statementMilliseconds)
    }
  }

  try {
    const processId = await connect(client, socket, address, {place, milliseconds: connectMilliseconds, signal})
    isConnected = true
    const pid = await answer(() => prepare(client, statementMilliseconds))
    return {...createSession(client, answer), isDirect: pid === String(processId), lost: lost.signal, close}
  } catch (error) {
    await close()
    throw error
  }
}

function createClient(address: PostgresTarget, name: string, socket: Socket): Client {
  const {host, port, user, database = user} = address
  const place: Place = {shown: address.shown}
  return new Client({
    host,
    port,
    user,
    database,
    password: () => {
      if (address.password) return address.password()
      throw noPassword(place)
    },
    ssl: toTls(address, place),
    sslnegotiation: 'postgres',
    application_name: name,
    keepAlive: true,
    stream: () => socket,
    types: asText,
  })
}

/** Gives the process that the other side says it is. */
async function connect(
  client: Client,
  socket: Socket,
  {tls}: PostgresTarget,
  {place, milliseconds, signal}: {place: Place; milliseconds: number; signal: AbortSignal | undefined},
): Promise<number> {
  let processId = 0
  let first = '' // N: the server has no TLS
  client.connection.once('backendKeyData', (message: {processID: number}) => {
    processId = message.processID
  })
  if (tls !== 'disable')
    socket.once('data', (bytes) => {
      first = String.fromCharCode(bytes[0] ?? 0)
    })
  try {
    await within(client.connect(), milliseconds)
    return processId
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof Late) throw unreachable(place, `no answer within ${milliseconds / 1_000} s`)
    throw first === 'N' ? noTls(place) : connectFailure(error, place)
  }
}

/** Values print the same whatever the server is set to; gives the process that answers. */
async function prepare(client: Client, milliseconds: number): Promise<string | undefined> {
  const limit = Number.isFinite(milliseconds) ? Math.ceil(milliseconds * serverPatience) : 0
  await client.query(`SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres';
    SET search_path = ${ownPath}; SET bytea_output = 'hex'; SET standard_conforming_strings = on; SET statement_timeout = ${limit}`)
  const {rows} = await client.query<{pid: string}>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid
}

class Late extends Error {}
class Lost extends Error {}

/** The result of work that comes in time, and before the session is lost: some of it never hears of that. */
async function within<Result>(work: Promise<Result>, milliseconds: number, lost?: AbortSignal): Promise<Result> {
  const done = new AbortController()
  const ends = [work]
  if (lost) ends.push(new Promise((_, reject) => lost.addEventListener('abort', () => reject(new Lost()), done)))
  if (Number.isFinite(milliseconds))
    ends.push(
      systemClock.sleep(milliseconds, done.signal).then(() => {
        throw new Late()
      }),
    )
  for (const end of ends) end.catch(() => undefined)
  try {
    return await Promise.race(ends)
  } finally {
    done.abort()
  }
}

export type PostgresTarget = {
  /** As messages name it: never with a password. */
  shown: string
  /** A name, an address without brackets, or the folder of a Unix socket. */
  host: string
  port: number
  /** Undefined where the address names none: as libpq has it, the name of the user. */
  user: string | undefined
  database: string | undefined
  /** A function, so that nothing that prints an address prints the password. */
  password?: () => string
  tls: 'disable' | 'require' | 'verify-ca' | 'verify-full'
  /** Files of the certificates to trust, and of that of this client. */
  rootCertificate?: string
  certificate?: string
  certificateKey?: string
}

/** Proof of identity that the server must give, as libpq understands the mode. */
function toTls(address: PostgresTarget, place: Place): false | ConnectionOptions {
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
