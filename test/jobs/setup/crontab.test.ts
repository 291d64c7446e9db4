import {spawnSync} from 'node:child_process'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {cronLine, findLines, withLine, withoutLine} from '../../../src/jobs/setup/crontab.js'

const madeBy = 'vendorctl jobs setup cron nightly --at 02:10'
const program = ['/usr/bin/node', '/opt/run.js', 'jobs', 'run', 'nightly']
const schedule = {name: 'nightly', at: {hour: 2, minute: 10}, program, environment: {PATH: '/usr/bin:/bin'}, madeBy}

/** What cron hands to the shell: `\%` is `%`, in some versions `\\` is `\` as well, and BusyBox replaces nothing. */
const crons: Record<string, (line: string) => string> = {
  debian: (line) => readCommand(line, ['%']),
  other: (line) => readCommand(line, ['%', '\\']),
  busybox: (line) => line,
}

function readCommand(line: string, unescaped: readonly string[]): string {
  const command = line.replace(/\\(.)/gs, (both, letter: string) => (unescaped.includes(letter) ? letter : both))
  expect(line.replace(/\\./gs, ''), 'an unescaped % ends the line').not.toContain('%')
  return command
}

test('the line sets its own variables and ends in its mark', () => {
  expect(cronLine(schedule)).toBe(
    '10 2 * * * /usr/bin/env PATH=/usr/bin:/bin /usr/bin/node /opt/run.js jobs run nightly # vendorctl job nightly',
  )
})

test.each(Object.entries(crons))('a program gets its arguments exactly as they are, from %s', (_, read) => {
  const letters = fc.constantFrom(...'\'"%\\$`!#&;|<>(){}[]*?~ aä€€😀')
  const words = fc.sample(fc.string({unit: letters, minLength: 1, maxLength: 12}), {numRuns: 40, seed: 3})
  const line = cronLine({...schedule, program: ['/usr/bin/printf', String.raw`%s\0`, ...words], environment: {}})

  const {stdout} = spawnSync('/bin/sh', ['-c', read(line.replace('10 2 * * * ', ''))], {encoding: 'utf8'})

  expect(stdout.split('\0')).toEqual([...words, ''])
})

test('a line that cron would cut, or that has a line end, is refused', () => {
  const long = {...schedule, environment: {PATH: `/${'x'.repeat(950)}`}}
  const broken = {...schedule, program: ['/opt/a\nb']}

  expect(() => cronLine(long)).toThrow('The line for cron would have')
  expect(() => cronLine(broken)).toThrow('control character')
})

describe('a crontab', () => {
  const line = cronLine(schedule)
  const other = cronLine({...schedule, name: 'my-nightly'})
  const own = 'MAILTO=a@example.com\n\n# nightly, by hand\n10 2 * * * old # vendorctl job\n'

  test('gets the line once, at the end or in its place, also where it was commented out', () => {
    const once = withLine(own, 'nightly', line)

    expect(once).toBe(`${own}${line}\n`)
    expect(withLine(once, 'nightly', line)).toBe(once)
    expect(withLine(`#${line}\n${own}${line}\n`, 'nightly', line)).toBe(`${line}\n${own}`)
    expect(withLine('', 'nightly', line)).toBe(`${line}\n`)
    expect(withLine('0 1 * * * no end', 'nightly', line)).toBe(`0 1 * * * no end\n${line}\n`)
  })

  test('loses the line and nothing else', () => {
    const both = `${line}\n${own}${other}\n`

    expect(findLines(both, 'nightly')).toEqual([line])
    expect(withoutLine(both, 'nightly')).toBe(`${own}${other}\n`)
    expect(withoutLine(own, 'nightly')).toBe(own)
    expect(withoutLine(`${line}\n`, 'nightly')).toBe('')
  })
})
