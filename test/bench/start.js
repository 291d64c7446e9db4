// What a start costs, as ratio to bare node in the same run, beside what it may cost and beside other oclif tools.
import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {certificate} from '../support/certificate.ts'
import {mediansOf, readEnvelope} from './measure.js'

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const httpsFront = fileURLToPath(new URL('https-front.js', import.meta.url))
const node = process.execPath
/** They take half a second and more each. */
const peerRuns = 5
/** No telemetry, no update of itself, and nothing that asks: what is measured is the start. */
const quiet = {
  CI: '1',
  DO_NOT_TRACK: '1',
  DISABLE_TELEMETRY: 'true',
  HEROKU_DISABLE_AUTOUPDATE: '1',
  HEROKU_SKIP_NEW_VERSION_CHECK: '1',
  SHOPIFY_CLI_NO_ANALYTICS: '1',
}

/** Prints a table; `first` of the columns is a start that finds nothing compiled. */
export async function benchStart({runs, firstRuns, peers}) {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-start-'))
  // Nothing of this shell, which could make bare node slower and so every ratio better.
  const environment = {PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder}
  const server = spawn(node, [program, 'sandbox', 'start', '--json', '--no-limits', '--batches', '0'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const fronts = []
  try {
    const {data: sandbox} = JSON.parse(await readEnvelope(server.stdout))
    const front = spawn(node, [httpsFront, new URL(sandbox.url).port], {stdio: ['ignore', 'pipe', 'inherit']})
    fronts.push(front)
    const [port] = await once(front.stdout, 'data')
    const overHttps = logIn(folder, environment, {...sandbox, url: `https://localhost:${Number(port)}`})
    const rows = rowsOf(folder, {...environment, VENDORCTL_PROFILE: 'sandbox'}, overHttps, peers)
    for (const {environment, words} of rows.filter(({name}) => name.startsWith('machines list'))) {
      refuseSecondRequest({environment, words})
    }
    const warm = mediansOf(rows, {runs, warmUps: 2, environmentOf: ({environment}) => environment})
    const ours = rows.filter(({isPeer}) => !isPeer)
    const first = mediansOf(ours, {runs: firstRuns, warmUps: 0, environmentOf: (row) => uncached(row, folder)})
    printTable(rows, warm, first)
  } finally {
    for (const each of [...fronts, server]) {
      each.kill()
      await once(each, 'exit')
    }
    rmSync(folder, {recursive: true, force: true})
  }
}

/** A profile of its own for the service behind TLS, whose certificate is trusted as users are told to; its environment. */
function logIn(folder, environment, {url, apiKey, username, password}) {
  const [authority, key] = [join(folder, 'authority.pem'), join(folder, 'key')]
  writeFileSync(authority, certificate)
  writeFileSync(key, apiKey, {mode: 0o600})
  const env = {...environment, NODE_EXTRA_CA_CERTS: authority, VENDORCTL_PROFILE: 'https'}
  for (const words of [
    ['profiles', 'set', 'https', `baseUrl=${url}`],
    ['auth', 'login', '--api-key-file', key, '--username', username, '--password-stdin'],
  ]) {
    const {status, stderr} = spawnSync(node, [program, ...words], {env, input: password, encoding: 'utf8'})
    if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
  }
  return env
}

/** Every row is a command line; those of ours have the ratio that they may cost. */
function rowsOf(folder, environment, overHttps, peers) {
  const file = join(folder, 'sites.csv')
  writeFileSync(file, siteRows(100))
  const jobs = join(folder, 'jobs.yaml')
  writeFileSync(jobs, 'jobs:\n  list:\n    command: profiles list\n    flags: {output: csv}\n')
  const list = ['machines', 'list', '--limit', '50', '-q']
  const ours = (name, words, target, more = {}) => {
    return {name, words: [node, program, ...words], target, environment, ...more}
  }
  return [
    {name: 'node -e 0', words: [node, '-e', '0'], environment},
    ours('--version', ['--version'], 1.3),
    ours('--help', ['--help'], 2.0),
    ours('help of a topic', ['machines', '--help'], 2.2),
    ours('usage error', ['machines', 'list', '--no-such-flag'], 2.2, {expected: 2}),
    ours('machines list', list, 5.6, {environment: overHttps, about: '50 rows, one request over https'}),
    ours('machines list over http', list, undefined, {about: 'the same of the sandbox, where nothing is encrypted'}),
    ours('sites create --dry-run', ['sites', 'create', '-f', file, '--dry-run', '-q'], 3.2, {about: '100 rows'}),
    ours('profiles list', ['profiles', 'list', '-o', 'csv']),
    ours('a job of it', ['jobs', 'run', 'list', '--jobs-file', jobs], undefined, {isJobOf: 'profiles list'}),
    ...peers.flatMap((peer) => rowsOfPeer(peer, {...environment, ...quiet})),
  ]
}

/** Some tools start themselves once more, by their name. */
function rowsOfPeer({name, file, place, topic, wrong, wrongExit}, shared) {
  const peer = {isPeer: true, runs: peerRuns, environment: {...shared, PATH: `${place}${delimiter}${shared.PATH}`}}
  return [
    {name: `${name} --version`, words: [node, file, '--version'], ...peer},
    {name: `${name} --help`, words: [node, file, '--help'], ...peer},
    {name: `${name} ${topic} --help`, words: [node, file, topic, '--help'], ...peer},
    {name: `${name} usage error`, words: [node, file, ...wrong], expected: wrongExit, ...peer},
  ]
}

function siteRows(count) {
  const header = 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms\n'
  return header + Array.from({length: count}, (_, row) => `201,101,Bench ${row},true,500,1000,Net30\n`).join('')
}

/** The token of the profile is in use; a login in the measured run would be a second request. */
function refuseSecondRequest({words, environment}) {
  spawnSync(words[0], words.slice(1), {env: environment})
  const {stdout} = spawnSync(words[0], [...words.slice(1), '--json'], {env: environment, encoding: 'utf8'})
  const {data, meta} = JSON.parse(stdout)
  if (data.length !== 50 || meta.requests.used !== 1) {
    throw new Error(`machines list read ${data.length} rows with ${meta.requests.used} requests, not 50 with one`)
  }
}

/** A job may cost its command, one bare node, and 15 ms. */
function describeJob(name, command, warm) {
  if (command === undefined) return ''
  const added = warm.get(name) - warm.get(command) - warm.get('node -e 0')
  return `bare node and ${added.toFixed(0)} ms more than ${command}, <= 15 ms${added > 15 ? ' OVER' : ''}`
}

let starts = 0

function uncached({environment}, folder) {
  const empty = join(folder, `empty-${starts++}`)
  mkdirSync(empty)
  return {...environment, XDG_CACHE_HOME: empty, TMPDIR: empty}
}

function printTable(rows, warm, first) {
  const bare = warm.get('node -e 0')
  const bareFirst = first.get('node -e 0')
  const lines = rows.map(({name, target, isJobOf, about = describeJob(name, isJobOf, warm)}) => {
    const ratio = warm.get(name) / bare
    const isOver = target !== undefined && ratio > target
    const limit = target === undefined ? '' : `<= ${target.toFixed(1)} x${isOver ? ' OVER' : ''}`
    const ratioOfFirst = first.has(name) ? `${(first.get(name) / bareFirst).toFixed(2)} x` : ''
    const cells = [`${warm.get(name).toFixed(0)} ms`, `${ratio.toFixed(2)} x`, ratioOfFirst]
    return `${name.padEnd(26)}${cells.map((cell) => cell.padStart(10)).join('')}  ${limit.padEnd(15)}${about}`.trimEnd()
  })
  process.stdout.write(`Start-up: medians, ratio to bare node ${process.version}; "first" found nothing compiled\n`)
  process.stdout.write(`${''.padEnd(26)}${['median', 'ratio', 'first'].map((word) => word.padStart(10)).join('')}\n`)
  process.stdout.write(`${lines.join('\n')}\n`)
}
