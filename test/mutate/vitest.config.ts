import {fileURLToPath} from 'node:url'
import {defineConfig} from 'vitest/config'

/** Tests that load what they test, so that a change of the code in memory reaches them; none starts the program. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    exclude: ['binary', 'foreign', 'package', 'nodes', 'torture', 'wire'].map((folder) => `test/${folder}/**`),
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
