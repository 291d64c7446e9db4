import {fileURLToPath} from 'node:url'
import {defineConfig} from 'vitest/config'

/** Put something in place of the network; all others share the modules that they load. */
const apart = ['foreign', 'wire'].map((folder) => `test/${folder}/**/*.test.ts`)

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    maxWorkers: 4, // many tests wait for a process or a clock
    testTimeout: 300_000, // ends what hangs: no test is slow enough to meet it, on whatever machine
    hookTimeout: 300_000,
    retry: 0,
    projects: [
      {extends: true, test: {name: 'apart', include: apart}},
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...apart, '**/node_modules/**'],
          isolate: false,
        },
      },
    ],
  },
})
