import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {failureCodes} from '../../src/contract/failure-codes.js'
import {exitNames, inputProblems, refusals, rowCodes} from '../../src/contract/index.js'
import {explain, knownCodes} from '../../src/derive/explain.js'
import {readSourceFiles} from '../support/source-files.js'

test('every code of the service and of the program and every exit name is explained completely', () => {
  const tables = [refusals, inputProblems, rowCodes, failureCodes]
  const codes = [...tables.flatMap((table) => Object.keys(table)), ...exitNames]

  const explained = codes.map((code) => explain(code).found)

  expect(explained.map((found) => found.map(({code}) => code))).toEqual(codes.map((code) => [code]))
  expect(explained.flat().filter(({meaning, changed, again, hint}) => !meaning || !changed || !again || !hint)).toEqual(
    [],
  )
  expect(knownCodes()).toEqual(expect.arrayContaining(codes))
})

test('a refusal says what was changed, whether to send again, and who may meet it', () => {
  expect(explain('NAME_UNIQUENESS').found).toEqual([
    {
      kind: 'refusal',
      code: 'NAME_UNIQUENESS',
      number: 400,
      meaning: 'A record with this name already exists in its account.',
      changed: 'Nothing: a refused set is rolled back completely.',
      again: 'No: the same request would be refused again. Fix the cause first.',
      hint: 'Choose another name, or update the existing record.',
      commands: ['sites create', 'sites update'],
    },
  ])
})

test('a code that leaves a write in doubt says so', () => {
  expect(explain('UNKNOWN_ERROR').found[0]).toMatchObject({
    changed: 'Unknown: a write with this answer may or may not have been applied.',
    again: 'A read: yes. A write: only with vendorctl runs reconcile, which reads the records back first.',
  })
})

test.each(['inDoubt', 'indoubt', 'IN-DOUBT', '7', 'exit 7', 'exit code 7', ' 7 '])('%j is the exit inDoubt', (code) => {
  expect(explain(code).found).toMatchObject([{kind: 'exit', code: 'inDoubt', number: 7}])
})

test.each(['missing_record', 'Missing Record', 'MISSING-RECORD'])('%j is a refusal', (code) => {
  expect(explain(code).found).toMatchObject([{kind: 'refusal', code: 'MISSING_RECORD'}])
})

test('a status stands for all its refusals', () => {
  expect(explain('422').found.map(({code}) => code)).toEqual([
    'SITE_VALIDATION',
    'GLOBAL_CHARGE_KEY',
    'SELECTION_VALIDATION',
    'NO_SELECTIONS',
    'MULTIPLE_TEMPLATES',
  ])
  expect(explain('429').found.map(({code}) => code)).toEqual(['TOO_MANY_REQUESTS', 'LIMIT_EXCEEDED'])
})

test('a misspelled code brings a suggestion, nonsense does not', () => {
  expect(explain('NAME_UNIQENESS')).toEqual({found: [], suggestion: 'NAME_UNIQUENESS'})
  expect(explain('partail')).toEqual({found: [], suggestion: 'partial'})
  expect(explain('xyzzy')).toEqual({found: []})
  expect(explain('')).toEqual({found: []})
  expect(explain('__proto__')).toEqual({found: []})
})

test('a problem of a file says that nothing was sent; its exit code stands for itself', () => {
  expect(explain('not an integer').found).toMatchObject([
    {kind: 'problem', code: 'NOT_AN_INTEGER', number: 3, changed: 'Nothing; no write was sent.'},
  ])
  expect(explain('3').found).toMatchObject([{kind: 'exit', code: 'invalid'}])
})

test('a code of a row says whether to send it again', () => {
  expect(explain('rolled back').found).toMatchObject([{kind: 'row', code: 'ROLLED_BACK', again: 'Yes.', number: 5}])
  expect(explain('5').found).toMatchObject([{kind: 'exit', code: 'refused'}])
})

test('every code of a failure is used', () => {
  const code = readSourceFiles('src')
    .filter(({path}) => path !== 'src/contract/failure-codes.ts')
    .map(({text}) => text)
    .join('\n')

  const isUsed = (name: string) => new RegExp(`'${name}'|\\b${name}:`).test(code)

  expect(Object.keys(failureCodes).filter((name) => !isUsed(name))).toEqual([])
})

test('every flag that a code is explained by exists', () => {
  const {commands} = JSON.parse(readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'))
  const flags = ['help', ...Object.values<{flags: object}>(commands).flatMap((command) => Object.keys(command.flags))]

  const named = knownCodes().flatMap((code) =>
    explain(code).found.flatMap((found) => JSON.stringify(found).match(/(?<=--)[a-z][a-z-]+/g) ?? []),
  )

  expect([...new Set(named)].filter((name) => !flags.includes(name))).toEqual([])
})

test.each(['FILE_CHANGED', 'FILE_DIFFERS'])('%s is explained by the exit code that it ends in', (code) => {
  expect(explain(code).found).toMatchObject([{number: 10}])
})
