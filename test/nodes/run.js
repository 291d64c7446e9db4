/**
 * npm run test:nodes [-- VERSION…]: the fast part of the gate on each Node of versions.json, or on those that are named.
 * Everything but long kills, servers of other makers, and what the program is asked for in the rarer cases.
 */
import {spawnSync} from 'node:child_process'
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {installNode} from './install.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Of the first line the oldest Node that is promised. */
const versions = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'))
const left = ['e2e', 'torture']
const smoke = ['help', 'sandbox', 'reads', 'sites-create', 'exports'].map((name) => `test/e2e/${name}.test.ts`)
const parts = readdirSync(join(root, 'test'), {withFileTypes: true})
  .filter(({name}) => !left.includes(name))
  .flatMap((entry) => (entry.isDirectory() ? `test/${entry.name}/` : entry.name.match(/.*\.test\.ts$/)?.[0]))
const chosen = process.argv.length > 2 ? process.argv.slice(2).flatMap(toVersions) : versions

try {
  const nodes = chosen.map((version) => ({version, executable: installNode(version)}))
  const rows = nodes.map(testOn)
  process.stdout.write(`\nNode          tests  failures  seconds\n${rows.map(printRow).join('')}`)
  if (!rows.every(({isGreen}) => isGreen)) process.exitCode = 1
} catch (error) {
  process.stderr.write(`error: ${error.message}\n`)
  process.exitCode = 1
}

/** A line such as 22 stands for the version of it that is pinned. */
function toVersions(name) {
  const pinned = versions.filter((version) => version === name || version.startsWith(`${name}.`))
  return pinned.length > 0 ? pinned : [name]
}

function testOn({version, executable}) {
  process.stdout.write(`\nNode ${version}\n`)
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-nodes-'))
  const report = join(folder, 'report.json')
  const start = performance.now()
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const words = ['run', '--config', 'test/vitest.config.ts', '--reporter=minimal', '--reporter=json']
  const {status} = spawnSync(
    executable,
    [vitest, ...words, `--outputFile.json=${report}`, ...parts.filter(Boolean), ...smoke],
    // What tests start by the name `node` is this Node too.
    {cwd: root, stdio: 'inherit', env: {...process.env, PATH: `${dirname(executable)}${delimiter}${process.env.PATH}`}},
  )
  const seconds = (performance.now() - start) / 1000
  const counts = readCounts(report)
  rmSync(folder, {recursive: true, force: true})
  return {version, seconds, ...counts, isGreen: status === 0 && counts.tests > 0 && counts.failures === 0}
}

/** A run that broke down before its report has counted nothing, which is no pass. */
function readCounts(report) {
  try {
    const {numTotalTests, numFailedTests} = JSON.parse(readFileSync(report, 'utf8'))
    return {tests: numTotalTests, failures: numFailedTests}
  } catch {
    return {tests: 0, failures: 0}
  }
}

function printRow({version, tests, failures, seconds, isGreen}) {
  const cells = [version.padEnd(10), String(tests).padStart(9), String(failures).padStart(10)]
  return `${cells.join('')}${seconds.toFixed(0).padStart(9)}  ${isGreen ? '' : 'FAILED'}`.trimEnd().concat('\n')
}
