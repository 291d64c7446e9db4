import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {type KnownCommands, toArguments} from '../../src/jobs/file/job.js'
import {readJobs} from '../../src/jobs/file/read-jobs.js'

const manifest = JSON.parse(readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'))
const known = manifest.commands as KnownCommands

const good = `
jobs:
  nightly:
    command: reports transactions
    flags:
      since-last: nightly
      start: 2024-07-01
      site: [1, 007]
      output-file: /srv/tx-{date}.csv
      append: false
      gzip: true
    profile: production
  one:
    command: machines list
    flags: {organization: 3, where: "name~\${PART}"}
`

const problemsOf = (text: string) =>
  readJobs(text, 'jobs.yaml', known).problems.map(({line, column, message}) => `${line}:${column} ${message}`)

/** A job with one more line, which is line 4. */
const job = (line: string, command = 'reports transactions') => `jobs:\n  n:\n    command: ${command}\n    ${line}\n`

test('a job becomes a command line', () => {
  const {jobs, problems} = readJobs(good, 'jobs.yaml', known)
  const [first, second] = jobs

  expect(problems).toEqual([])
  expect(first && toArguments(first, {}).args).toEqual([
    '--since-last=nightly',
    '--start=2024-07-01',
    '--site=1',
    '--site=007',
    '--output-file=/srv/tx-{date}.csv',
    '--gzip',
    '--profile=production',
  ])
  expect(second && toArguments(second, {PART: 'b c'})).toMatchObject({
    id: 'machines:list',
    args: ['--organization=3'],
    environment: {PART: 'b c', VENDORCTL_WHERE: 'name~b c'},
  })
  expect(() => second && toArguments(second, {})).toThrow('jobs.yaml:15:30 the variable PART is not set.')
})

describe('problems', () => {
  test.each([
    ['jobs:\n\tn:\n\t\tcommand: x\n', ['2:1 a tab; indent with spaces', '3:1 a tab; indent with spaces']],
    [job('command: sites list'), ['4:5 this key stands here twice']],
    [job('flag: {}'), ['4:5 unknown key flag; did you mean flags?']],
    [
      job('', 'report transactions'),
      ['3:14 unknown command "report transactions"; did you mean reports transactions?'],
    ],
    [job('', 'jobs run'), ['3:14 a job cannot run jobs; name them in one line: vendorctl jobs run A B']],
    [job('flags: {strat: 1}'), ['4:13 unknown flag strat of reports transactions; did you mean start?']],
    [
      job('flags: {late: 7d}', 'sites list'),
      ['4:13 late is not a flag of sites list; it is one of reports transactions'],
    ],
    [job('flags: {gzip: 1}'), ['4:13 gzip is on or off: write true or false']],
    [job('api-key: abc'), [expect.stringContaining('4:5 api-key: a secret is never in the jobs file')]],
    [
      job('flags: {output-file: "a-{dat}.csv"}'),
      ['4:26 unknown placeholder {dat}; known: {date}, {time}, {start}, {end}, {name}'],
    ],
    [
      job('flags: {output-file: "/srv/{date}/../x.csv"}'),
      ['4:26 output-file leaves its folder: no .. after a placeholder'],
    ],
    [
      job(`flags: {start: "\${A:-x}"}`),
      [`4:20 \${A:-x} is not filled in: write \${NAME}, the name of a variable and nothing else`],
    ],
    [
      job('', 'sites create'),
      ['3:5 sites create asks before it writes, and at night nobody answers: set yes: true in flags'],
    ],
    ['', ['1:1 no jobs: begin with the key jobs']],
    [
      'a: &a [*a]\n',
      [
        '1:1 unknown key a; known: jobs',
        '1:1 no jobs: the key jobs is missing',
        '1:8 an alias; write the value itself',
      ],
    ],
  ])('%j', (text, expected) => {
    expect(problemsOf(text)).toEqual(expected)
  })
})
