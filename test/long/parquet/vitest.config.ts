import {fileURLToPath} from 'node:url'
import {defineConfig} from 'vitest/config'

const reader = fileURLToPath(new URL('second-reader.ts', import.meta.url))

/** The tests of Parquet files, which are read by a second implementation here. */
export default defineConfig({
  test: {
    include: ['test/formats/write/parquet/*.test.ts', 'test/e2e/file-formats.test.ts'],
    alias: [{find: /^(\.\.\/|(\.\.\/){4})support\/parquet\.js$/, replacement: reader}],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
