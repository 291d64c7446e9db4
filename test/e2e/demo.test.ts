import {spawnSync} from 'node:child_process'
import {readdirSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'

test('the demo shows every step as it should end, and leaves nothing in the checkout', () => {
  const folder = fileURLToPath(new URL('../demo', import.meta.url))
  const before = readdirSync(folder)

  const {status, stdout, stderr} = spawnSync(process.execPath, ['show.js'], {cwd: folder, encoding: 'utf8'})

  expect({status, stderr}).toMatchObject({status: 0, stderr: expect.not.stringContaining('served ')})
  expect(stdout).toContain('(exit code 5, as it should be)')
  expect(readdirSync(folder)).toEqual(before)
})
