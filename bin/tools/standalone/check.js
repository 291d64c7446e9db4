// Tries an executable as a machine without Node has it: with nothing on the path, and in a root folder of its own that
// holds nothing but the C library. Throws at the first thing that is not as it should be.
import {spawnSync} from 'node:child_process'
import {copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {quoted} from '../../../build/cli/completion/shells/shell.js'

const program = fileURLToPath(new URL('../../run.js', import.meta.url))
const {version} = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
const isWindows = process.platform === 'win32'
const print = (text) => process.stdout.write(`${text}\n`)
/** Commands without a service, which print the same as the program from npm, byte for byte. */
const sameAs = [
  ['--help'],
  ['sites', '--help'],
  ['reports', 'transactions', '--help'],
  ['explain', '7'],
  ['contract', 'show', 'envelope'],
  ['contract', 'show', '--format', 'openapi'],
  ['machines', 'list', '--no-such-flag'],
  ['no-such-command'],
  ['__complete', 'bash', '9', '80', '', 'vendorctl reports '],
]
const header = 'accountId,orgId,name,isActive,maxChargePrice,maximumMeterSalesJumpAllowed,commissionTerms\n'
const exported = ['reports', 'transactions', '-p', 'sandbox', '--start', '-9d', '--end', 'now', '-q', '--output-file']
/** Commands in one folder, in this order, each after a text that its output contains. */
const steps = [
  ['saved as profile', ['sandbox', 'start', '--detach']],
  ['id,name\n5001,', ['machines', 'list', '-p', 'sandbox', '--columns', 'id,name', '-o', 'csv', '--limit', '1']],
  ['applied 1', ['sites', 'create', '-p', 'sandbox', '-f', 'sites.csv']],
  ['', [...exported, 'report.csv']],
  ['Matches its manifest', ['reports', 'verify', 'report.csv']],
  ['', [...exported, 'report.xlsx']],
  ['', [...exported, 'report.parquet']],
  ['', [...exported, 'report.db']],
  ['Stopped the sandbox', ['sandbox', 'stop']],
]
const beginnings = {'report.xlsx': 'PK', 'report.parquet': 'PAR1', 'report.db': 'SQLite format 3'}

export function checkStandalone(file) {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-standalone-'))
  try {
    print('With nothing on the path:')
    compareWithProgram(file, folder)
    work((words) => start([file], words, folder), folder)
    if (process.platform !== 'linux' || process.getuid() !== 0) {
      return print('Not tried in a root folder of its own, which only root can do, on Linux.')
    }
    const root = join(folder, 'root')
    makeRoot(file, root)
    print('In a root folder with the C library and nothing else:')
    work((words) => start(['/usr/sbin/chroot', root, '/vendorctl'], words, '/'), root)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

function compareWithProgram(file, folder) {
  const told = start([file], ['--version'], folder)
  expect(told.stdout.startsWith(`vendorctl/${version} `), '--version', told)
  if (!isWindows) findItself(file, folder)
  for (const words of sameAs) {
    const ours = start([file], words, folder)
    const other = start([process.execPath, program], words, folder)
    const isSame = ['status', 'stdout', 'stderr'].every((part) => ours[part] === other[part])
    expect(isSame, `${words.join(' ')}: as from npm`, ours)
  }
}

/** Started by its name alone, it writes its full path into scripts for shells. */
function findItself(file, folder) {
  const script = spawnSync('vendorctl', ['autocomplete', 'script', 'bash'], {
    env: {PATH: dirname(file)},
    cwd: folder,
    encoding: 'utf8',
  })
  expect(script.stdout.includes(quoted(file)), 'completion starts this file', script)
}

function work(run, folder) {
  writeFileSync(join(folder, 'sites.csv'), `${header}201,101,Standalone Wharf,true,500,1000,Net30\n`)
  try {
    for (const [word, words] of steps) {
      const ran = run(words)
      expect(ran.status === 0 && `${ran.stdout}${ran.stderr}`.includes(word), words.join(' '), ran)
    }
  } finally {
    run(['sandbox', 'stop'])
  }
  for (const [name, beginning] of Object.entries(beginnings)) {
    const text = readFileSync(join(folder, name), 'latin1')
    expect(text.startsWith(beginning) && text.length > 1000, `${name} is one`, {stdout: readdirSync(folder).join(' ')})
  }
}

/** Makes a root folder with the program, the C library and /dev/null. */
function makeRoot(file, root) {
  const libraries = spawnSync('ldd', [file], {encoding: 'utf8'}).stdout.match(/\/\S+/g) ?? []
  for (const library of libraries) {
    mkdirSync(join(root, dirname(library)), {recursive: true})
    copyFileSync(library, join(root, library))
  }
  copyFileSync(file, join(root, 'vendorctl'))
  mkdirSync(join(root, 'dev'))
  expect(spawnSync('mknod', ['-m', '666', join(root, 'dev/null'), 'c', '1', '3']).status === 0, '/dev/null', {})
}

/** Runs a command in a folder, which is also HOME. */
function start([executable, ...before], words, folder) {
  // Windows needs to know its own folder.
  const windows = {LOCALAPPDATA: folder, APPDATA: folder, SystemRoot: process.env.SystemRoot, TEMP: folder}
  const options = {env: {HOME: folder, ...(isWindows && windows)}, cwd: folder, encoding: 'utf8'}
  return spawnSync(executable, [...before, ...words], options)
}

function expect(isTrue, what, {status, stdout = '', stderr = '', error}) {
  if (!isTrue) throw new Error(`${what}: ${error?.message ?? `exit code ${status}`}\n${stdout}${stderr}`.trimEnd())
  print(`  ok  ${what}`)
}
