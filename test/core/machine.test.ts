import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import os, {hostname, userInfo} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {identifyMachine, identifyUser} from '../../src/core/machine.js'
import {failureOfCall} from '../support/failure-of-call.js'
import {makeFolder} from '../support/folder.js'
import {replaceBuiltin} from '../support/replace-builtin.js'

test('a state folder is one machine for good, and each is another', () => {
  const [one, other] = [makeFolder(), makeFolder()]

  const first = identifyMachine(one)

  expect(first).toEqual({id: expect.stringMatching(/\/[0-9a-f]{32}$/), host: hostname()})
  expect(identifyMachine(one)).toEqual(first)
  expect(identifyMachine(join(other, 'missing')).id).not.toBe(first.id)
  expect(readdirSync(one)).toEqual(['machine'])
})

test.each(['x', '', 'a'.repeat(33), `x${'a'.repeat(32)}`, 'A'.repeat(32)])('an id %j is refused, and stays', (id) => {
  const path = makeFolder()
  writeFileSync(join(path, 'machine'), id)

  expect(failureOfCall(() => identifyMachine(path))).toMatchObject({
    message: expect.stringContaining('The id of this machine is damaged'),
    hints: [expect.stringContaining('Move the file away')],
  })
  expect(readFileSync(join(path, 'machine'), 'utf8')).toBe(id)
})

test('a user without a name is told by number', () => {
  const {username: user} = userInfo()
  const named = identifyUser()
  replaceBuiltin(os, 'userInfo', () => {
    throw new Error('ENOENT')
  })

  expect([named.user, identifyUser().user]).toEqual([user, String(process.getuid?.() ?? '')])
})
