// Works against a sandbox of its own, with the built program, in a folder that is gone afterwards.
import {spawnSync} from 'node:child_process'
import {copyFileSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'vendorctl-demo-'))
for (const name of ['sites.csv', 'refused.csv']) copyFileSync(new URL(name, import.meta.url), join(folder, name))
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VENDORCTL_'))),
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_STATE_HOME: join(folder, 'state'),
}

const say = (text) => process.stdout.write(`${text}\n`)
let failed = false

try {
  step('Start a local service with the complete contract', ['sandbox', 'start', '--detach', '--quiet'], 0)
  step('Import three sites', ['sites', 'create', '--file', 'sites.csv', '--profile', 'sandbox', '--yes'], 0)
  step(
    'List what is there now',
    [
      'sites',
      'list',
      '-p',
      'sandbox',
      '--account',
      '201,202',
      '--columns',
      'id,accountId,name,maxChargePrice',
      '-o',
      'table',
    ],
    0,
  )
  step(
    'Which machines have no sales?',
    [
      'alerts',
      'list',
      '-p',
      'sandbox',
      '--code',
      'NS',
      '--start',
      '-60d',
      '--where',
      'isCleared=false',
      '--limit',
      '3',
      '--columns',
      'id,machineId,code,message,isCleared',
      '-o',
      'table',
    ],
    0,
  )
  const site = findSite()
  const chosen = ['--code', 'NS', '--site', site, '--start', '-60d', '-p', 'sandbox']
  step('What would clearing them at one site change?', ['alerts', 'clear', ...chosen, '--dry-run'], 0)
  step('Clear them', ['alerts', 'clear', ...chosen, '--yes'], 0)
  step('They are cleared', ['alerts', 'list', ...chosen, '--columns', 'id,code,isCleared,clearedAt', '-o', 'table'], 0)
  step(
    'Export 60 days of transactions to CSV, one row per line item',
    ['reports', 'transactions', '-p', 'sandbox', '--start', '-60d', '--end', 'now', '--output-file', 'report.csv'],
    0,
  )
  say(
    readFileSync(join(folder, 'report.csv'), 'utf8')
      .split('\n')
      .slice(0, 3)
      .map((line) => `${line.slice(0, 100)}…`)
      .join('\n'),
  )
  step(
    'A refused row is named, and nothing is half done',
    ['sites', 'create', '--file', 'refused.csv', '-p', 'sandbox', '--yes'],
    5,
  )
} finally {
  step('Stop the service', ['sandbox', 'stop'], 0)
  rmSync(folder, {recursive: true, force: true})
}

process.exitCode = failed ? 1 : 0

function step(title, words, expected) {
  say(`\n# ${title}\n$ vendorctl ${words.map(quote).join(' ')}`)
  const {status} = vendorctl(words, 'inherit')
  if (expected !== 0 && status === expected) say(`(exit code ${status}, as it should be)`)
  if (status === expected) return
  failed = true
  say(`This step ended with exit code ${status} and not with ${expected}.`)
}

/** A site where an open alert about missing sales stands. */
function findSite() {
  const search = ['--code', 'NS', '--start', '-60d', '--where', 'isCleared=false', '--limit', '1', '-o', 'ndjson', '-q']
  const {stdout} = vendorctl(['alerts', 'list', '-p', 'sandbox', ...search], 'pipe')
  return String(JSON.parse(stdout).siteId)
}

function vendorctl(words, stdio) {
  const all = [join(root, 'bin', 'run.js'), ...words]
  return spawnSync(process.execPath, all, {
    cwd: folder,
    env: environment,
    stdio: ['inherit', stdio, 'inherit'],
    encoding: 'utf8',
  })
}

function quote(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`
}
