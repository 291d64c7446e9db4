import {defineConfig} from 'vitest/config'

/** Cron and systemd are not on every machine; what they are given is part of the tests that every machine runs. */
export default defineConfig({
  test: {
    include: ['test/schedulers/*.long.ts'],
    globalSetup: 'test/schedulers/find-schedulers.ts',
    testTimeout: 240_000,
    maxWorkers: 1,
  },
})
