import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {identifyMachine} from '../../src/core/machine.js'
import {failureOfCall} from '../support/failure-of-call.js'
import {makeFolder} from '../support/folder.js'

function folder(): string {
  const path = makeFolder()
  return path
}

test('a state folder is one machine for good, and each is another', () => {
  const [one, other] = [folder(), folder()]

  const first = identifyMachine(one)

  expect(first).toEqual({id: expect.stringMatching(/\/[0-9a-f]{32}$/), host: hostname()})
  expect(identifyMachine(one)).toEqual(first)
  expect(identifyMachine(other).id).not.toBe(first.id)
  expect(readdirSync(one)).toEqual(['machine'])
})

test.each(['x', '', 'a'.repeat(33), `x${'a'.repeat(32)}`, 'A'.repeat(32)])('an id %j is refused, and stays', (id) => {
  const path = folder()
  writeFileSync(join(path, 'machine'), id)

  expect(failureOfCall(() => identifyMachine(path))).toMatchObject({
    message: expect.stringContaining('The id of this machine is damaged'),
    hints: [expect.stringContaining('Move the file away')],
  })
  expect(readFileSync(join(path, 'machine'), 'utf8')).toBe(id)
})
