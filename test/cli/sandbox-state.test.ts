import {expect, test} from 'vitest'
import {findSandbox, recordSandbox, removeSandboxState, untilGone} from '../../src/cli/sandbox/sandbox-state.js'
import {makeFolder} from '../support/folder.js'

const state = (pid: number) => ({pid, url: 'http://127.0.0.1:1', adminToken: 't', startedAt: '2026-01-01T00:00:00Z'})

function makeEnvironment() {
  const folder = makeFolder()
  return {VENDORCTL_STATE_DIR: folder, XDG_STATE_HOME: folder, HOME: folder}
}

test('a sandbox is gone once it has let go of its state, so that its folder can be removed', async () => {
  const environment = makeEnvironment()
  const events: string[] = []
  let waiting: Promise<unknown> | undefined

  await recordSandbox(environment, state(process.ppid), async () => {
    waiting = untilGone(environment, state(process.ppid)).then(() => events.push('gone'))
    await new Promise((resolve) => setImmediate(resolve))
    events.push('let go')
  })
  await removeSandboxState(environment, process.ppid)
  await waiting

  expect(events).toEqual(['let go', 'gone'])
})

test('a sandbox that ends while another is being recorded takes only its own record away', async () => {
  const environment = makeEnvironment()
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
