// Start-up beside bare node, an export beside a naive loop, an import beside the parser alone, all in one run: read the
// ratios, not the times. --start: only the first, in less than a minute; --peers: installs the tools that it
// is shown beside, which without --start it also is when they are there already.
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {benchExport} from './export.js'
import {benchImport} from './import.js'
import {medianOf, printRow, readEnvelope} from './measure.js'
import {findPeers, installPeers} from './peers.js'
import {benchStart} from './start.js'
import {benchWrites} from './writes.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'bin', 'run.js')
const node = process.execPath
const folder = mkdtempSync(join(tmpdir(), 'vendorctl-bench-'))
const startRuns = Number(process.env.BENCH_RUNS ?? 21)
const exportRuns = Number(process.env.BENCH_EXPORT_RUNS ?? 3)
const millionRuns = Number(process.env.BENCH_MILLION_RUNS ?? 3)
const importRuns = Number(process.env.BENCH_IMPORT_RUNS ?? 5)
const writeRuns = Number(process.env.BENCH_WRITE_RUNS ?? 7)
const batchesOf100000Lines = 15_400

const isStartOnly = process.argv.includes('--start')
const withPeers = process.argv.includes('--peers')
if (withPeers) installPeers()
const peers = withPeers || !isStartOnly ? findPeers() : []
await benchStart({runs: startRuns, firstRuns: Math.ceil(startRuns / 3), peers})
if (!isStartOnly) {
  await benchSmallExport()
  await benchExport(folder, {runs: millionRuns})
  await benchImport(folder, importRuns)
  await benchWrites(writeRuns)
}
rmSync(folder, {recursive: true, force: true})

async function benchSmallExport() {
  const environment = {PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder}
  const server = spawn(
    node,
    [program, 'sandbox', 'start', '--json', '--no-limits', '--batches', String(batchesOf100000Lines)],
    {env: environment, stdio: ['ignore', 'pipe', 'inherit']},
  )
  try {
    const sandbox = JSON.parse(await readEnvelope(server.stdout)).data
    const withSandbox = {...environment, VENDORCTL_PROFILE: 'sandbox'}
    const naive = {
      ...environment,
      BENCH_URL: sandbox.url,
      BENCH_KEY: sandbox.apiKey,
      BENCH_FILE: join(folder, 'naive.csv'),
    }
    naive.BENCH_TOKEN = await logIn(sandbox)
    const floor = medianOf([node, fileURLToPath(new URL('naive.js', import.meta.url))], {
      environment: naive,
      runs: exportRuns,
    })
    const words = ['reports', 'transactions', '--start', '-124d', '--end', 'now', '-o', 'csv', '--overwrite', '--quiet']
    const ours = medianOf([node, program, ...words, '--output-file', join(folder, 'ours.csv')], {
      environment: withSandbox,
      runs: exportRuns,
    })
    process.stdout.write(`\nExport of 100,000 line items to CSV, median of ${exportRuns}, ratio to a naive loop\n`)
    printRow('naive loop', floor, floor, 'no checks, digits lost, nothing atomic')
    printRow('vendorctl reports transactions', ours, floor, 'digits kept, every page checked, file whole')
    benchSummary(join(folder, 'ours.csv'), environment)
  } finally {
    server.kill()
    await once(server, 'exit')
  }
}

function benchSummary(file, environment) {
  const words = [node, program, 'reports', 'summary', file, '-o']
  const [text, page] = ['csv', 'html'].map((format) => medianOf([...words, format], {environment, runs: exportRuns}))
  process.stdout.write(`\nSummary of 100,000 line items of a CSV, median of ${exportRuns}, ratio to the text\n`)
  printRow('-o csv', text, text, 'by day')
  printRow('-o html', page, text, 'all groups in one pass, charts')
}

async function logIn({url, apiKey, username, password}) {
  const answer = await fetch(`${url}/v2.1/authenticate`, {
    method: 'POST',
    headers: {'x-api-key': apiKey, 'content-type': 'application/json'},
    body: JSON.stringify({username, password}),
  })
  return (await answer.json()).accessToken
}
