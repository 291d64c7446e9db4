import {expect, test} from 'vitest'
import {findSandbox, recordSandbox, removeSandboxState} from '../../src/cli/sandbox/sandbox-state.js'
import {makeFolder} from '../support/folder.js'

test('a sandbox that ends while another is being recorded takes only its own record away', async () => {
  const folder = makeFolder()
  const environment = {VENDORCTL_STATE_DIR: folder, XDG_STATE_HOME: folder, HOME: folder}
  const state = (pid: number) => ({pid, url: 'http://127.0.0.1:1', adminToken: 't', startedAt: '2026-01-01T00:00:00Z'})
  let removing: Promise<void> | undefined
  await recordSandbox(environment, state(process.ppid), async () => undefined)

  await recordSandbox(environment, state(process.pid), async () => {
    removing = removeSandboxState(environment, process.ppid)
    await new Promise((resolve) => setImmediate(resolve))
    expect(findSandbox(environment)?.pid).toBe(process.ppid)
  })
  await removing

  expect(findSandbox(environment)?.pid).toBe(process.pid)
  await removeSandboxState(environment, process.pid)
  expect(findSandbox(environment)).toBeUndefined()
})
