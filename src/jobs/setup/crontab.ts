import {spawnSync} from 'node:child_process'
import {CliFailure} from '../../core/errors.js'
import type {Schedule, Scheduler} from './scheduler.js'

const where = 'your crontab'

/** Cron: one line in the crontab of the user. */
export const cron: Scheduler = {
  show: (subject) => ({
    text: `${cronLine(subject)}\n`,
    advice: [`Add the line to your crontab (crontab -e), or have it added: ${subject.madeBy} --install`, ...mail('')],
  }),

  install(subject) {
    const {name} = subject
    const line = Buffer.from(cronLine(subject)).toString('latin1') // a crontab whose bytes are letters
    const crontab = readCrontab()
    const before = findLines(crontab, name)
    const after = withLine(crontab, name, line)
    const advice = ['See it with: crontab -l', ...mail(crontab)]
    if (after === crontab) return {did: 'unchanged', where, advice}
    writeCrontab(after)
    if (before.length === 0) return {did: 'installed', where, advice}
    return {did: 'replaced', where, before: Buffer.from(before.join('\n'), 'latin1').toString(), advice}
  },

  remove(name) {
    const crontab = readCrontab()
    const after = withoutLine(crontab, name)
    if (after !== crontab) writeCrontab(after)
    return {did: after === crontab ? 'absent' : 'removed', where, advice: []}
  },
}

/** Advice on MAILTO: a job prints only errors, so each mail of cron is about a night that failed. */
function mail(crontab: string): string[] {
  if (/^[ \t]*MAILTO[ \t]*=/m.test(crontab)) return []
  return [
    'Cron mails what a failed night prints; to choose who gets it, put this line at the top: MAILTO=you@example.com',
  ]
}

/** Cron of Debian and cronie take a thousand bytes with the end of the line. */
const longestCommand = 998
const plain = /^[\w,.:/@+=-]+$/

/**
 * The line of a crontab that starts a job. It sets its variables itself, because one that is set in the crontab applies
 * to all lines below it. Throws `usage` where the line would be longer than cron takes.
 */
export function cronLine({name, at, program, environment}: Schedule): string {
  const variables = Object.entries(environment).map(([key, value]) => `${key}=${value}`)
  const words = ['/usr/bin/env', ...variables, ...program].map(cronWord).join(' ')
  const command = `${words}${markerOf(name)}`
  if (Buffer.byteLength(command) > longestCommand) throw tooLong(Buffer.byteLength(command))
  return `${at.minute} ${at.hour} * * * ${command}`
}

/** A crontab with the line of a job, in the place of an earlier one or at the end; all other lines are kept. */
export function withLine(crontab: string, name: string, line: string): string {
  const lines = splitLines(crontab)
  const others = lines.filter((each) => !isLineOf(each, name))
  const place = lines.findIndex((each) => isLineOf(each, name))
  return joinLines(others.toSpliced(place === -1 ? others.length : place, 0, line))
}

export function withoutLine(crontab: string, name: string): string {
  return joinLines(splitLines(crontab).filter((line) => !isLineOf(line, name)))
}

/** The lines of a job, also those that were commented out. */
export function findLines(crontab: string, name: string): string[] {
  return splitLines(crontab).filter((line) => isLineOf(line, name))
}

function isLineOf(line: string, name: string): boolean {
  return line.endsWith(markerOf(name)) && line.includes('jobs run')
}

/** A comment of the shell at the end of the line, so that a job and its mark cannot be separated. */
function markerOf(name: string): string {
  return ` # vendorctl job ${name}`
}

function splitLines(crontab: string): string[] {
  return crontab === '' ? [] : crontab.replace(/\n$/, '').split('\n')
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

/**
 * One argument for the shell of cron, which takes `%` for the end of the line and in some versions `\\` for `\`. So two
 * backslashes are never neighbors, and `\%` is outside of quotes, where it is `%` for a cron that leaves it too.
 */
function cronWord(text: string): string {
  if (plain.test(text)) return text
  if (/\p{Cc}/u.test(text))
    throw new CliFailure(`A crontab cannot contain ${JSON.stringify(text)}: it contains a control character.`, {
      code: 'USAGE',
    })
  return `'${text.replace(/['%\\]/g, (letter) => (letter === '\\' ? `\\''` : `'\\${letter}'`))}'`
}

function tooLong(length: number): CliFailure {
  return new CliFailure(`The line for cron would have ${length} bytes; cron takes ${longestCommand}.`, {
    code: 'USAGE',
    hints: ['Use a shorter PATH: PATH=/usr/local/bin:/usr/bin:/bin vendorctl jobs setup cron …'],
  })
}

const patienceMilliseconds = 20_000
/** Messages of Debian's cron, cronie, macOS and BusyBox for a user without a crontab; the exit code says nothing. */
const noCrontab = /no crontab for|can't open .*: No such file/i

/** The crontab of this user, each byte a letter, so that lines in other encodings are preserved. */
function readCrontab(): string {
  const {status, stdout, stderr} = run(['-l'])
  if (status === 0) return stdout
  if (stdout === '' && noCrontab.test(stderr)) return ''
  throw refused('crontab -l', stderr)
}

/** Replaces the crontab of this user, and reads it again to prove that it is installed. */
function writeCrontab(crontab: string): void {
  const {status, stderr} = run(['-'], crontab)
  if (status !== 0) throw refused('crontab -', stderr)
  if (readCrontab() === crontab) return
  throw new CliFailure('The crontab is not as it was written: another program may have changed it.', {
    code: 'SCHEDULER',
    changed: 'unknown',
    hints: ['See it with: crontab -l'],
  })
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
    hints: ['Install cron, or use another scheduler: vendorctl jobs setup systemd'],
    cause: error,
  })
}

function refused(command: string, stderr: string): CliFailure {
  return new CliFailure(`${command} failed: ${stderr.trim().split('\n')[0] || 'it gave no reason'}`, {
    code: 'SCHEDULER',
    hints: ['Add the line yourself: run this command without --install, then crontab -e.'],
  })
}
