import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {parse, stringify} from 'yaml'
import {toJobsSchema} from '../../src/jobs/file/jobs-schema.js'
import {readJobs} from '../../src/jobs/file/read-jobs.js'
import type {CommandFacts, FlagFacts} from '../../src/values/command-facts.js'
import {compile} from '../support/ajv.js'

const manifest = JSON.parse(readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'))
const commands = manifest.commands as Record<string, CommandFacts>
const isValid = compile(toJobsSchema(commands))
const problemsOf = (text: string) => readJobs(text, 'jobs.yaml', commands).problems.map(({message}) => message)

/** A job of a command with every flag that it has, under all its names. */
function fullJob(id: string): object {
  const {flags = {}} = commands[id] ?? {}
  const keys = ['profile', 'deliver', 'keep-for', 'skip-empty', 'notify-url', 'notify-command']
  const all = Object.entries(flags).flatMap(([name, flag]) => {
    return [name, ...(flag.aliases ?? [])].filter((one) => !keys.includes(one)).map((one) => [one, sampleOf(flag)])
  })
  return {
    command: id.replaceAll(':', ' '),
    args: ['one', 2],
    flags: Object.fromEntries(all),
    notify: {url: 'https://hc-ping.com/x', command: ['notify', 'me']},
    env: ['A_TOKEN', 'B'],
    ...('profile' in flags && {profile: 'production'}),
    ...('deliver' in flags && {deliver: 'cp {file} /mnt/{name}'}),
    ...('keep-for' in flags && {'keep-for': '90d'}),
    ...('skip-empty' in flags && {'skip-empty': true}),
  }
}

function sampleOf({type, options, multiple}: FlagFacts): unknown {
  if (type === 'boolean') return true
  const value = options?.[0] ?? 12
  return multiple ? [value, value] : value
}

test.each(Object.keys(commands).filter((id) => !['jobs:run', 'auth:login', 'help'].includes(id)))(
  'a job of %s with all its flags is accepted by the reader and by the schema',
  (id) => {
    const text = stringify({jobs: {job: fullJob(id)}})

    expect(problemsOf(text)).toEqual([])
    expect([isValid(parse(text)), isValid.errors]).toEqual([true, null])
  },
)

describe('both refuse', () => {
  const report = {command: 'reports transactions', flags: {start: 'yesterday', 'output-file': 'a.csv'}}
  test.each([
    [{job: {}}],
    [{jobs: {'a b': report}}],
    [{jobs: {job: {flags: {}}}}],
    [{jobs: {job: {...report, command: 'report transactions'}}}],
    [{jobs: {job: {...report, command: 'jobs run'}}}],
    [{jobs: {job: {...report, flag: {}}}}],
    [{jobs: {job: {...report, flags: {strat: 'yesterday'}}}}],
    [{jobs: {job: {command: 'sites list', flags: {late: '7d'}}}}],
    [{jobs: {job: {...report, flags: {gzip: 'on'}}}}],
    [{jobs: {job: {...report, flags: {start: true}}}}],
    [{jobs: {job: {...report, flags: {start: ['yesterday']}}}}],
    [{jobs: {job: {...report, flags: {'notify-url': 'https://hc-ping.com/x'}}}}],
    [{jobs: {job: {...report, notify: {}}}}],
    [{jobs: {job: {...report, 'keep-for': '90d'}}}],
    [{jobs: {job: {...report, 'api-key': 'x'}}}],
    [{jobs: {job: {command: 'sites create', flags: {file: 'a.csv'}}}}],
    [{jobs: {job: {command: 'sites create', flags: {file: 'a.csv', yes: false}}}}],
    [{jobs: {job: {command: 'auth status', deliver: 'cp {file} /mnt'}}}],
  ])('%j', (value) => {
    expect(problemsOf(stringify(value))).not.toEqual([])
    expect(isValid(value)).toBe(false)
  })
})

test('every key and every flag is described', () => {
  const {$defs} = JSON.parse(JSON.stringify(toJobsSchema(commands)))
  const described = {...$defs.job.properties, ...$defs.flags.properties}

  const silent = Object.entries<{description?: string}>(described).filter(([, {description}]) => !description)
  expect(silent.map(([name]) => name)).toEqual(['flags'])
})
