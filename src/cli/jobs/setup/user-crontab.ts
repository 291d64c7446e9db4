import {spawnSync} from 'node:child_process'
import {CliFailure} from '../../../core/errors.js'

const patienceMilliseconds = 20_000
/** What cron of Debian, cronie, macOS and BusyBox print for a user without a crontab; their exit code says nothing. */
const noCrontab = /no crontab for|can't open .*: No such file/i

/** The crontab of this user, each byte a letter, so that lines in other encodings stay as they are. */
export function readCrontab(): string {
  const {status, stdout, stderr} = run(['-l'])
  if (status === 0) return stdout
  if (stdout === '' && noCrontab.test(stderr)) return ''
  throw refused('crontab -l', stderr)
}

/** Replaces the crontab of this user, and reads it again: what is reported as installed is there. */
export function writeCrontab(crontab: string): void {
  const {status, stderr} = run(['-'], crontab)
  if (status !== 0) throw refused('crontab -', stderr)
  if (readCrontab() === crontab) return
  throw new CliFailure('The crontab is not as it was written: another program may have changed it.', {
    code: 'SCHEDULER',
    exit: 'failure',
    changed: 'unknown',
    hints: ['See it with: crontab -l'],
  })
}

/** Text of this program for a crontab whose bytes are letters. */
export function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function run(args: readonly string[], input = '') {
  const {status, stdout, stderr, error} = spawnSync('crontab', args, {
    input: Buffer.from(input, 'latin1'),
    encoding: 'latin1',
    env: {...process.env, LC_ALL: 'C'},
    timeout: patienceMilliseconds,
  })
  if (!error) return {status, stdout, stderr}
  const isMissing = 'code' in error && error.code === 'ENOENT'
  const message = isMissing ? 'This machine has no crontab program.' : `crontab cannot be run: ${error.message}`
  throw new CliFailure(message, {
    code: 'SCHEDULER',
    exit: 'failure',
    hints: ['Install cron, or use another scheduler: vendorctl jobs setup systemd'],
    cause: error,
  })
}

function refused(command: string, stderr: string): CliFailure {
  return new CliFailure(`${command} failed: ${stderr.trim().split('\n')[0] || 'it gave no reason'}`, {
    code: 'SCHEDULER',
    exit: 'failure',
    hints: ['Add the line yourself: run this command without --install, then crontab -e.'],
  })
}
