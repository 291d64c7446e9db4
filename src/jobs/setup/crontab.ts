import {CliFailure} from '../../core/errors.js'
import type {Schedule} from './schedule.js'

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

/** A crontab with the line of a job, in the place of an earlier one or at the end; all other lines stay as they are. */
export function withLine(crontab: string, name: string, line: string): string {
  const lines = splitLines(crontab)
  const place = lines.findIndex((each) => isLineOf(each, name))
  const others = lines.filter((each, index) => index === place || !isLineOf(each, name))
  return joinLines(place === -1 ? [...others, line] : others.map((each, index) => (index === place ? line : each)))
}

/** A crontab without the lines of a job. */
export function withoutLine(crontab: string, name: string): string {
  return joinLines(splitLines(crontab).filter((line) => !isLineOf(line, name)))
}

/** The lines of a job; one that was commented out is one as well. */
export function findLines(crontab: string, name: string): string[] {
  return splitLines(crontab).filter((line) => isLineOf(line, name))
}

function isLineOf(line: string, name: string): boolean {
  return line.endsWith(markerOf(name)) && line.includes('jobs run')
}

/** A comment of the shell at the end of the line: what is marked and its mark cannot be torn apart. */
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
 * One argument for the shell of cron, which takes `%` for the end of the line and in some versions `\\` for `\`. So no
 * two backslashes stand side by side, and `\%` stands outside of quotes, where it is `%` for a cron that leaves it too.
 */
function cronWord(text: string): string {
  if (plain.test(text)) return text
  if (/\p{Cc}/u.test(text)) throw unprintable(text)
  return `'${text.replace(/['%\\]/g, (letter) => (letter === '\\' ? `\\''` : `'\\${letter}'`))}'`
}

function unprintable(text: string): CliFailure {
  return new CliFailure(`A crontab cannot hold ${JSON.stringify(text)}: it contains a control character.`, {
    code: 'USAGE',
    exit: 'usage',
  })
}

function tooLong(length: number): CliFailure {
  return new CliFailure(`The line for cron would have ${length} bytes; cron takes ${longestCommand}.`, {
    code: 'USAGE',
    exit: 'usage',
    hints: ['Use a shorter PATH: PATH=/usr/local/bin:/usr/bin:/bin vendorctl jobs setup cron …'],
  })
}
