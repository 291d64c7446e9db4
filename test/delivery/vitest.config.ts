import {defineConfig} from 'vitest/config'

/** rclone and an SSH server are not on every machine. */
export default defineConfig({
  test: {
    include: ['test/delivery/*.long.ts'],
    globalSetup: 'test/delivery/find-programs.ts',
    testTimeout: 180_000,
    maxWorkers: 1,
  },
})
