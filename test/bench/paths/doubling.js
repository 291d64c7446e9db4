import {copyFileSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {runPath} from './exports.js'
import {homeIn, runProgram, serviceAt, serviceOf, startSandbox, startServer} from './run.js'
import {writeSites} from './sites.js'

/** More than twice, because machines are noisy; far less than the four times of what grows with the square. */
const most = 2.6
const range = ['--start', '2026-01-01T00:00', '--end', '2026-01-31T00:00']

const report = ['reports', 'transactions', ...range, '--quiet']
/** Of each engine that reads pages one path. */
const paths = [
  {name: 'csv', to: 'o.csv'},
  {name: 'sqlite', to: 'o.db'},
  {name: 'parquet', to: 'o.parquet'},
  {name: 'xlsx', to: 'o.xlsx'},
  {name: '--sort', to: 'o.csv', more: ['--sort', '-lineItem.totalPrice']},
  {name: 'summary', words: ['reports', 'summary', ...range, '-o', 'csv', '--quiet']},
]
const files = [
  ['summary of csv', ['reports', 'summary', 'kept.csv', '-o', 'csv']],
  ['verify', ['reports', 'verify', 'kept.csv']],
  ['verify --full', ['reports', 'verify', 'kept.csv', '--full']],
  ['reports changes', ['reports', 'changes', 'kept.csv', '--json']],
]
const fewColumns = 'id,siteId,siteName,machineId,machineName,totalPrice,lineItem.id,lineItem.quantity'
const moreColumns = `${fewColumns},recordedAtUtc,siteExternalId,machineModel,totalTax,lineItem.selection,lineItem.productId,lineItem.productName,lineItem.totalPrice`

/** Prints how much more CPU time twice the input takes, once for each thing that a cost can grow with. */
export async function benchDoubling(folder, {pages, rows}) {
  process.stdout.write(`\nTwice the input: ratio of CPU seconds without those of a start, at most ${most}\n`)
  const start = runProgram(['--version'], homeIn(folder, 'start')).cpuSeconds
  const say = (name, [once, twice]) => {
    const ratio = (twice - start) / (once - start)
    process.stdout.write(`${name.padEnd(34)}${ratio.toFixed(2).padStart(7)} x${ratio > most ? ' OVER' : ''}\n`)
  }
  for (const [name, both] of await costsOfPages(folder, pages)) say(`pages, ${name}`, both)
  await costsOfOneServer(folder, pages, say)
  await costsOfRuns(folder, rows, say)
}

async function costsOfPages(folder, pages) {
  const costs = new Map()
  const add = (name, {cpuSeconds}) => costs.set(name, [...(costs.get(name) ?? []), cpuSeconds])
  for (const count of [pages, pages * 2]) {
    await using server = await startServer('../export-server.js', String(count))
    const bench = {folder, service: serviceAt(server.url)}
    const kept = homeIn(folder, `kept-${count}`)
    const keep = [...report, '--output-file', join(kept.HOME, 'kept.csv')]
    runProgram(keep, {...kept, ...bench.service})
    for (const path of paths) add(path.name, runPath(path, bench, kept))
    for (const [name, words] of files) add(name, runPath({words}, bench, kept))
  }
  return costs
}

/** Columns of the same pages, and windows without any page. */
async function costsOfOneServer(folder, pages, say) {
  await using server = await startServer('../export-server.js', String(pages))
  const bench = {folder, service: serviceAt(server.url)}
  const toCsv = (more) => runPath({to: 'o.csv', more}, bench).cpuSeconds
  say(
    'columns, csv',
    [fewColumns, moreColumns].map((names) => toCsv(['--columns', names])),
  )
  const env = {...homeIn(folder, 'windows'), ...bench.service}
  const since = (year) => ['reports', 'transactions', '--start', year, '--end', '2025-01', '-o', 'csv', '--quiet']
  say(
    'windows, csv',
    ['2015-01', '2005-01'].map(
      (year) => runProgram([...since(year), '--output-file', join(env.HOME, `${year}.csv`)], env).cpuSeconds,
    ),
  )
}

/** Rows that are planned and sent, and the journals beside the one that is looked for. */
async function costsOfRuns(folder, rows, say) {
  const env = homeIn(folder, 'runs')
  await using sandbox = await startSandbox(env, '--no-limits', '--batches', '0')
  const service = serviceOf(sandbox, env)
  const create = (name, count, ...more) => {
    const words = ['sites', 'create', '--file', writeSites(folder, count, name), '--json', ...more]
    return runProgram(words, service).cpuSeconds
  }
  const both = [rows, rows * 2]
  say(
    'rows, dry run',
    both.map((count) => create('Site', count, '--dry-run')),
  )
  const sent = both.map((count) => create(`Site ${count}`, count, '--yes'))
  say('rows, sent', sent)
  const list = () => runProgram(['runs', 'list', '--json'], env).cpuSeconds
  copyRuns(env, 400)
  const few = list()
  copyRuns(env, 800)
  say('journals, runs list', [few, list()])
}

/** Makes as many copies of the smallest run as it takes for so many, each under an id of its own. */
function copyRuns({XDG_STATE_HOME}, count) {
  const runs = join(XDG_STATE_HOME, 'vendorctl', 'runs')
  const [first] = readdirSync(runs)
    .filter((name) => name.endsWith('.run'))
    .sort()
  const id = first.replace('.run', '')
  for (let copy = readdirSync(runs).filter((name) => name.endsWith('.run')).length; copy < count; copy++) {
    const other = `20200101-${String(copy).padStart(6, '0')}-${id.split('-')[2]}`
    for (const end of ['.run', '.run-sent']) copyFileSync(join(runs, id + end), join(runs, other + end))
  }
}
