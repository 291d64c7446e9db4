import {spawn} from 'node:child_process'
import {mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {address, login, type startVendor} from './vendor.js'

/** What a version left in its folders: when the service began, the ids of its runs, and its files, a letter for each byte. */
export type State = {at: number; runs: {killed: string; doubt: string; done: string}; files: Record<string, string>}

/** Paths of output files are part of the state, so every test has the same folder, one after the other. */
export const folder = '/tmp/vendorctl-compatibility'

/** Waits until no other process has the folder, and empties it. It is free again when the process ends. */
export function takeFolder(): {release: () => void} {
  const lock = new DatabaseSync(`${folder}.lock`, {timeout: 600_000})
  lock.exec('BEGIN EXCLUSIVE')
  rmSync(folder, {recursive: true, force: true})
  mkdirSync(folder, {mode: 0o700})
  return {
    release() {
      rmSync(folder, {recursive: true, force: true})
      lock.close()
    },
  }
}

/** What leads a program to the folder, and to nothing else of this machine. */
export const ownEnvironment = {
  ...{HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state')},
  ...{XDG_CACHE_HOME: join(folder, 'cache'), VENDORCTL_RATE: '1000', VENDORCTL_BURST: '1000'},
}

const header = 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms'
const siteFile = (...names: string[]) =>
  `${[header, ...names.map((name) => `201,101,${name},true,500,10,Net10`)].join('\n')}\n`
const files = {
  'prices.csv': 'id,maxChargePrice\n1001,600\n',
  'doubt.csv': siteFile('In doubt'),
  'killed.csv': siteFile('Killed 1', 'Killed 2', 'Killed 3'),
  'next.csv': 'id,maxChargePrice\n1002,650\n',
  'jobs.yaml': 'jobs: {codes: {command: alerts codes, flags: {output-file: codes.csv, overwrite: true}}}\n',
}

/** The export that is killed on its way. */
export const killedExport = (days: (back: number) => string) =>
  `reports transactions --start ${days(9)} --end ${days(3)} --output-file killed.csv.out --page-size 2 -o csv`.split(
    ' ',
  )

/** The export by name, which continues at its mark. */
export const nightlyExport = (days: (back: number) => string, file: string) =>
  `reports transactions --since-last nightly --start ${days(6)} --output-file ${file}`.split(' ')

/** Day texts counted back from the moment the service began. */
export const daysBefore = (at: number) => (back: number) => new Date(at - back * 86_400_000).toISOString().slice(0, 10)

/** Has the built program at `root` write, export, mirror and plan, kills it twice, and returns what it left. */
export async function makeState(
  root: string,
  vendor: Awaited<ReturnType<typeof startVendor>>,
  at: number,
): Promise<State> {
  const {sandbox, environment, authority} = vendor
  const trusted = join(folder, 'authority.pem')
  writeFileSync(trusted, authority)
  const env = {PATH: process.env['PATH'], ...ownEnvironment, ...environment, NODE_EXTRA_CA_CERTS: trusted}
  const start = (words: readonly string[], more = {}) =>
    spawn(process.execPath, [join(root, 'bin/run.js'), ...words], {
      ...{cwd: folder, env: {...env, ...more}, detached: true},
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  const end = (words: readonly string[], code: number, more = {}) =>
    new Promise<void>((resolve, reject) => {
      const child = start(words, more)
      let said = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
      child.once('close', (found) => {
        if (found === code) resolve()
        else reject(new Error(`${words.join(' ')} ended with ${found}: ${said}`))
      })
    })
  /** Killed when the service has answered nothing to its request. */
  const kill = async (words: readonly string[], fault: string) => {
    sandbox.faults.set([`stall-headers@${fault}`])
    const child = start(words)
    while (!sandbox.faults.list().some(({fired}) => fired > 0)) await new Promise((resolve) => setTimeout(resolve, 20))
    const closed = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGKILL')
    await closed
    sandbox.faults.clear()
  }
  const newestRun = () =>
    readdirSync(join(folder, 'state/vendorctl/runs'))
      .filter((name) => name.endsWith('.run'))
      .sort()
      .at(-1)
      ?.slice(0, -4) ?? ''

  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const secrets = {
    VENDORCTL_API_KEY: login.apiKey,
    VENDORCTL_USERNAME: login.username,
    VENDORCTL_PASSWORD: login.password,
  }
  await end(['profiles', 'set', 'production', `baseUrl=${address}`, 'stage=v2.1'], 0)
  await end(['profiles', 'use', 'production'], 0)
  await end(['auth', 'login', '--save-password'], 0, secrets)
  await end(['sites', 'update', '-f', 'prices.csv', '--yes'], 0)
  const done = newestRun()
  sandbox.faults.set(['reset-after-commit@sites.create#1'])
  await end(['sites', 'create', '-f', 'doubt.csv', '--yes', '--settle', '0'], 7)
  sandbox.faults.clear()
  const doubt = newestRun()
  await kill(['sites', 'create', '-f', 'killed.csv', '--yes', '--set-size', '1'], 'sites.create#2')
  const killed = newestRun()
  await kill(killedExport(daysBefore(at)), 'reports.transactions#2')
  await end([...nightlyExport(daysBefore(at), 'night-1.csv'), '--deliver', 'false {file}'], 75)
  await end(['sync', '--db', 'mirror.db', '--with-transactions', '--start', daysBefore(at)(4)], 0)
  await end(['sites', 'update', '-f', 'next.csv', '--dry-run', '--plan-out', 'plan.json'], 0)
  await end(['jobs', 'run', 'codes', '--jobs-file', 'jobs.yaml'], 0)
  return {at, runs: {killed, doubt, done}, files: readFiles()}
}

function readFiles(): Record<string, string> {
  const names = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter(
    (name) => statSync(join(folder, name)).isFile() && !/^cache|-shm$|\.pem$|runs\/reserve$/.test(name),
  )
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), 'latin1')]))
}

export function restoreState({files}: State): void {
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), {recursive: true, mode: 0o700})
    writeFileSync(join(folder, name), Buffer.from(bytes, 'latin1'), {mode: 0o600})
  }
}

/** Turns every database in the folder into one that version 99.1.2 has written. */
export function makeNewer(): string[] {
  const names = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) => /\.(db|run)$/.test(name))
  for (const name of names) {
    const database = new DatabaseSync(join(folder, name))
    const {user_version: found} = database.prepare('PRAGMA user_version').get() as {user_version: number}
    if (found > 0) database.exec(`PRAGMA user_version=${found + 1}; PRAGMA application_id=99001002`)
    else
      database.exec(
        `UPDATE vendorctl_mirror SET value = 99 WHERE name = 'schema'; UPDATE vendorctl_mirror SET value = 'vendorctl 99.1.2' WHERE name = 'tool'`,
      )
    database.close()
  }
  return names
}
