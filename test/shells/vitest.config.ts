import {defineConfig} from 'vitest/config'

/** Shells that are not on every machine; Bash is part of the tests that every machine runs. */
export default defineConfig({
  test: {include: ['test/shells/*.long.ts'], globalSetup: 'test/shells/find-shells.ts', testTimeout: 60_000},
})
