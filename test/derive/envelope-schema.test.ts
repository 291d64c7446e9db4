import {expect, test} from 'vitest'
import {createEnvelope, type Ending} from '../../src/cli/app/envelope.js'
import {type ExitName, exitCodes} from '../../src/contract/index.js'
import {CliFailure, toEntries} from '../../src/core/errors.js'
import {toEnvelopeSchema} from '../../src/derive/envelope-schema.js'
import {compile} from '../support/ajv.js'
import {expectGolden} from '../support/golden.js'

const envelope: Ending = {
  exit: 'refused',
  runId: 'r-1',
  data: null,
  meta: {
    profile: 'sandbox',
    stage: 'v2.1',
    rows: {applied: 1, refused: 1, rolledBack: 1, inDoubt: 0, unsent: 0, unchanged: 0},
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

const bare: Ending = {
  exit: 'ok',
  runId: null,
  data: [],
  meta: {},
  warnings: [],
  errors: [],
}

const printed = (ending: Ending) => JSON.parse([...createEnvelope('sites create').close(ending)].join(''))

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
  const failure = new CliFailure('no such stage: v3', {code: 'STAGE_WITHOUT_BULK', exit: 'usage', hints: ['Use v2.1.']})

  expect(check(printed({exit: failure.exit, errors: toEntries(failure)}))).toBe(true)
})

test('schema, command and data come first, whatever follows', () => {
  const order = ['schema', 'command', 'data', 'ok', 'runId', 'meta', 'warnings', 'errors']

  expect(Object.keys(printed(bare))).toEqual(order)
  expect(Object.keys(printed(envelope))).toEqual(order)
})

test('records are written as they come, and what ends between them closes the document', () => {
  const opened = createEnvelope('machines list')

  const text = [
    ...opened.elements(Buffer.from('{"id":1},{"id":9007199254740993}'), 2),
    ...opened.elements(Buffer.from(''), 2),
    ...opened.elements(Buffer.from(',{"id":3}'), 3),
    ...opened.close({exit: 'unavailable', data: null}),
    ...opened.close({exit: 'ok'}),
  ].join('')

  expect(text).toContain('9007199254740993')
  expect(compile(toEnvelopeSchema())(JSON.parse(text))).toBe(true)
  expect(JSON.parse(text)).toMatchObject({ok: false, data: [{id: 1}, {}, {id: 3}], errors: [{exit: 75}]})
})

test.for(Object.entries(exitCodes))('exit %s is ok exactly when it is 0, else it has an error', ([exit, {code}]) => {
  const {ok, errors} = printed({exit: exit as ExitName})

  expect(ok).toBe(code === 0)
  expect(errors.map((error: {exit: number}) => error.exit)).toEqual(code === 0 ? [] : [code])
})

test('an empty list of records is a list, and data of any shape is itself', () => {
  const opened = createEnvelope('machines list')
  const data = {a: [], b: {}, c: [1, [2, {d: 'é\n'}]], e: null, f: [{g: [3]}]}

  expect(JSON.parse([...opened.elements(Buffer.from(''), 0), ...opened.close({exit: 'ok'})].join('')).data).toEqual([])
  expect(printed({exit: 'ok', data}).data).toEqual(data)
})
