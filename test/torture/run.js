/**
 * npm run torture -- --kills N [--seed N] [--workers N]: kills runs of writes at random moments and goes on with them
 * until they are done; then every row is compared with what the sandbox holds.
 * --exports: kills exports instead, gives the same command again until it is done, and compares every byte.
 * --nights: runs named exports night after night, killed and with records that come late, for N histories of seeds from
 * the seed on; every record must be in one file, once. Then runs the jobs of a machine for N nights, 60 at most, by the
 * built program on a moved clock: killed, delivered in vain, with a monitor that is sometimes not there; every record
 * must be delivered once, and each failure told once.
 * --deliveries: kills exports that deliver their files at random moments, N times; every file must be delivered.
 * --mirrors: kills syncs at random moments, N times, in SQLite and PostgreSQL; every mirror must hold what one holds
 * that was never killed.
 * --governor: lets eight processes ask for a minute with faults on; none may be refused, and the ledger must count right.
 * --machines: that many machines share the budget of one key through PostgreSQL, for a minute in each scenario, or for so
 * many --seconds: at work, killed (--kills, 200), frozen, without their store, with clocks that lie; --only names some of
 * them. None may be refused, and the store must count what the service counts.
 * --published: kills runs of the published v2.1 writes (--kills, 400) against a service that shares no line with the
 * program, that sells while stock is adjusted, and loses answers; every report must agree with its ledger. --only names an operation.
 * --points: kills at every named point in turn, whatever the number of kills.
 */
import {spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'

const {values} = parseArgs({
  options: {
    kills: {type: 'string'},
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    points: {type: 'boolean', default: false},
    exports: {type: 'boolean', default: false},
    nights: {type: 'string'},
    deliveries: {type: 'string'},
    machines: {type: 'string'},
    only: {type: 'string'},
    seconds: {type: 'string'},
    mirrors: {type: 'string'},
    published: {type: 'boolean', default: false},
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
    TORTURE_KILLS: values.kills ?? killsOf(values),
    TORTURE_MACHINES: values.machines ?? '',
    TORTURE_ONLY: values.only ?? '',
    TORTURE_SECONDS: values.seconds ?? '',
    TORTURE_NIGHTS: values.nights ?? '',
    TORTURE_DELIVERIES: values.deliveries ?? '',
    TORTURE_MIRRORS: values.mirrors ?? '',
    TORTURE_SEED: values.seed,
    TORTURE_WORKERS: values.workers,
  },
})
process.exitCode = status ?? 1

function killsOf({machines, published}) {
  if (machines !== undefined) return '200'
  return published ? '400' : '1000'
}

function rigOf({machines, nights, deliveries, mirrors, exports, points, published}) {
  if (published) return 'kills-published'
  if (machines !== undefined) return 'machines'
  if (deliveries !== undefined) return 'deliveries'
  if (mirrors !== undefined) return 'mirrors'
  if (nights !== undefined) return 'nights'
  if (exports) return points ? 'export-points' : 'exports'
  return points ? 'points' : 'kills'
}
