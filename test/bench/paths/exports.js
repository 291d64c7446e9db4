import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {homeIn, runProgram, serviceAt, startServer} from './run.js'
import {createTable, medians} from './table.js'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const python = process.env.BENCH_PYTHON ?? 'python3'
const range = ['--start', '2026-01-01T00:00', '--end', '2026-01-31T00:00']
const report = ['reports', 'transactions', ...range, '--quiet']
const where = ['--where', 'siteId=1007']
const lineWhere = ['--where', 'lineItem.productId=803']
const columns = ['--columns', 'id,siteId,lineItem.totalPrice']
const floors = [
  ['node:http, JSON.parse, one buffer', 'single'],
  ['got, csv-stringify', 'stringify'],
]
const naive = 'naive loop'
export const pagesOfMillion = 77
/** Every way from pages or files to an output; a ratio is one of CPU seconds. */
const paths = [
  {name: 'file csv', to: 'o.csv', most: 0.62, peers: 'csv'},
  {name: 'file ndjson', to: 'o.ndjson', peers: 'ndjson'},
  {name: 'file csv.gz', to: 'o.csv.gz'},
  {name: 'stdout csv', format: 'csv', beside: 'file csv', most: 1.1},
  {name: 'stdout ndjson', format: 'ndjson', beside: 'file ndjson', most: 1.1},
  {name: 'file csv, --where', to: 'o.csv', more: where},
  {name: 'stdout csv, --where', format: 'csv', more: where, beside: 'file csv, --where', most: 1.1},
  {name: 'file csv, --where of lines', to: 'o.csv', more: lineWhere},
  {
    name: 'stdout csv, --where of lines',
    format: 'csv',
    more: lineWhere,
    beside: 'file csv, --where of lines',
    most: 1.1,
  },
  {name: 'file csv, --columns', to: 'o.csv', more: columns},
  {name: 'stdout csv, --columns', format: 'csv', more: columns, beside: 'file csv, --columns', most: 1.1},
  {name: 'sqlite', to: 'o.db', most: 1.6, peers: 'sqlite'},
  {name: 'parquet', to: 'o.parquet', most: 1.1, peers: 'parquet'},
  {name: 'xlsx', to: 'o.xlsx', most: 2.5},
  {name: '--sort to csv', to: 'o.csv', more: ['--sort', 'lineItem.totalPrice'], most: 2, megabytes: 250, peers: 'sort'},
  {name: 'summary live', words: ['reports', 'summary', ...range, '-o', 'csv', '--quiet'], most: 0.8},
  {name: 'summary of csv', words: ['reports', 'summary', 'kept.csv', '-o', 'csv'], cpu: 3, peers: 'summary of csv'},
  {
    name: 'summary of ndjson',
    words: ['reports', 'summary', 'kept.ndjson', '-o', 'csv'],
    cpu: 3.5,
    peers: 'summary of ndjson',
  },
  {name: 'verify', words: ['reports', 'verify', 'kept.csv'], cpu: 3},
  {name: 'verify --full', words: ['reports', 'verify', 'kept.csv', '--full'], beside: 'file csv', most: 1.2},
  {name: 'reports changes', words: ['reports', 'changes', 'kept.csv', '--json'], beside: 'file csv', most: 1.3},
  {name: '--time-basis utc', to: 'o.csv', more: ['--time-basis', 'utc'], beside: 'file csv', most: 1.3},
]

/** Prints every path of the transaction report beside a naive loop and other tools, all on the same pages. */
export async function benchExports(folder, {runs, pages}) {
  await using server = await startServer('../export-server.js', String(pages))
  const bench = {folder, service: serviceAt(server.url), url: server.url}
  const kept = keepFiles(bench)
  const costs = new Map(
    [naive, ...floors.map(([name]) => name), ...paths.map(({name}) => name)].map((name) => [name, []]),
  )
  for (let run = 0; run < runs; run++) {
    for (const [name, way] of [[naive, 'naive'], ...floors]) costs.get(name).push(runFloor(way, bench))
    for (const path of paths) costs.get(path.name).push(runPath(path, bench, kept))
  }
  const found = new Map([...costs].map(([name, all]) => [name, medians(all)]))
  const isUsual = pages === pagesOfMillion
  const table = print(found, {runs, isUsual}, (path) => runPeers(path, bench, kept))
  if (isUsual) await benchTenfold(bench, table, found.get('file csv'))
  return found
}

/** The files that commands read which read files: the same export as csv and as ndjson. */
function keepFiles({folder, service}) {
  const home = homeIn(folder, 'kept')
  for (const file of ['kept.csv', 'kept.ndjson'])
    runProgram([...report, '--output-file', join(home.HOME, file)], {...home, ...service})
  return home
}

/** One run of a path; each has a home and a folder of its own, those that read files the one with the files. */
export function runPath({to, format, words, more = []}, {folder, service}, kept) {
  if (words) {
    const env = {...kept, ...service}
    return runProgram(
      words.map((word) => (word.startsWith('kept.') ? join(kept.HOME, word) : word)),
      env,
    )
  }
  const home = mkdtempSync(join(folder, 'home-'))
  try {
    const output = to === undefined ? ['-o', format] : ['--output-file', join(home, to)]
    return runProgram([...report, ...more, ...output], {...homeIn(home, '.'), ...service})
  } finally {
    rmSync(home, {recursive: true, force: true})
  }
}

function runFloor(way, {folder, url}) {
  const {status, stdout, stderr} = spawnSync(
    process.execPath,
    [here('../export-run.js'), way, url, join(folder, 'floor.csv')],
    {encoding: 'utf8'},
  )
  if (status !== 0) throw new Error(`${way} ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}

/** The tools that are installed; none without Python. */
function runPeers({name, peers, words}, {folder, url}, kept) {
  const {status, stdout} = spawnSync(python, [here('peers.py')], {encoding: 'utf8'})
  const tools = status === 0 && peers !== undefined ? (JSON.parse(stdout)[peers] ?? []) : []
  return tools.map((tool) => {
    const home = mkdtempSync(join(folder, 'peer-'))
    const source = words
      ? [
          join(
            kept.HOME,
            words.find((word) => word.startsWith('kept.')),
          ),
        ]
      : [url, home]
    const ran = spawnSync(python, [here('peers.py'), peers, tool, ...source], {encoding: 'utf8'})
    rmSync(home, {recursive: true, force: true})
    if (ran.status !== 0) throw new Error(`${tool} (${name}) ended with ${ran.status}: ${ran.stderr}`)
    return [tool, JSON.parse(ran.stdout)]
  })
}

function print(found, {runs, isUsual}, peersOf) {
  const floor = {name: naive, cost: found.get(naive)}
  const lines = floor.cost.lines.toLocaleString('en')
  const title = `${lines} line items, median of ${runs}, CPU seconds as ratio; other tools: ratio to the naive loop`
  const table = createTable(title, {promises: isUsual})
  table.row(naive, floor.cost, {note: 'fetch, objects, strings: no checks, digits lost, nothing atomic'})
  for (const [name] of floors) table.row(name, found.get(name), {beside: floor})
  for (const path of paths) {
    const beside = path.beside ? {name: path.beside, cost: found.get(path.beside)} : floor
    table.row(path.name, found.get(path.name), {...path, beside})
    if (isUsual) table.peers(peersOf(path), floor)
  }
  return table
}

/** Ten times as much: time must grow as the input does, and memory not at all. */
async function benchTenfold({folder}, table, once) {
  await using server = await startServer('../export-server.js', String(pagesOfMillion * 10))
  const found = runPath({to: 'o.csv'}, {folder, service: serviceAt(server.url)})
  const beside = {name: 'ten times file csv', cost: {seconds: once.seconds * 10}}
  table.row('file csv, ten times the lines', found, {beside, unit: 'seconds', most: 1.1, megabytes: 220})
}
