/**
 * npm run torture -- --kills N [--seed N] [--workers N]: kills runs of writes at random moments and goes on with them
 * until they are done; then every row is compared with what the sandbox holds.
 * --exports: kills exports instead, gives the same command again until it is done, and compares every byte.
 * --mirrors: kills syncs at random moments, N times, in SQLite and PostgreSQL; every mirror must hold what one holds
 * that was never killed.
 * --governor: lets eight processes ask for a minute with faults on; none may be refused, and the ledger must count right.
 * --machines: that many machines share the budget of one key through PostgreSQL, for a minute in each scenario, or for so
 * many --seconds: at work, killed (--kills, 200), frozen, without their store; --only names some of them. None may be
 * refused, and the store must count what the service counts.
 */
import {spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'

const {values} = parseArgs({
  options: {
    kills: {type: 'string'},
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    exports: {type: 'boolean', default: false},
    machines: {type: 'string'},
    only: {type: 'string'},
    seconds: {type: 'string'},
    mirrors: {type: 'string'},
    governor: {type: 'boolean', default: false},
    workers: {type: 'string', default: '2'},
  },
})
const root = fileURLToPath(new URL('../..', import.meta.url))
const words = ['run', '--config', 'test/torture/vitest.config.ts', `test/torture/${rigOf(values)}.long.ts`]
const [program, ...given] = values.governor ? [process.execPath, 'test/bench/governor.js'] : ['vitest', ...words]
const {status} = spawnSync(program, given, {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    TORTURE_KILLS: values.kills ?? (values.machines === undefined ? '1000' : '200'),
    TORTURE_MACHINES: values.machines ?? '',
    TORTURE_ONLY: values.only ?? '',
    TORTURE_SECONDS: values.seconds ?? '',
    TORTURE_MIRRORS: values.mirrors ?? '',
    TORTURE_SEED: values.seed,
    TORTURE_WORKERS: values.workers,
  },
})
process.exitCode = status ?? 1

function rigOf({machines, mirrors, exports}) {
  if (machines !== undefined) return 'machines'
  if (mirrors !== undefined) return 'mirrors'
  return exports ? 'exports' : 'kills'
}
