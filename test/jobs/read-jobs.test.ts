import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {findRelativePaths, type KnownCommands, toArguments} from '../../src/jobs/file/job.js'
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

const braces = "quote values with { }, as in '{file}'"

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
    args: ['--organization=3', '--where=name~b c'],
    environment: {PART: 'b c'},
  })
  expect(() => second && toArguments(second, {})).toThrow('jobs.yaml:15:30 the variable PART is not set.')
})

test('what chooses records is an argument, also by a variable: writes read no filters from the environment', () => {
  const flags = `flags: {site: "\${SITE}", org: "\${ORG_KEY}", where: "name=\${TOKEN}", file: "\${FILE}", webhook: "\${HOOK_URL}"}`
  const [first] = readJobs(job(flags), 'jobs.yaml').jobs
  const given = {SITE: '1,2', ORG_KEY: '3', TOKEN: 't', FILE: '/srv/a b.csv', HOOK_URL: 'https://example.com/1'}

  expect(first && toArguments(first, given)).toMatchObject({
    args: ['--site=1,2', '--org=3', '--where=name=t'],
    environment: {VENDORCTL_FILE: '/srv/a b.csv', VENDORCTL_WEBHOOK: 'https://example.com/1'},
  })
})

test('a flag that every object has is handed to the command, which refuses it', () => {
  const [first] = readJobs(job('flags: {__proto__: true, constructor: 1}'), 'jobs.yaml').jobs

  expect(first && toArguments(first, {}).args).toEqual(['--__proto__', '--constructor=1'])
})

test.each(['[', '{a: ', '- ', '? '])('values nested too deeply, by %j, are named at their place', (open) => {
  expect(problemsOf(`${open.repeat(20_000)}\n`)).toEqual([expect.stringMatching(/^1:\d+ values nested too deeply$/)])
})

test('paths that depend on the folder of the scheduler are named', () => {
  const text = `jobs:
  n:
    command: reports summary
    args: [tx.csv, b]
    flags: {output-file: 'a/{date}.csv', columns: /x, log-http: /srv/log, site: '@sites.txt', where: 'a/b'}
    deliver: ./copy.sh {file}
    notify: {command: 'tell us'}
  absolute:
    command: reports summary
    args: "\${HOME}/tx.csv"
    flags: {output-file: '-'}
`
  const {jobs} = readJobs(text, 'jobs.yaml', known)
  const found = jobs.flatMap((each) => findRelativePaths(each, known['reports:summary'] ?? {}))

  expect(found.map(({line, column, message}) => `${line}:${column} ${message.split(';')[0]}`)).toEqual([
    '5:13 output-file is relative: a/{date}.csv',
    '5:75 site is relative: sites.txt',
    '4:5 args is relative: tx.csv',
    '6:5 deliver is relative: ./copy.sh',
  ])
})

describe('problems', () => {
  test.each([
    ['jobs:\n\tn:\n\t\tcommand: x\n', ['2:1 a tab; indent with spaces']],
    [job('command: sites list'), ['4:5 this key appears here twice']],
    [job('flags: {output-file: /srv/tx-{date}-{time}.csv}'), [`4:34 ${braces}`]],
    [job(`notify: {url: \${PING_URL}}`), [`4:20 ${braces}`]],
    [job('flags: {output-file: {date}.csv}'), [`4:32 ${braces}`]],
    [job('flags: {output-file: {date}}'), [`4:13 ${braces}`]],
    [job('deliver: [cp, {file}, /mnt]'), ['4:5 deliver needs a file: set output-file in flags', `4:14 ${braces}`]],
    [job('late: 3d: 4'), ['4:11 wrong indentation, or a colon in a value without quotes']],
    [
      job('keep-for: 90', 'reports transactions'),
      [
        '4:5 keep-for "90": not a length of time. Write 90s, 30m, 2h or 7d.',
        '4:5 keep-for needs deliver: only delivered files are removed',
      ],
    ],
    [job('', 'help'), ['3:14 help is for people; name a command that reads or writes']],
    [job('flag: {}'), ['4:5 unknown key flag; did you mean flags?']],
    [
      job('', 'report transactions'),
      ['3:14 unknown command "report transactions"; did you mean reports transactions?'],
    ],
    [job('', 'jobs run'), ['3:14 a job cannot run jobs; name them in one line: vendorctl jobs run A B']],
    [job('flags: {strat: 1}'), ['4:13 unknown flag strat of reports transactions; did you mean start?']],
    [
      job('flags: {late: 7d}', 'sites list'),
      ['4:13 late is not a flag of sites list; it is one of reports inventory, reports transactions, sync'],
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
    [
      job('flags: {__proto__: true, constructor: 1, __proto__: 2}', 'sites list'),
      [
        '4:13 unknown flag __proto__ of sites list; see: vendorctl sites list --help',
        '4:30 unknown flag constructor of sites list; see: vendorctl sites list --help',
        '4:46 this key appears here twice',
      ],
    ],
    [job(`args: [${'1,'.repeat(10_001)}]`, 'reports summary'), ['4:11 a list of more than 10,000 values']],
    [
      job(`args: ["a", "\${API_TOKEN}"]`, 'reports summary'),
      [`4:17 \${API_TOKEN} could be read in the list of processes; give it another name if it is no secret`],
    ],
    [
      job(`flags: {start: yesterday, site: [1, "\${SITE_KEY}"], where: "\${MY_TOKEN}"}`),
      [`4:41 \${SITE_KEY} could be read in the list of processes; give it another name if it is no secret`],
    ],
    [job('env: [A, "B C"]'), ['4:10 env lists names of variables, which B C is not']],
    ...['\\n', '\\u2028', '\\x85'].map((mark): [string, string[]] => [
      job(`flags: {output-file: "/srv/a${mark}  b.csv"}`),
      ['4:26 output-file contains a line break or another control character'],
    ]),
    ['', ['1:1 no jobs: begin with the key jobs']],
    [
      'a: &a [*a]\n',
      [
        '1:1 unknown key a; known: jobs, recipes',
        '1:1 no jobs: the key jobs is missing',
        '1:8 an alias; write the value itself',
      ],
    ],
  ])('%j', (text, expected) => {
    expect(problemsOf(text)).toEqual(expected)
  })
})
