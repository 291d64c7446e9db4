import {existsSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {defineConfig} from 'vitest/config'

/** Put something in place of the network; all others share the modules that they load. */
const apart = ['test/wire/**/*.test.ts']

/** Of what a shell sees: kills, signals, terminals, disks, databases and services that are started; and what takes long. */
const ofShells = [
  ...['adjust-again', 'adjust-doubt', 'closed-pipe', 'consent', 'cron', 'deliver', 'demo', 'picture'],
  ...['doubt-first', 'full-disk', 'given-again', 'given-twice', 'going-on', 'guides', 'hostile-names', 'inventory'],
  ...['jobs', 'jobs-setup', 'named-exports', 'notify', 'notify-kills', 'nowhere', 'old-node', 'quota'],
  ...['read-only', 'runs-storage', 'sandbox', 'secrets', 'shared-marks', 'signals', 'sql-postgres', 'start', 'tls'],
  ...['unheard', 'exports', 'output-file', 'file-formats', 'deletions', 'envelope', 'reads', 'service-failures'],
]

/** What `npm run gate` runs after `npm test`; no test is in both, and none in neither. */
const gate = [
  ...['compat', 'library', 'mirror', 'package', 'shared', 'sim', 'torture'].map(
    (folder) => `test/${folder}/**/*.test.ts`,
  ),
  ...['fleet', 'postgres-budget'].map((name) => `test/quota/${name}.test.ts`),
  ...ofShells.map((name) => `test/e2e/${name}.test.ts`),
]

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
for (const path of gate.filter((each) => !each.includes('*'))) {
  if (!existsSync(here(path))) throw new Error(`${path} is not there; test/vitest.config.ts names it`)
}

const all = ['test/**/*.test.ts']
const never = ['**/node_modules/**']

export default defineConfig({
  test: {
    root: here(''),
    maxWorkers: 4, // many tests wait for a process or a clock
    testTimeout: 300_000, // ends what hangs: no test is slow enough to meet it, on whatever machine
    hookTimeout: 300_000,
    retry: 0,
    reporters: [process.stdout.isTTY ? 'default' : 'minimal', here('test/support/closing-line.ts')],
    projects: [
      {extends: true, test: {name: 'apart', include: apart}},
      {
        extends: true,
        test: {
          name: 'together',
          include: all,
          exclude: [...apart, ...gate, ...never],
          isolate: false,
        },
      },
      {extends: true, test: {name: 'gate', include: gate, exclude: never, isolate: false}},
    ],
  },
})
