/**
 * npm run torture:exports -- --kills N [--seed N]: kills exports at random moments and at named points, gives the same
 * command again until it is done, and compares every byte with a file that was written without a kill.
 */
import {spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'

const {values} = parseArgs({
  options: {
    kills: {type: 'string', default: '1000'},
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    workers: {type: 'string', default: '2'},
  },
})
const root = fileURLToPath(new URL('../..', import.meta.url))
const program = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const words = ['run', '--config', 'test/torture/vitest.config.ts', 'test/torture/exports.long.ts']
const {status} = spawnSync(process.execPath, [program, ...words], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    TORTURE_KILLS: values.kills,
    TORTURE_SEED: values.seed,
    TORTURE_WORKERS: values.workers,
  },
})
process.exitCode = status ?? 1
