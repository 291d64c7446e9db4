import {inspect} from 'node:util'
import {describe, expect, test} from 'vitest'
import {toDatabaseAddress, toPostgresAddress, withPassword, withUser} from '../../src/values/database-address.js'
import {failureOfCall} from '../support/failure-of-call.js'

const here = {kind: 'postgres', host: 'localhost', port: 5432, user: undefined, database: undefined, tls: 'disable'}

describe('an address of PostgreSQL', () => {
  test.each([
    ['postgres://', {...here, shown: 'postgres://localhost:5432'}],
    ['postgresql://ann@db.example.com/stock', {host: 'db.example.com', user: 'ann', database: 'stock'}],
    ['POSTGRES://db:6432/a%2Fb', {host: 'db', port: 6432, database: 'a/b', shown: 'postgres://db:6432/a%2Fb'}],
    [
      'postgres://o%27%22brien@db/%20%25',
      {user: `o'"brien`, database: ' %', shown: "postgres://o'%22brien@db:5432/%20%25"},
    ],
    ['postgres://[::1]:5433/x', {host: '::1', port: 5433, tls: 'disable', shown: 'postgres://[::1]:5433/x'}],
    ['postgres://[2001:db8::7]/x', {host: '2001:db8::7', tls: 'verify-full'}],
    ['postgres://%2Frun%2Fpostgresql/x', {host: '/run/postgresql', tls: 'disable'}],
    ['postgres:///x?host=/run/postgresql&user=ann', {host: '/run/postgresql', user: 'ann', tls: 'disable'}],
    ['postgres://127.0.0.1/x', {tls: 'disable'}],
    ['postgres://127.10.20.255/x', {tls: 'disable'}],
    ['postgres://localhost/x', {tls: 'disable'}],
    ['postgres://127.0.0.1.example.com/x', {tls: 'verify-full'}],
    ['postgres://my127.0.0.1/x', {tls: 'verify-full'}],
    ['postgres://db.example.com/x', {tls: 'verify-full'}],
    ['postgres://db.example.com/x?sslmode=require', {tls: 'require'}],
    ['postgres://db:65535/', {port: 65_535, database: undefined}],
    ['postgres://ann@db:6432/x?port=6433&user=bea&dbname=y', {port: 6433, user: 'bea', database: 'y'}],
    ['postgres://db/x?sslcert=/etc/a.crt&sslkey=/etc/a.key', {certificate: '/etc/a.crt', certificateKey: '/etc/a.key'}],
    ['postgres://db/x?sslrootcert=/etc/our%20ca.pem', {tls: 'verify-full', rootCertificate: '/etc/our ca.pem'}],
  ])('%s', (text, facts) => {
    expect(toDatabaseAddress(text)).toMatchObject(facts)
  })

  test('takes a user and a password from elsewhere', () => {
    const address = withPassword(withUser(toPostgresAddress('postgres://db/x'), 'ann'), 's@cret-1')

    expect([address.user, address.password?.(), address.shown]).toEqual(['ann', 's@cret-1', 'postgres://ann@db:5432/x'])
  })

  test('keeps its password where nothing prints it', () => {
    const address = toDatabaseAddress('postgres://ann:s%40cret-1@db/x?sslmode=require')

    expect(address).toMatchObject({shown: 'postgres://ann@db:5432/x'})
    expect(address.kind === 'postgres' && address.password?.()).toBe('s@cret-1')
    expect(JSON.stringify(address) + inspect(address)).not.toMatch(/cret-1/)
  })

  test.each([
    ['postgres://ann:s@cret-1@db/x', /written as a code/],
    ['postgres://ann:s@cret-1@db/postgres://x', /written as a code/],
    ['postgres://ann:s/cret-1@db/x', /host or port/],
    ['postgres://ann:s#cret-1@db/x', /#/],
    ['postgres://ann:%cret-1@db/x', /password contains a %/],
    ['postgres://ann:cret-1@db:0/x', /port/],
    ['postgres://ann:cret-1@db:65536/x', /port is not a number/],
    ['postgres://ann:cret-1@db/x?port=5432x', /port is not a number/],
    ['postgres://ann:cret-1@db:123456/x', /host or port/],
    ['postgres://ann:cret-1@one,two/x', /several hosts/],
    ['postgres://ann:cret-1@::1/x', /brackets/],
    ['postgres://ann:cret-1@db/x?sslmode=prefer', /plain text/],
    ['postgres://ann@db/x?passwort=cret-1', /"passwort" is not known/],
    ['postgres://ann:cret-1%00@db/x', /zero byte/],
    ['postgres://ann:cret-1@db/x?sslmode=verify-full&sslmode=disable', /"sslmode" is given twice/],
    ['host=db user=ann password=cret-1', /list of settings/],
    ['mysql://ann:cret-1@db/x', /another scheme/],
    ['', /path/],
    [':memory:', /path/],
  ])('is refused without a word of its password: %s', (text, why) => {
    const failure = failureOfCall(() => toDatabaseAddress(text))

    expect(failure).toMatchObject({code: 'DATABASE_ADDRESS', exit: 'usage'})
    expect(failure.message).toMatch(why)
    expect(inspect(failure)).not.toMatch(/cret-1/)
  })
})

test('anything without a scheme is the path of a file', () => {
  expect(toDatabaseAddress('C:\\data\\vend.db')).toEqual({kind: 'sqlite', path: 'C:\\data\\vend.db'})
  expect(toDatabaseAddress('./postgres.db')).toEqual({kind: 'sqlite', path: './postgres.db'})
})
