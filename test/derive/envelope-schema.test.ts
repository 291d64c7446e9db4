import {expect, test} from 'vitest'
import {type Envelope, printEnvelope} from '../../src/cli/envelope.js'
import {toEnvelopeSchema} from '../../src/derive/envelope-schema.js'
import {CliFailure, toEntries} from '../../src/errors.js'
import {compile} from '../support/ajv.js'
import {expectGolden} from '../support/golden.js'

const envelope: Envelope = {
  ok: false,
  command: 'sites create',
  runId: 'r-1',
  data: null,
  meta: {
    profile: 'sandbox',
    stage: 'v2.1',
    rows: {applied: 1, refused: 1, rolledBack: 1, inDoubt: 0, unsent: 0},
    pages: 2,
    requests: {used: 3, quotaLeft: 4_997, quotaLeftIs: 'estimated'},
    truncated: false,
    range: {asked: ['2024-01-01T00:00:00', '2024-12-31T23:59:59'], served: ['2024-01-01T00:00:00', null]},
  },
  warnings: ['two columns were ignored'],
  errors: [
    {
      code: 'NAME_UNIQUENESS',
      message: 'A site of this name exists.',
      exit: 5,
      file: 'sites.csv',
      line: 3,
      column: 2,
      pointerName: 'index',
      pointers: [1],
      changed: 'none',
      retry: 'after-fix',
      hint: 'Choose another name.',
    },
  ],
}

const bare: Envelope = {
  ok: true,
  command: 'auth status',
  runId: null,
  data: [],
  meta: {},
  warnings: [],
  errors: [],
}

const printed = (value: Envelope) => JSON.parse(printEnvelope(value))

test('is the agreed schema', () => {
  expectGolden('envelope.json', `${JSON.stringify(toEnvelopeSchema(), undefined, 2)}\n`)
})

test.each([
  ['with every key', envelope],
  ['with as little as possible', bare],
])('describes what is printed: %s', (_what, value) => {
  const check = compile(toEnvelopeSchema())

  const right = check(printed(value))

  expect(check.errors).toBeNull()
  expect(right).toBe(true)
})

test('describes every failure of the program', () => {
  const check = compile(toEnvelopeSchema())
  const failure = new CliFailure('no such stage: v3', {code: 'UNKNOWN_STAGE', exit: 'usage', hints: ['Use v2.1.']})

  expect(check(printed({...bare, ok: false, errors: toEntries(failure)}))).toBe(true)
})

test.each(['schema', 'ok', 'command', 'runId', 'data', 'meta', 'warnings', 'errors'])(
  '%s may not be missing',
  (key) => {
    const {[key]: _, ...rest} = printed(envelope)

    expect(compile(toEnvelopeSchema())(rest)).toBe(false)
  },
)

test.each([
  ['another version', {schema: 'vendorctl/2'}],
  ['an unknown key', {extra: 1}],
  ['a stage that does not exist', {meta: {stage: 'v3'}}],
  ['fates that leave one out', {meta: {rows: {applied: 1, refused: 0, rolledBack: 0, inDoubt: 0}}}],
  ['an exit code that does not exist', {errors: [{...envelope.errors[0], exit: 99}]}],
  ['an error without a word on what was changed', {errors: [{...envelope.errors[0], changed: undefined}]}],
  ['lines counted from 0', {errors: [{...envelope.errors[0], line: 0}]}],
])('does not admit %s', (_what, change) => {
  const value = JSON.parse(JSON.stringify({...printed(envelope), ...change}))

  expect(compile(toEnvelopeSchema())(value)).toBe(false)
})
