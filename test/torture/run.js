/**
 * npm run torture -- --kills N [--seed N] [--points]: kills runs at random moments, or at every named point, and goes on
 * with them until they are done; then every row is compared with what the sandbox holds.
 */
import {spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'

const {values} = parseArgs({
  options: {
    kills: {type: 'string', default: '1000'},
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    points: {type: 'boolean', default: false},
    workers: {type: 'string', default: '2'},
  },
})
const root = fileURLToPath(new URL('../..', import.meta.url))
const file = values.points ? 'points.long.ts' : 'kills.long.ts'
const {status} = spawnSync('vitest', ['run', '--config', 'test/torture/vitest.config.ts', `test/torture/${file}`], {
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
