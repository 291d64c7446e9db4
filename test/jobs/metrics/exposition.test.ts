import {describe, expect, test} from 'vitest'
import {
  addRun,
  findLastRun,
  printExposition,
  type RunMetrics,
  readExposition,
} from '../../../src/jobs/metrics/run-metrics.js'

const nothing = {help: {}, samples: []}
const hostile = 'a"b\\n\\\n{x="1",} 7 # é \u202e'
const run = (changes: Partial<RunMetrics> = {}): RunMetrics => {
  const name = {name: 'nightly', command: 'reports transactions', profile: 'production'}
  return {...name, endedAt: 1_700_000_000_250, seconds: 12.34567, exit: 0, ...changes}
}
const read = (text: string) => {
  const found = readExposition(text)
  if (typeof found === 'string') throw new Error(found)
  return found
}
const findValue = (text: string, metric: string, name = 'nightly') =>
  read(text).samples.find((each) => each.metric === `vendorctl_${metric}` && each.labels['name'] === name)?.value

describe('the text of a metrics file', () => {
  test('holds a run as the textfile collector of the node exporter accepts it', async () => {
    const facts = {rows: {applied: 12, refused: 3}, requests: 40, quotaLeft: 4_960, grade: 'B'}

    const text = await printExposition(addRun(nothing, run(facts)))

    expect(findFaults(text)).toEqual([])
    const values = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const labels = 'name="nightly",command="reports transactions",profile="production"'
    expect(values).toEqual([
      `vendorctl_last_success_timestamp_seconds{${labels}} 1700000000.25`,
      `vendorctl_last_run_timestamp_seconds{${labels}} 1700000000.25`,
      `vendorctl_last_run_exit_code{${labels}} 0`,
      `vendorctl_last_run_duration_seconds{${labels}} 12.346`,
      `vendorctl_last_run_requests{${labels}} 40`,
      `vendorctl_last_run_grade{${labels}} 2`,
      `vendorctl_quota_left_requests{${labels}} 4960`,
      `vendorctl_last_run_rows{${labels},fate="applied"} 12`,
      `vendorctl_last_run_rows{${labels},fate="refused"} 3`,
    ])
  })

  test('gives back names of any characters, and escapes them', async () => {
    const text = await printExposition(addRun(nothing, run({name: hostile, profile: ''})))

    expect(findFaults(text)).toEqual([])
    expect(read(text).samples[0]?.labels).toMatchObject({name: hostile, profile: ''})
    expect(await printExposition(read(text))).toBe(text)
  })

  test('keeps the last success of a run that failed, and nothing else of it', async () => {
    const first = await printExposition(addRun(nothing, run({rows: {written: 5}, requests: 9})))

    const second = await printExposition(addRun(read(first), run({exit: 75, endedAt: 1_700_000_100_000})))

    expect(findValue(second, 'last_success_timestamp_seconds')).toBe(1_700_000_000.25)
    expect(findValue(second, 'last_run_exit_code')).toBe(75)
    expect(findValue(second, 'last_run_requests')).toBeUndefined()
    expect(findLastRun(read(second), run())).toBe(1_700_000_100_000)
    expect(findFaults(second)).toEqual([])
  })

  test('keeps the values of other jobs, also those that it does not know', async () => {
    const other = `# HELP vendorctl_later Of a later version.\n# TYPE vendorctl_later gauge\nvendorctl_later{name="a"} 1e+21\n`
    const first = await printExposition(addRun(read(other), run({name: 'hourly', rows: {written: 1}})))

    const second = await printExposition(addRun(read(first), run()))

    expect(['hourly', 'nightly'].map((name) => findValue(second, 'last_run_exit_code', name))).toEqual([0, 0])
    expect(second).toContain('# HELP vendorctl_later Of a later version.')
    expect(findValue(second, 'later', 'a')).toBe(1e21)
    expect(findFaults(second)).toEqual([])
  })

  test('a success that never was is time 0, so that an alert on its age is raised', async () => {
    const text = await printExposition(addRun(nothing, run({exit: 12})))

    expect(findValue(text, 'last_success_timestamp_seconds')).toBe(0)
  })
})

test('a damaged file and one of another program are told apart', async () => {
  const text = await printExposition(addRun(nothing, run()))
  const cuts = [
    text.slice(0, -20),
    text.replaceAll('profile="', 'profile='),
    `${text}x\n`,
    text.replace(/ 0$/m, ' 0 17'),
  ]

  expect(cuts.map(readExposition)).toEqual(cuts.map(() => 'damaged'))
  expect(['node_load1 0.5\n', 'hello', '# HELP other_metric x\n'].map(readExposition)).toEqual(Array(3).fill('foreign'))
  expect(readExposition('\n')).toEqual(nothing)
})

/** What the collector would refuse: a value with a time, a name twice, values before their type, a label set twice. */
function findFaults(text: string): string[] {
  const typed = new Set<string>()
  const seen = new Set<string>()
  let current = ''
  const faults = text.split('\n').filter((line) => {
    if (line === '') return false
    const [, kind, name = ''] = /^# (HELP|TYPE) (vendorctl_[a-z_]+) (?:gauge$|(?!gauge$).+)/.exec(line) ?? []
    if (kind === 'HELP') {
      const isTwice = typed.has(name)
      current = name
      return isTwice
    }
    if (kind === 'TYPE') return name !== current || typed.size === typed.add(name).size
    const value = /^([a-z0-9_]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\n"])*",?)+)\} -?\d+(\.\d+)?(e[+-]\d+)?$/.exec(line)
    const isNew =
      value && value[1] === current && typed.has(current) && seen.size !== seen.add(`${value[1]} ${value[2]}`).size
    return !isNew
  })
  return text.endsWith('\n') ? faults : [...faults, 'no end of the last line']
}
