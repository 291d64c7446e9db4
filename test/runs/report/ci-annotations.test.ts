import {expect, test} from 'vitest'
import {toForeignCode} from '../../../src/contract/failure-codes.js'
import type {ErrorEntry} from '../../../src/core/errors.js'
import {toCodeQuality, toWorkflowCommands} from '../../../src/runs/report/ci-annotations.js'

const entry = (changes: Partial<ErrorEntry>): ErrorEntry => ({
  code: 'SITE_VALIDATION',
  message: 'Not so.',
  exit: 5,
  changed: 'none',
  retry: 'after-fix',
  ...changes,
})

test('no message and no name can start a command or end a property', () => {
  const [command] = toWorkflowCommands(
    [
      entry({
        file: 'a,b:c%.csv',
        line: 3,
        column: 5,
        code: toForeignCode('X,Y:Z'),
        message: '100% wrong\r\n::error::made up\u001b[2J',
      }),
    ],
    {},
  )

  expect(command).toBe(
    '::error file=a%2Cb%3Ac%25.csv,line=3,col=5,title=X%2CY%3AZ::100%25 wrong%0D%0A::error::made up^[[2J',
  )
})

test('paths are those of the repository where the file is in it', () => {
  const fileOf = (file: string, workspace?: string) =>
    toWorkflowCommands([entry({file})], {GITHUB_WORKSPACE: workspace})[0]?.match(/file=([^,]*)/)?.[1]

  expect(fileOf('/repository/data/sites.csv', '/repository')).toBe('data/sites.csv')
  expect(fileOf('/elsewhere/sites.csv', '/repository')).toBe('/elsewhere/sites.csv')
  expect(fileOf('data/sites.csv')).toBe('data/sites.csv')
  expect(fileOf('sites.csv', process.cwd())).toBe('sites.csv')
})

test('standard input is no file, and what has no line names none', () => {
  const commands = toWorkflowCommands([entry({file: 'stdin', line: 2}), entry({file: 'x.csv'}), entry({})], {})

  expect(commands).toEqual([
    '::error title=SITE_VALIDATION::Not so.',
    '::error file=x.csv,title=SITE_VALIDATION::Not so.',
    '::error title=SITE_VALIDATION::Not so.',
  ])
})

test('not more than a person reads', () => {
  expect(toWorkflowCommands(Array<ErrorEntry>(60).fill(entry({})), {})).toHaveLength(50)
})

test('every issue of a report has a fingerprint of its own, the same in every run', () => {
  const entries = [
    entry({file: 'x.csv', line: 2}),
    entry({file: 'x.csv', line: 2}),
    entry({exit: 7}),
    entry({exit: 75}),
  ]
  const report = () => JSON.parse(toCodeQuality(entries, {}, 'input.csv'))

  expect(new Set(report().map(({fingerprint}: {fingerprint: string}) => fingerprint)).size).toBe(4)
  expect(report()).toEqual(report())
  expect(report().map(({severity}: {severity: string}) => severity)).toEqual(['major', 'major', 'critical', 'minor'])
  expect(report()[2].location).toEqual({path: 'input.csv', lines: {begin: 1}})
})
