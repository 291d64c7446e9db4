import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {redact} from '../../src/core/redact.js'
import {findDatabase} from '../../src/settings/database.js'
import {failureOf} from '../support/failure-of-call.js'
import {makeFolder} from '../support/folder.js'

const folder = makeFolder(afterAll)
const write = (name: string, text: string, mode = 0o600) => {
  writeFileSync(join(folder, name), text, {mode})
  return join(folder, name)
}
const find = (argument: string | undefined, environment: Record<string, string>, credentialCommand?: string) =>
  findDatabase(argument, environment, {
    variable: 'VENDORCTL_DB',
    argument: '--db',
    findCommand: async () => (credentialCommand === undefined ? undefined : {command: credentialCommand, seconds: 10}),
  })

describe('the password of a database', () => {
  const pgpass = write(
    '.pgpass',
    '# comment\nother:*:*:*:wrong\ndb:5433:*:*:wrong\ndb:*:x\\:y:ann:from\\:file:1\n*:*:*:*:last\n',
  )
  const printed = write('print.cjs', `process.stdout.write('{"databasePassword":"from-command"}')`)
  const command = `${process.execPath} ${printed}`

  test.each([
    ['its address', 'postgres://ann:from-url@db/x%3Ay', {PGPASSWORD: 'from-variable'}, 'from-url'],
    ['PGPASSWORD', 'postgres://ann@db/x%3Ay', {PGPASSWORD: 'from-variable', PGPASSFILE: pgpass}, 'from-variable'],
    ['.pgpass', 'postgres://ann@db/x%3Ay', {HOME: folder}, 'from:file:1'],
    ['.pgpass, by another line', 'postgres://bob@db/x', {PGPASSFILE: pgpass}, 'last'],
    ['credentialCommand', 'postgres://ann@db/x', {}, 'from-command'],
  ])('comes from %s', async (_, address, environment, password) => {
    const found = await find(undefined, {VENDORCTL_DB: address, ...environment}, command)

    expect(found?.kind === 'postgres' && found.password?.()).toBe(password)
    expect(redact(`the password ${password}`)).toBe('the password [secret]')
  })

  test('is refused in an argument, with the other ways', async () => {
    const failure = await failureOf(find('postgres://ann:s%40cret-1@db/x', {}))

    expect(failure).toMatchObject({code: 'DATABASE_PASSWORD', exit: 'invalid'})
    expect(failure.hints.join('\n')).toMatch(/postgres:\/\/ann@db:5432\/x\n.*PGPASSWORD.*\.pgpass.*VENDORCTL_DB_FILE/)
    expect(failure.message + failure.hints.join()).not.toMatch(/cret-1/)
  })

  test('is not read from a file that others can read', async () => {
    const open = write('open', '*:*:*:*:secret\n', 0o644)

    expect(await failureOf(find('postgres://ann@db/x', {PGPASSFILE: open}))).toMatchObject({exit: 'unsafe'})
  })
})

describe('a database', () => {
  test('is named by the argument, else by the variable, else by its file', async () => {
    const file = write('address', 'postgres://ann:in-a-file@db/x\n')

    expect(await find('a.db', {VENDORCTL_DB: 'b.db'})).toEqual({kind: 'sqlite', path: 'a.db'})
    expect(await find('b.db', {VENDORCTL_DB: 'b.db', VENDORCTL_DB_FILE: file})).toEqual({kind: 'sqlite', path: 'b.db'})
    expect(await find(undefined, {VENDORCTL_DB_FILE: file})).toMatchObject({shown: 'postgres://ann@db:5432/x'})
    expect(await find(undefined, {})).toBeUndefined()
  })

  test('is of the user that PostgreSQL takes, too', async () => {
    expect(await find('postgres://db/x', {PGUSER: 'ann'})).toMatchObject({shown: 'postgres://ann@db:5432/x'})
    expect(await find('postgres://db/x', {PGPASSWORD: 'x'})).toMatchObject({user: expect.stringMatching(/./)})
  })
})
