/**
 * npm run torture -- --kills N [--seed N] [--workers N]: kills runs of writes at random moments and goes on with them
 * until they are done; then every row is compared with what the sandbox holds.
 * --exports: kills exports instead, gives the same command again until it is done, and compares every byte.
 * --points: kills at every named point in turn, whatever the number of kills.
 */
import {spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'

const {values} = parseArgs({
  options: {
    kills: {type: 'string', default: '1000'},
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    points: {type: 'boolean', default: false},
    exports: {type: 'boolean', default: false},
    workers: {type: 'string', default: '2'},
  },
})
const root = fileURLToPath(new URL('../..', import.meta.url))
const file = values.exports
  ? `${values.points ? 'export-points' : 'exports'}.long.ts`
  : `${values.points ? 'points' : 'kills'}.long.ts`
const words = ['run', '--config', 'test/torture/vitest.config.ts', `test/torture/${file}`]
const {status} = spawnSync('vitest', words, {
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
