/**
 * node test/long/run.js PROGRAM [WORD…]: runs a program with the packages that only long tests and releases need.
 * They are installed into this folder when they are not there as its lock file says.
 */
import {spawnSync} from 'node:child_process'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {fileURLToPath} from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const shell = process.platform === 'win32'
const read = (...names) => readFileSync(join(folder, ...names), 'utf8')
/** A copy of the lock file, written when its packages were all installed. */
const installed = ['node_modules', '.installed-lock.json']
const isInstalled = () => existsSync(join(folder, ...installed)) && read(...installed) === read('package-lock.json')

if (isInstalled() || install()) run(process.argv.slice(2))
else process.exitCode = 1

function install() {
  const packages = Object.keys(JSON.parse(read('package.json')).dependencies)
  process.stderr.write(`Installing into test/long, once: ${packages.join(', ')}\n`)
  const {status, error} = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {cwd: folder, stdio: 'inherit', shell})
  if (status === 0) writeFileSync(join(folder, ...installed), read('package-lock.json'))
  else
    process.stderr.write(
      `error: The packages that this needs are not in test/long: npm ended with ${error?.code ?? status}. ` +
        'They come from the npm registry. To try again: npm ci --prefix test/long\n',
    )
  return status === 0
}

function run([program, ...words]) {
  const programs = ['../..', '.'].map((place) => join(folder, place, 'node_modules', '.bin'))
  const PATH = [...programs, process.env.PATH].join(delimiter)
  const {status, error} = spawnSync(program, words, {stdio: 'inherit', shell, env: {...process.env, PATH}})
  if (error) process.stderr.write(`error: ${program} cannot be started: ${error.message}\n`)
  process.exitCode = status ?? 1
}
