import {defineConfig} from 'vitest/config'

/** LibreOffice is not on every machine; samples of other programs are part of the tests that every machine runs. */
export default defineConfig({
  test: {
    include: ['test/office/*.long.ts'],
    globalSetup: 'test/office/find-office.ts',
    testTimeout: 180_000,
    maxWorkers: 1,
  },
})
