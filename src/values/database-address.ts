import {CliFailure} from '../core/errors.js'
import type {PostgresTarget} from '../core/postgres.js'

/** Modes of TLS by their names in libpq; `prefer` and `allow` would silently fall back to plain text. */
const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const

export type PostgresAddress = PostgresTarget & {kind: 'postgres'}

export type DatabaseAddress = PostgresAddress | {kind: 'sqlite'; path: string}

const postgresPort = 5432
export const isPostgres = /^postgres(ql)?:\/\//i
const urlShape = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i
const hostShape = /^(?:\[([0-9a-f:.]+(?:%25[\w.-]+)?)\]|([^:[\],]*))(?::(\d{1,5}))?$/i

/** The parameters of a URL that are understood, as libpq names them. */
const parameters = 'host port user password dbname sslmode sslrootcert sslcert sslkey'.split(' ')

/** The other form of an address that libpq reads. */
const settings = /(?:^|\s)(?:host|hostaddr|port|dbname|user|password|service|sslmode)\s*=/i

/**
 * A database as it is named: `postgres://USER@HOST:PORT/NAME?sslmode=…`, or the path of an SQLite file. Throws `usage`;
 * no message shows any part of a text that was not understood: it may contain a password.
 */
export function toDatabaseAddress(text: string): DatabaseAddress {
  if (isPostgres.test(text)) return toPostgresAddress(text)
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) throw wrong('it has another scheme than postgres://')
  if (settings.test(text)) throw wrong('it is a list of settings; write it as an address')
  if (text === '' || text === ':memory:' || text.includes('\0')) throw wrong('it is not the path of a file')
  return {kind: 'sqlite', path: text}
}

/** Throws as `toDatabaseAddress` does, and for anything that is not PostgreSQL. */
export function toPostgresAddress(text: string): PostgresAddress {
  if (!isPostgres.test(text)) throw wrong('it does not begin with postgres://')
  const [, login, place = '', name, query = ''] = urlShape.exec(text) ?? failShape(text)
  const {user, password} = toLogin(login)
  const given = toParameters(query)
  const [, six, plain = '', port] = hostShape.exec(place) ?? failHost(place)
  const host = given['host'] ?? (six === undefined ? decode(plain, 'host') : decode(six, 'host'))
  const named = name === undefined || name === '' ? undefined : decode(name, 'name of the database')
  const facts = {
    kind: 'postgres' as const,
    host: host || 'localhost',
    port: toPort(given['port'] ?? port),
    user: (given['user'] ?? user) || undefined,
    database: (given['dbname'] ?? named) || undefined,
    tls: toTlsMode(given['sslmode'], host),
    ...(given['sslrootcert'] && {rootCertificate: given['sslrootcert']}),
    ...(given['sslcert'] && {certificate: given['sslcert']}),
    ...(given['sslkey'] && {certificateKey: given['sslkey']}),
  }
  const secret = given['password'] ?? password
  const address = {...facts, shown: describe(facts)}
  return secret === undefined || secret === '' ? address : withPassword(address, secret)
}

export function withUser(address: PostgresAddress, user: string): PostgresAddress {
  return {...address, user, shown: describe({...address, user})}
}

export function withPassword(address: PostgresAddress, password: string): PostgresAddress {
  return {...address, password: () => password}
}

function describe({host, port, user, database}: Omit<PostgresAddress, 'shown'>): string {
  const login = user === undefined ? '' : `${encodeURIComponent(user)}@`
  const place = isSocket(host) ? encodeURIComponent(host) : host.includes(':') ? `[${host}]` : host
  return `postgres://${login}${place}:${port}${database === undefined ? '' : `/${encodeURIComponent(database)}`}`
}

const isSocket = (host: string) => host.startsWith('/') || host.startsWith('@')

/** Whether a host is this machine, so that no network is in between. */
function isHere(host: string): boolean {
  return host === '' || host === 'localhost' || isSocket(host) || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function toLogin(text: string | undefined): {user?: string; password?: string} {
  if (text === undefined) return {}
  const colon = text.indexOf(':')
  if (colon === -1) return {user: decode(text, 'user')}
  return {user: decode(text.slice(0, colon), 'user'), password: decode(text.slice(colon + 1), 'password')}
}

function toParameters(query: string): Record<string, string> {
  const pairs = query.split('&').filter((pair) => pair !== '')
  const entries = pairs.map((pair) => {
    const sign = pair.indexOf('=')
    const name = sign === -1 ? pair : pair.slice(0, sign)
    if (sign === -1 || !parameters.includes(name)) throw unknownParameter(name)
    return [name, decode(pair.slice(sign + 1), name)] as const
  })
  const twice = parameters.find((name) => entries.filter(([one]) => one === name).length > 1)
  if (twice !== undefined) throw wrong(`its parameter "${twice}" is given twice`)
  return Object.fromEntries(entries)
}

function toPort(text: string | undefined): number {
  if (text === undefined) return postgresPort
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) throw wrong('its port is not a number from 1 to 65535')
  return port
}

function toTlsMode(text: string | undefined, host: string): (typeof tlsModes)[number] {
  const mode = tlsModes.find((one) => one === text)
  if (mode) return mode
  if (text === undefined) return isHere(host) ? 'disable' : 'verify-full'
  const isWeak = text === 'prefer' || text === 'allow'
  const why = isWeak ? `"${text}", which may send everything in plain text` : 'not known'
  throw wrong(`its sslmode is ${why}; known are ${tlsModes.join(', ')}`)
}

function decode(text: string, what: string): string {
  try {
    return refuseZero(decodeURIComponent(text), what)
  } catch (error) {
    throw error instanceof CliFailure ? error : wrong(`its ${what} contains a % that begins no code; write it as %25`)
  }
}

function refuseZero(text: string, what: string): string {
  if (text.includes('\0')) throw wrong(`its ${what} contains a zero byte`)
  return text
}

function failShape(text: string): never {
  throw wrong(
    text.includes('#')
      ? 'it contains a #; write it as %23'
      : 'user or password contain a character that must be written as a code, such as %40 for @ and %2F for /',
  )
}

function failHost(place: string): never {
  if (place.includes(',')) throw wrong('it names several hosts; name the one that takes writes')
  throw wrong('its host or port cannot be read; an IPv6 address needs brackets, as in [::1]:5432')
}

function unknownParameter(name: string): CliFailure {
  const shown = /^\w{1,40}$/.test(name) ? ` "${name}"` : ''
  return wrong(`its parameter${shown} is not known; known are ${parameters.join(', ')}`)
}

function wrong(why: string): CliFailure {
  return new CliFailure(`The address of the database cannot be used: ${why}.`, {
    code: 'DATABASE_ADDRESS',
    hints: ['For example: postgres://vendorctl@db.example.com:5432/vendorctl?sslmode=verify-full'],
  })
}

/** The login that a line of a password file of PostgreSQL is for; a field `*` matches all. */
type Login = {host: string; port: number; database: string; user: string}

/** The password of the first line of a PostgreSQL password file that fits. Host and others can have `\:` or `\\`. */
export function findInPasswordFile(text: string, {host, port, database, user}: Login): string | undefined {
  const asked = [host.startsWith('/') ? 'localhost' : host, String(port), database, user]
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    const fields = line.match(/(?:\\.|[^:\\])+/g)?.map((field) => field.replace(/\\(.)/g, '$1')) ?? []
    const isRight = asked.every((value, place) => fields[place] === '*' || fields[place] === value)
    const password = toPassword(line)
    if (isRight && password) return password
  }
  return undefined
}

/** All behind the fourth colon, which may contain colons itself. */
function toPassword(line: string): string | undefined {
  const [, rest] = /^(?:(?:\\.|[^:\\])+:){4}(.+)$/.exec(line) ?? []
  return rest?.replace(/\\(.)/g, '$1')
}
