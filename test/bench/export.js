import {spawn, spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {closeSync, mkdirSync, openSync, readFileSync, readSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const dates = ['--start', '2026-01-01T00:00', '--end', '2026-01-31T00:00']

const floors = [
  ['naive', 'fetch, objects, strings (naive floor)'],
  ['single', 'node:http, JSON.parse, one buffer'],
  ['stringify', 'got, csv-stringify'],
  ['pages', 'node:http, renderer of pages, sha256'],
]

/** Prints what an export of a million line items costs, beside floors, each in a process of its own. */
export async function benchExport(folder, {runs, pages = 77}) {
  const server = spawn(process.execPath, [here('export-server.js'), String(pages)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = String((await once(server.stdout, 'data'))[0]).trim()
    const ways = [...floors.map(([way, name]) => [name, () => runFloor(way, url, folder)])]
    ways.push(['vendorctl reports transactions', () => runProgram(url, folder)])
    const costs = new Map(ways.map(([name]) => [name, []]))
    for (let run = 0; run < runs; run++) for (const [name, once] of ways) costs.get(name).push(once())
    print(costs, runs, pages)
  } finally {
    server.kill()
    await once(server, 'exit')
  }
}

function runFloor(way, url, folder) {
  const file = join(folder, 'floor.csv')
  const {status, stdout, stderr} = spawnSync(process.execPath, [here('export-run.js'), way, url, file], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${way} ended with ${status}: ${stderr}`)
  return {...JSON.parse(stdout), digest: digestOf(file)}
}

/** The whole program, as it is started by a person: every page checked, checkpoints, a digest, a manifest. */
function runProgram(url, folder) {
  const home = join(folder, 'export-home')
  const file = join(folder, 'ours.csv')
  for (const path of [home, file, `${file}.manifest.json`]) rmSync(path, {recursive: true, force: true})
  mkdirSync(home)
  const cost = join(home, 'cost.json')
  const environment = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_STATE_HOME: home,
    BENCH_COST: cost,
  }
  const service = {
    VENDORCTL_BASE_URL: url,
    VENDORCTL_API_KEY: 'bench',
    VENDORCTL_USERNAME: 'a',
    VENDORCTL_PASSWORD: 'b',
  }
  const rate = {VENDORCTL_RATE: '1000', VENDORCTL_BURST: '1000', VENDORCTL_DAILY_QUOTA: '100000'}
  const words = ['reports', 'transactions', ...dates, '-o', 'csv', '--output-file', file, '--quiet']
  const start = process.hrtime.bigint()
  const {status, stderr} = spawnSync(
    process.execPath,
    ['--import', new URL('cost.js', import.meta.url).href, program, ...words],
    {
      env: {...environment, ...service, ...rate},
      encoding: 'utf8',
    },
  )
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  if (status !== 0) throw new Error(`vendorctl ended with ${status}: ${stderr}`)
  return {seconds, ...JSON.parse(readFileSync(cost, 'utf8')), digest: digestOf(file)}
}

function print(costs, runs, pages) {
  const medians = new Map([...costs].map(([name, all]) => [name, medianOf(all)]))
  const [naive, single] = [...medians.values()]
  const {lines} = naive
  const million = lines.toLocaleString('en')
  process.stdout.write(
    `\nExport of ${million} line items on ${pages} pages to CSV, median of ${runs}, ratio to a naive loop\n`,
  )
  for (const [name, {seconds, cpuSeconds, megabytes, digest}] of medians) {
    const time = `${seconds.toFixed(2)} s`.padStart(10)
    const ratio = `${(seconds / naive.seconds).toFixed(2)} x`.padStart(8)
    const cpu = `cpu ${cpuSeconds.toFixed(2)} s`.padStart(13)
    const speed = `${Math.round(lines / seconds / 1000)}`.padStart(6)
    const same = digest === single.digest ? '' : ', other bytes'
    process.stdout.write(
      `${name.padEnd(40)}${time}${ratio}${cpu}${speed},000 lines/s  ${megabytes.toFixed(0)} MB${same}\n`,
    )
  }
}

function medianOf(all) {
  const middle = (name) => all.map((one) => one[name]).sort((one, other) => one - other)[Math.floor(all.length / 2)]
  return {...all[0], seconds: middle('seconds'), cpuSeconds: middle('cpuSeconds'), megabytes: middle('megabytes')}
}

function digestOf(file) {
  const hash = createHash('sha256')
  const bytes = Buffer.allocUnsafe(1 << 20)
  const from = openSync(file, 'r')
  for (let read = readSync(from, bytes); read > 0; read = readSync(from, bytes)) hash.update(bytes.subarray(0, read))
  closeSync(from)
  return hash.digest('hex')
}
