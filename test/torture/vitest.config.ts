import {defineConfig} from 'vitest/config'

/** The long forms; the short one is a test like any other. */
export default defineConfig({
  test: {include: ['test/torture/*.long.ts'], testTimeout: 0, hookTimeout: 60_000, disableConsoleIntercept: true},
})
