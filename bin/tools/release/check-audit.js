/**
 * npm run check:audit: asks the registry which packages of the lock files have known vulnerabilities; nothing is
 * installed. Exit code 0: none has; 1: some have; 75: the registry does not say, and nothing is known.
 */
import {spawnSync} from 'node:child_process'

const say = (text) => process.stdout.write(`${text}\n`)
const codes = ['.', 'test/long'].map(audit)
process.exitCode = Math.max(...codes)

function audit(folder) {
  const lock = `${folder}/package-lock.json`
  const words = ['audit', '--package-lock-only', '--json', '--prefix', folder]
  const {stdout, error} = spawnSync('npm', words, {encoding: 'utf8', shell: process.platform === 'win32'})
  const {vulnerabilities, message, metadata} = read(stdout)
  if (vulnerabilities === undefined) {
    say(`${lock}: not checked, the registry does not answer: ${error?.message ?? message ?? 'no report'}`)
    return 75
  }
  const found = Object.values(vulnerabilities)
  for (const {name, severity, range, via} of found) {
    const titles = via.map((one) => (typeof one === 'string' ? `by ${one}` : `${one.title} ${one.url}`))
    say(`${lock}: ${name} ${range}, ${severity}: ${titles.join('; ')}`)
  }
  say(`${lock}: ${found.length} of ${metadata?.dependencies?.total ?? '?'} packages have known vulnerabilities`)
  return found.length > 0 ? 1 : 0
}

function read(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
