import {DatabaseError} from 'pg'
import {expect, test} from 'vitest'
import {connectFailure, postgresFailure} from '../../src/core/postgres-failure.js'

const place = {shown: 'postgres://ann@db/x', changed: 'unknown'} as const

test.each([
  ['28P01', 'DATABASE_DENIED', 'none', 'after-fix', 'refused the login', 'PGPASSWORD'],
  ['28000', 'DATABASE_DENIED', 'none', 'after-fix', 'refused the login', 'pg_hba.conf'],
  ['3D000', 'DATABASE_MISSING', 'none', 'after-fix', 'no such database', `-c 'CREATE DATABASE "x"'`],
  ['42501', 'DATABASE_DENIED', 'none', 'after-fix', 'lacks a right', 'owner of the database'],
  ['53100', 'DATABASE_FULL', 'none', 'after-fix', 'is full', 'Free disk space'],
  ['53300', 'DATABASE_BUSY', 'none', 'safe', 'no room for more connections', 'later'],
  ['57014', 'DATABASE_LOST', 'none', 'safe', 'took too long', 'later'],
  ['57P01', 'DATABASE_LOST', 'unknown', 'safe', 'stopping or starting', 'when the server is back'],
  ['57P05', 'DATABASE_LOST', 'unknown', 'safe', 'silent for too long', 'later'],
  ['25P03', 'DATABASE_LOST', 'unknown', 'safe', 'silent for too long', 'later'],
  ['25P04', 'DATABASE_LOST', 'unknown', 'safe', 'silent for too long', 'later'],
  ['25006', 'DATABASE_READ_ONLY', 'none', 'after-fix', 'accepts no writes', 'primary server'],
  ['55P03', 'DATABASE_BUSY', 'none', 'safe', 'holds a lock', 'later'],
  ['40P01', 'DATABASE_BUSY', 'none', 'safe', 'was in the way', 'later'],
  ['08006', 'DATABASE_LOST', 'unknown', 'safe', 'the connection ended', 'when the server is back'],
  ['58030', 'DATABASE_LOST', 'unknown', 'safe', 'the server failed', 'when the server is back'],
  ['XX000', 'DATABASE_LOST', 'unknown', 'safe', 'the server failed', 'when the server is back'],
  ['22P02', 'DATABASE_REFUSED', 'none', 'after-fix', 'refused a statement', undefined],
])('of the server: %s is %s, and what was changed is %s', (state, code, changed, retry, says, hint) => {
  const error = Object.assign(new DatabaseError('so', 1, 'error'), {code: state})

  const failure = postgresFailure(error, place)

  expect(failure).toMatchObject({code, changed, retry, cause: error})
  expect(failure.message).toMatch(new RegExp(`^The database ${place.shown}: .*${says}.*: so \\(${state}\\)\\.$`))
  expect(failure.hints).toEqual(hint ? expect.arrayContaining([expect.stringContaining(hint)]) : [])
  expect([postgresFailure(failure, {shown: 'other'}), connectFailure(failure, place)]).toEqual([failure, failure])
  expect(connectFailure(error, place).code).toBe(code)
})

test.each([
  ['EMFILE', 'TOO_MANY_FILES', 'limit of the system', 'TOO_MANY_FILES'],
  ['ECONNRESET', 'DATABASE_LOST', 'the connection ended: ECONNRESET.', 'DATABASE_UNREACHABLE'],
  ['no code', 'DATABASE_LOST', 'the connection ended: it was closed.', 'DATABASE_UNREACHABLE'],
  ['CERT_HAS_EXPIRED', 'DATABASE_TLS', 'did not prove who it is: CERT_HAS_EXPIRED.', 'DATABASE_TLS'],
])('of the system: %s is %s', (code, expected, message, atFirst) => {
  const error = Object.assign(new Error(), {code})

  expect(postgresFailure(error, place)).toMatchObject({code: expected, message: expect.stringContaining(message)})
  expect(connectFailure(error, place).code).toBe(atFirst)
})

test('a database is made by its name as it is, from another one of the server', () => {
  const error = Object.assign(new DatabaseError('so', 1, 'error'), {code: '3D000'})

  expect(postgresFailure(error, {shown: 'postgres://db/a%20%22b%22'}).hints).toEqual([
    `Make it first: psql postgres://db/postgres -c 'CREATE DATABASE "a ""b"""'`,
  ])
})
