import {defineConfig} from 'vitest/config'

export default defineConfig({test: {include: ['test/long/workflows/*.long.ts'], testTimeout: 60_000}})
