// Every path beside a floor and beside the tools that are installed, all in one run: read the ratios, not the times.
// Words choose parts (start, exports, others, sync, import, writes, doubling, governor,
// budget); --quick: small sizes and one run each, under a
// minute; --start: only the start; --peers: installs the oclif tools that a start is shown beside.
// BENCH_PYTHON names a Python that has duckdb, polars, pyarrow or orjson.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {benchBudget} from './budget.js'
import {benchImport} from './import.js'
import {benchDoubling} from './paths/doubling.js'
import {benchExports, pagesOfMillion} from './paths/exports.js'
import {benchOthers} from './paths/others.js'
import {benchSync} from './paths/sync.js'
import {findPeers, installPeers} from './peers.js'
import {benchStart} from './start.js'
import {benchWrites} from './writes.js'

const words = process.argv.slice(2)
const isQuick = words.includes('--quick')
const isStartOnly = words.includes('--start')
const chosen = isStartOnly ? ['start'] : words.filter((word) => !word.startsWith('--'))
if (words.includes('--peers')) installPeers()

/** Each part at its usual size, and as --quick has it. */
const parts = {
  start: () => {
    const runs = Number(process.env.BENCH_START_RUNS ?? (isQuick ? 3 : 21))
    return benchStart({runs, firstRuns: Math.ceil(runs / 3), peers: isQuick ? [] : findPeers()})
  },
  exports: (folder) => benchExports(folder, isQuick ? {runs: 1, pages: 6} : usual()),
  sync: (folder) => benchSync(folder, isQuick ? {runs: 1, pages: 6, promises: false} : {...usual(), promises: true}),
  others: (folder) => benchOthers(folder, {isQuick}),
  import: (folder) => benchImport(folder, isQuick ? 1 : 5),
  writes: () => benchWrites(isQuick ? 1 : 7),
  governor: () => import('./governor.js'),
  budget: benchBudget,
  doubling: (folder) => benchDoubling(folder, isQuick ? {pages: 4, rows: 5_000} : {pages: 15, rows: 50_000}),
}
const quickParts = ['start', 'exports', 'others']
const usualParts = Object.keys(parts).filter((name) => !['governor', 'budget'].includes(name)) // minutes, and judged by themselves

const folder = mkdtempSync(join(tmpdir(), 'vendorctl-bench-'))
try {
  for (const name of chosen.length > 0 ? chosen : isQuick ? quickParts : usualParts) await partOf(name)(folder)
} finally {
  rmSync(folder, {recursive: true, force: true})
}

/** A million line items, unless the environment asks for other sizes. */
function usual() {
  return {runs: Number(process.env.BENCH_RUNS ?? 3), pages: Number(process.env.BENCH_PAGES ?? pagesOfMillion)}
}

function partOf(name) {
  if (parts[name]) return parts[name]
  throw new Error(`${name} is no part; choose from ${Object.keys(parts).join(', ')}.`)
}
