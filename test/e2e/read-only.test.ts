import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'vitest'
import {test} from '../support/binary.js'

const preload = fileURLToPath(new URL('../support/read-only-disk.js', import.meta.url))
const readOnly = {environment: {NODE_OPTIONS: `--import=${JSON.stringify(preload)}`}}

test('runs on a disk that can only be read are told as they are; nothing is sent', async ({run, sandbox, home}) => {
  const file = join(home.path, 'alerts.csv')
  writeFileSync(file, 'machineId,code,message\n5001,CJ,Before\n')
  await run(['alerts', 'create', '-f', file])
  const before = sandbox.store.count('alert')

  const listed = await run(['runs', 'list', '-o', 'json'], readOnly)
  const shown = await run(['runs', 'show', 'latest'], readOnly)
  const sent = await run(['alerts', 'create', '-f', file, '--fresh'], readOnly)

  expect(JSON.parse(listed.stdout)).toMatchObject([{state: 'done', applied: 1, next: 'Nothing is left to do.'}])
  expect(shown.stdout).toContain('nothing is open')
  expect(sent).toMatchObject({exitCode: 12, stderr: expect.stringContaining('Nothing was changed.')})
  expect(sandbox.store.count('alert')).toBe(before)
})
