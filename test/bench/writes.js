import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {readEnvelope} from './measure.js'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const program = here('../../bin/run.js')
const header = 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'

/**
 * Prints what the journal costs: the same writes with the state on the disk and in memory, in turn; then the memory and
 * the requests of a large one. `/dev/shm` is memory where Linux has it.
 */
export async function benchWrites(runs) {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-writes-'))
  const memory = mkdtempSync(join('/dev/shm', 'vendorctl-writes-'))
  const environment = {PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder}
  const service = [program, 'sandbox', 'start', '--json', '--no-limits', '--batches', '0']
  const server = spawn(process.execPath, service, {env: environment, stdio: ['ignore', 'pipe', 'inherit']})
  try {
    const {url, apiKey, username, password} = JSON.parse(await readEnvelope(server.stdout)).data
    const known = {
      VENDORCTL_BASE_URL: url,
      VENDORCTL_API_KEY: apiKey,
      VENDORCTL_USERNAME: username,
      VENDORCTL_PASSWORD: password,
    }
    const rate = {VENDORCTL_RATE: '1000', VENDORCTL_BURST: '1000', VENDORCTL_DAILY_QUOTA: '100000'}
    const write = (state, count) => {
      reset(environment)
      return writeOnce({...environment, ...known, ...rate}, state, writeSites(folder, count))
    }
    const costs = {disk: [], memory: []}
    for (let run = 0; run <= runs; run++) {
      for (const [name, state] of Object.entries({disk: folder, memory})) {
        const cost = write(state, 10_000)
        if (run > 0) costs[name].push(cost)
      }
    }

    const [disk, floor] = [medianOf(costs.disk), medianOf(costs.memory)]
    process.stdout.write(`\nCreate of 10,000 sites, median of ${runs}, ratio to a journal that is never on a disk\n`)
    print('state in memory', floor, floor, '')
    print('state on the disk', disk, floor, 'at most 1.05 x')
    const large = write(folder, 100_000)
    print('100,000 sites', large, large, `${large.megabytes.toFixed(0)} MB, at most 250 MB`)
  } finally {
    server.kill()
    await once(server, 'exit')
    for (const path of [folder, memory]) rmSync(path, {recursive: true, force: true})
  }
}

function reset(environment) {
  const {status, stderr} = spawnSync(process.execPath, [program, 'sandbox', 'reset'], {env: environment})
  if (status !== 0) throw new Error(`the sandbox was not reset: ${stderr}`)
}

function writeOnce(environment, state, file) {
  const home = join(state, 'state') // the first run lays its reserve of room there once, as for a user
  mkdirSync(home, {recursive: true})
  rmSync(join(home, 'vendorctl', 'tokens'), {recursive: true, force: true})
  const cost = join(home, 'cost.json')
  const words = ['sites', 'create', '--file', file, '--yes', '--json']
  const start = process.hrtime.bigint()
  const {status, stdout, stderr} = spawnSync(
    process.execPath,
    ['--import', new URL('cost.js', import.meta.url).href, program, ...words],
    {
      env: {...environment, XDG_STATE_HOME: home, BENCH_COST: cost},
      encoding: 'utf8',
      maxBuffer: 1e9,
    },
  )
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  if (status !== 0) throw new Error(`vendorctl ended with ${status}: ${stderr}`)
  const requests = JSON.parse(stdout).meta.requests.used
  const used = {...JSON.parse(readFileSync(cost, 'utf8')), requests, seconds}
  return used
}

function writeSites(folder, count) {
  const path = join(folder, `sites-${count}.csv`)
  const file = openSync(path, 'w')
  writeSync(file, `${header}\n`)
  for (let row = 0; row < count; row++)
    writeSync(file, `201,101,Site number ${row},true,${100 + (row % 900)},1000,Net30\n`)
  closeSync(file)
  return path
}

const medianOf = (costs) => costs.sort((one, other) => one.seconds - other.seconds)[Math.floor(costs.length / 2)]

function print(name, {seconds, requests}, floor, words) {
  const ratio = `${(seconds / floor.seconds).toFixed(2)} x`.padStart(10)
  process.stdout.write(
    `${name.padEnd(34)}${`${seconds.toFixed(2)} s`.padStart(11)}${ratio}  ${requests} requests, ${words}\n`,
  )
}
