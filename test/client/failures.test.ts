import {describe, expect, test} from 'vitest'
import {toMeaning} from '../../src/client/answer.js'
import {fromMeaning, isOfOneRead, isOutOfReach, isRouteMissing, isUnreadable} from '../../src/client/failures.js'
import {CliFailure} from '../../src/core/errors.js'

const elsewhere = {path: '/there', command: 'vendorctl set'}

function failureOf(
  status: number,
  body: string,
  method = 'GET',
  other: typeof elsewhere | null = elsewhere,
): CliFailure {
  const meaning = toMeaning({status, headers: {}, body: Buffer.from(body)}, 0)
  if (meaning.kind === 'success') throw new Error('no failure')
  return fromMeaning(meaning, status, {method, path: '/sites', elsewhere: other ?? undefined})
}

const entry = (code: string) => ({code, message: 'No.', pointers: [7, 8], pointerName: 'id'})

test.each([
  [[entry('A')], 'GET /sites was refused: 400 A No. [id: 7, 8]'],
  [[entry('A'), entry('B'), entry('C')], 'GET /sites was refused: 400 A No. [id: 7, 8] (and 2 more)'],
])('the first refusal is shown, and how many follow', (list, message) => {
  expect(failureOf(400, JSON.stringify(list)).message).toBe(message)
})

test.each([
  [400, 'after-fix', 'refused'],
  [403, 'after-fix', 'denied'],
  [500, 'safe', 'unavailable'],
])('each of several refusals by %i may be sent again: %s', (status, retry, exit) => {
  const failure = failureOf(status, JSON.stringify([entry('A'), entry('B')]))

  expect(failure).toMatchObject({retry, exit, entries: [{retry, exit: failure.exitCode}, {retry}]})
})

test('a refusal has the hint of its code, or says where its code is explained', () => {
  const hintsOf = (code: string) => failureOf(400, JSON.stringify([entry(code)])).hints

  expect(hintsOf('A')).toEqual([expect.stringContaining('documentation explains it')])
  expect(hintsOf('INVALID_DATE_RANGE')).toEqual([expect.not.stringContaining('documentation explains it')])
})

test.each([
  ['<html>', 'GET /sites was answered 502 with an HTML page, which is not an answer of the service.'],
  [' ', 'GET /sites was answered 502 with an empty body, which is not an answer of the service.'],
  ['{"message":"Away"}', 'GET /sites was answered 502: Away'],
  ['rubbish', 'GET /sites was answered 502: rubbish'],
])('an answer %j says what came', (body, message) => {
  expect(failureOf(502, body).message).toBe(message)
})

test.each([
  [400, 'rubbish', 'refused', 'after-fix'],
  [403, 'rubbish', 'denied', 'after-fix'],
  [403, '<html>', 'unavailable', 'safe'],
  [421, 'rubbish', 'unavailable', 'safe'],
  [408, 'rubbish', 'unavailable', 'safe'],
  [500, 'rubbish', 'unavailable', 'safe'],
])('an answer %i %s that is none of the service is %s, and may be sent again %s', (status, body, exit, retry) => {
  expect(failureOf(status, body)).toMatchObject({exit, retry, code: `HTTP_${status}`})
})

describe('the hints of an answer that is none of the service', () => {
  const there = 'Some services have it at /there; to read it there: vendorctl set'
  const method = expect.stringContaining('readMethod=POST')
  const closer = 'Look closer with: vendorctl doctor'

  test.each([
    [404, 'GET', [there, closer]],
    [403, 'GET', [method, closer]],
    [400, 'GET', [method, closer]],
    [403, 'POST', [closer]],
    [502, 'GET', [closer]],
  ])('by %i to %s', (status, verb, hints) => {
    expect(failureOf(status, '<html>', verb).hints).toEqual(hints)
  })

  test('name no other path where there is none', () => {
    expect(failureOf(404, '<html>', 'GET', null).hints).toEqual([closer])
  })
})

test('what a failure says of its read, and of others', () => {
  const codes = ['HTTP_404', 'MISSING_RECORD', 'DATA_ACCESS', 'ANSWER_CUT', 'DATABASE_LOST', 'FORBIDDEN'] as const
  const judge = (error: unknown) => [isRouteMissing, isOutOfReach, isUnreadable, isOfOneRead].map((is) => is(error))

  expect(codes.map((code) => judge(new CliFailure('', {code, exit: 'denied'})))).toEqual([
    [true, true, false, true],
    [true, true, false, true],
    [false, true, false, true],
    [false, false, true, true],
    [false, false, false, false],
    [false, false, false, true],
  ])
  expect(judge(new CliFailure('', {code: 'DATA_ACCESS', exit: 'usage'}))).toEqual([false, true, false, false])
  expect(judge(new Error('HTTP_404'))).toEqual([false, false, false, false])
})
