import {defineConfig} from 'vitest/config'

/** A browser is not on every machine; the text of the pages is part of the tests that every machine runs. */
export default defineConfig({
  test: {
    include: ['test/long/browser/*.long.ts'],
    globalSetup: 'test/long/browser/find-browser.ts',
    testTimeout: 180_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
  },
})
