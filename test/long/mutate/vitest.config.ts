import {fileURLToPath} from 'node:url'
import {defineConfig} from 'vitest/config'

/** The tests of one part, which load what they test, so that a change of the code in memory reaches them. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    include: process.env['MUTATE_TESTS']?.split(';') ?? [],
    isolate: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
