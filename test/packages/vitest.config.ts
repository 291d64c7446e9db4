import {defineConfig} from 'vitest/config'

/** Packages are tried in a root folder of their own, which only root can enter and which comes from a Debian mirror. */
export default defineConfig({
  test: {
    include: ['test/packages/*.long.ts'],
    globalSetup: 'test/packages/set-up.ts',
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
    fileParallelism: false,
  },
})
