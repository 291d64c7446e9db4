import {systemClock} from '../../src/core/clock.js'
import {type Sandbox, type SandboxOptions, startSandbox} from '../../src/sandbox/server.js'
import {test as base} from './folder.js'

/** When a world of these tests ends. */
export const now = Date.UTC(2024, 6, 30, 18)

type Fixtures = {
  /** Starts a service of this test, whose clock stands still. */
  start: (options?: SandboxOptions) => Promise<Sandbox>
}

/** Tests that export in this process. */
export const test = base.extend<Fixtures>({
  start: async ({onTestFinished}, use) => {
    await use(async (options) => {
      const clock = {...systemClock, now: () => now}
      const sandbox = await startSandbox({limits: false, batches: 0, machines: 20, clock, ...options})
      onTestFinished(() => sandbox.close())
      return sandbox
    })
  },
})
