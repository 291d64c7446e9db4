import {DatabaseError} from 'pg'
import {type FailureCode, usualExitOf} from '../contract/failure-codes.js'
import type {Changed} from '../contract/index.js'
import {shellQuote} from './command-line.js'
import {CliFailure, isFileLimit, isTlsCode, plainCodeOf, tooManyFiles} from './errors.js'

/** A connection, for messages. */
export type Place = {
  /** Its address without the password. */
  shown: string
  /** State of the data when no answer comes. */
  changed?: Changed
}

/** `mayBeDone`: whether a statement that failed in this way may have been done nevertheless. */
type Row = {code: FailureCode; says: string; mayBeDone?: boolean; hints?: (place: Place) => string[]}

const tryIt = ({shown}: Place) => `See it with: psql ${shellQuote(shown)} -c 'select 1'`
const room = () => ['Free disk space on the database server, then run the same command again.']
const later = () => ['Run the same command again later.']
const lost: Row = {
  code: 'DATABASE_LOST',
  says: 'the connection ended',
  mayBeDone: true,
  hints: (place) => ['Run the same command again when the server is back.', tryIt(place)],
}
const ended: Row = {...lost, says: 'the server ended a session that was silent for too long', hints: later}
const busy = (says: string): Row => ({code: 'DATABASE_BUSY', says, hints: later})
const readOnly: Row = {
  code: 'DATABASE_READ_ONLY',
  says: 'it accepts no writes',
  hints: () => ['Name the primary server in the address; a replica cannot be written.'],
}
const denied = (says: string, hint: string): Row => ({
  code: 'DATABASE_DENIED',
  says,
  hints: (place) => [hint, tryIt(place)],
})
const login = denied(
  'the server refused the login',
  'Give the right password with PGPASSWORD, ~/.pgpass, a variable that ends in _FILE, or credentialCommand.',
)

/** The command by which somebody with that right makes the database. */
function makeIt({shown}: Place): string[] {
  const name = decodeURIComponent(shown.slice(shown.lastIndexOf('/') + 1)).replaceAll('"', '""')
  const elsewhere = shown.replace(/[^/]*$/, 'postgres')
  return [`Make it first: psql ${shellQuote(elsewhere)} -c ${shellQuote(`CREATE DATABASE "${name}"`)}`]
}

const verify =
  'add ?sslmode=verify-full&sslrootcert=FILE to the address (?sslmode=require encrypts, but verifies nothing)'

/** By SQLSTATE, or by its class, the first two characters. [pub] */
const states: Record<string, Row> = {
  '28': login,
  '28000': denied(
    'the server refused the login',
    `Its pg_hba.conf must name this user and machine. Where it asks for TLS, ${verify}.`,
  ),
  '3D000': {code: 'DATABASE_MISSING', says: 'there is no such database', hints: makeIt},
  '42501': denied('the user lacks a right', 'Let the owner of the database grant it.'),
  '53100': {code: 'DATABASE_FULL', says: 'the disk of the server is full', hints: room},
  '53': busy('the server has no room for more connections or work'),
  '57014': {...lost, mayBeDone: false, says: 'a statement took too long and was stopped', hints: later},
  '57P05': ended,
  '25P03': ended,
  '25P04': ended,
  '57': {...lost, says: 'the server is stopping or starting'},
  '08': lost,
  '25006': readOnly,
  '55P03': busy('another session holds a lock'),
  '40': busy('another session was in the way'),
  '58': {...lost, says: 'the server failed'},
  XX: {...lost, says: 'the server failed'},
}

const refused: Row = {code: 'DATABASE_REFUSED', says: 'it refused a statement'}

/** The SQLSTATE of a failure of the server; undefined for all others. */
export function sqlState(error: unknown): string | undefined {
  const cause = error instanceof CliFailure ? error.cause : error
  return cause instanceof DatabaseError ? cause.code : undefined
}

/** An error of the client, the system or the server as a `CliFailure`; one passes through. */
export function postgresFailure(error: unknown, place: Place): CliFailure {
  if (error instanceof CliFailure) return error
  if (isFileLimit(error)) return tooManyFiles(error)
  const state = sqlState(error)
  if (state !== undefined) {
    const row = states[state] ?? states[state.slice(0, 2)] ?? refused
    return toFailure(row, place, `${(error as DatabaseError).message} (${state})`, error)
  }
  const code = plainCodeOf(error)
  if (code !== undefined && isTlsCode(code)) return tlsFailure(place, code)
  return toFailure(lost, place, code ?? 'it was closed', error)
}

/** No connection came about. */
export function unreachable(place: Place, why: string, cause?: unknown): CliFailure {
  const says = 'it cannot be reached'
  const hints = (where: Place) => ['Check that the server runs and accepts connections from here.', tryIt(where)]
  return toFailure({code: 'DATABASE_UNREACHABLE', says, hints}, place, why, cause)
}

export function connectFailure(error: unknown, place: Place): CliFailure {
  const code = plainCodeOf(error)
  const isOfSystem = sqlState(error) === undefined && !(error instanceof CliFailure) && !isFileLimit(error)
  if (isOfSystem && !isTlsCode(code ?? '')) return unreachable(place, code ?? 'the server closed the connection', error)
  return postgresFailure(error, place)
}

export function tlsFailure(place: Place, why: string): CliFailure {
  const says = 'the server did not prove who it is'
  const hints = () => [`Name the certificate to trust: ${verify}.`]
  return toFailure({code: 'DATABASE_TLS', says, hints}, place, why)
}

export function noTls(place: Place): CliFailure {
  const hints = () => ['Switch TLS on there. Where nobody listens on the way, add ?sslmode=disable to the address.']
  return toFailure({code: 'DATABASE_TLS', says: 'the server has no TLS', hints}, place)
}

export function noPassword(place: Place): CliFailure {
  return toFailure({...login, says: 'the server asks for a password and none was found'}, place)
}

export function silent(place: Place, milliseconds: number): CliFailure {
  return toFailure({...lost, says: 'it does not answer'}, place, `waited ${milliseconds / 1_000} s`)
}

function toFailure(row: Row, place: Place, why?: string, cause?: unknown): CliFailure {
  return new CliFailure(`The database ${place.shown}: ${row.says}${why === undefined ? '' : `: ${why}`}.`, {
    code: row.code,
    hints: row.hints?.(place) ?? [],
    changed: row.mayBeDone ? (place.changed ?? 'none') : 'none',
    retry: usualExitOf(row.code) === 'unavailable' ? 'safe' : 'after-fix',
    cause,
  })
}
