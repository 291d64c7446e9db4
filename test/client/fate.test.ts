import {describe, expect, test} from 'vitest'
import {toMeaning} from '../../src/client/answer.js'
import {fateOfRefusal, fateOfSuccess, fateOfTransport} from '../../src/client/fate.js'
import type {WriteAnswer} from '../../src/client/types.js'
import {TransportFailure} from '../../src/http/transport-failure.js'
import {type JsonValue, printJson} from '../../src/values/json.js'

type Answered = Parameters<typeof fateOfSuccess>[0]['answer']

const list = '[{"code":"ODD","message":"No.","pointers":[1]}]'
const refusals = [{code: 'ODD', message: 'No.', pointers: [1]}]

const succeed = (answer: Answered, status: number, body: string | Buffer, sent = 2): WriteAnswer =>
  fateOfSuccess({answer}, {sent}, {status, headers: {}, body: Buffer.from(body)})

const refuse = (status: number, body: string): WriteAnswer => {
  const meaning = toMeaning({status, headers: {}, body: Buffer.from(body)}, 0)
  return fateOfRefusal(meaning, status)
}

const applied = (ids: JsonValue[], records: JsonValue[] = []) => printJson({fate: 'applied', ids, records})
const doubt = (status: number, why: string) => ({fate: 'inDoubt', why: `answered ${status} with ${why}`, status})

describe('a success proves that a set was applied', () => {
  test.each<[Answered, number, string, string]>([
    ['ids', 200, '[7,9007199254740993]', '{"fate":"applied","ids":[7,9007199254740993],"records":[]}'],
    ['ids', 201, '["6","7"]', applied(['6', '7'])],
    ['ids', 204, '["6",7]', applied(['6', 7])],
    ['records', 200, '[{"id":1},{}]', applied([], [{id: 1}, {}])],
    ['nothing', 200, '', applied([])],
    ['nothing', 204, ' \r\n', applied([])],
    ['nothing', 200, 'null', applied([])],
    ['nothing', 200, 'true', applied([])],
    ['nothing', 200, '{}', applied([])],
    ['nothing', 200, '[{"id":1},{"id":2}]', applied([])],
  ])('%s by %i %s', (answers, status, body, answer) => {
    expect(JSON.stringify(succeed(answers, status, body))).toBe(answer)
  })
})

describe('a success leaves a set in doubt', () => {
  test.each<[Answered, number, string | Buffer, string]>([
    ['ids', 202, '[1,2]', 'a status that does not say "done"'],
    ['nothing', 206, '', 'a status that does not say "done"'],
    ['nothing', 200, '<html>', 'an HTML page'],
    ['nothing', 200, '{"a":', 'a body that is not complete JSON'],
    ['nothing', 200, Buffer.from([0x22, 0xff, 0x22]), 'a body that is not complete JSON'],
    ['nothing', 200, 'false', 'a body that this operation does not answer with'],
    ['nothing', 200, '0', 'a body that this operation does not answer with'],
    ['nothing', 200, '"ok"', 'a body that this operation does not answer with'],
    ['nothing', 200, '{"error":"later"}', 'a body that this operation does not answer with'],
    ['nothing', 200, '[]', '0 records for 2 sent'],
    ['nothing', 200, '[{"id":1}]', '1 records for 2 sent'],
    ['nothing', 200, '[true,false]', 'a body that this operation does not answer with'],
    ['nothing', 200, '[{"id":1},"not found"]', 'a body that this operation does not answer with'],
    ['nothing', 200, '[{"id":1},{"code":"ODD","message":"No."}]', 'an error among other elements'],
    ['records', 200, '[{"code":"ODD","message":"No."},{"id":2}]', 'an error among other elements'],
    ['ids', 200, '', 'no list of ids'],
    ['ids', 200, '{"0":1,"1":2}', 'no list of ids'],
    ['ids', 200, '[1]', '1 ids for 2 records'],
    ['ids', 200, '[1,2,3]', '3 ids for 2 records'],
    ['ids', 200, '[1,2,2]', '3 ids for 2 records'],
    ['ids', 200, '[1,1]', 'a list that is not one id for each record'],
    ['ids', 200, '[1,true]', 'a list that is not one id for each record'],
    ['ids', 200, '[1,[2]]', 'a list that is not one id for each record'],
    ['ids', 200, '[1,""]', 'a list that is not one id for each record'],
    ['ids', 200, '[1,"a"]', 'a list that is not one id for each record'],
    ['ids', 200, '[1,0]', 'a list that is not one id for each record'],
    ['ids', 200, '[-1,-2]', 'a list that is not one id for each record'],
    ['ids', 200, '[1.5,2.5]', 'a list that is not one id for each record'],
    ['ids', 200, '[1e3,2.0]', 'a list that is not one id for each record'],
    ['ids', 200, '[{"id":1},{"id":2}]', 'a list that is not one id for each record'],
    ['records', 200, '', 'no list of records'],
    ['records', 200, '{}', 'no list of records'],
    ['records', 200, '[{"id":1},2]', 'no list of records'],
    ['records', 200, '[{"id":1}]', '1 records for 2 sent'],
  ])('%s by %i %s: %s', (answers, status, body, why) => {
    expect(succeed(answers, status, body)).toEqual({...doubt(status, why), refusals: []})
  })

  test.each<[Answered, number, string]>([
    ['ids', 200, 'an error list'],
    ['records', 200, 'an error list'],
    ['nothing', 200, 'an error list'],
    ['nothing', 202, 'a status that does not say "done"'],
  ])('%s with the words of the service, by %i with %s', (answers, status, why) => {
    expect(succeed(answers, status, list)).toEqual({...doubt(status, why), refusals})
  })
})

describe('any other answer', () => {
  const word = (code: string, message = '') => [{code, message, pointers: []}]

  test.each<[number, string, object[]]>([
    [301, '', word('REDIRECT', 'The service answered with a redirect, which is never followed.')],
    [308, list, word('REDIRECT', 'The service answered with a redirect, which is never followed.')],
    [400, list, refusals],
    [400, '', word('HTTP_400')],
    [400, '<html>', word('HTTP_400', 'The answer is an HTML page.')],
    [400, '{"message":"Bad"}', word('HTTP_400', 'Bad')],
    [401, '', word('API_TOKEN')],
    [401, list, refusals],
    [407, 'rubbish', word('HTTP_407', 'rubbish')],
    [421, list, refusals],
    [499, '', word('HTTP_499')],
  ])('%i %s refuses', (status, body, expected) => {
    expect(refuse(status, body)).toEqual({fate: 'refused', status, refusals: expected})
  })

  const late = '[{"code":"ODD","message":""},{"code":"UNEXPECTED_RESULT_COUNT","message":"Late."}]'

  test.each<[number, string, string, object[]]>([
    [101, '', 'answered 101', []],
    [199, list, 'answered 199 ODD No.', refusals],
    [303, '', 'answered 303: The service answered with a redirect, which is never followed.', []],
    [304, list, 'answered 304: The service answered with a redirect, which is never followed.', []],
    [408, '', 'answered 408', []],
    [408, list, 'answered 408 ODD No.', refusals],
    [421, '<html>', 'answered 421: The answer is an HTML page.', []],
    [400, late, 'answered 400 ODD', [...word('ODD'), ...word('UNEXPECTED_RESULT_COUNT', 'Late.')]],
    [500, '', 'answered 500', []],
    [500, list, 'answered 500 ODD No.', refusals],
    [502, '{"message":"Gone\\u0007"}', 'answered 502: Gone\\u0007', []],
    [600, '', 'answered 600', []],
  ])('%i %s leaves in doubt: %s', (status, body, why, expected) => {
    expect(refuse(status, body)).toEqual({fate: 'inDoubt', status, why, refusals: expected})
  })
})

describe('a broken exchange', () => {
  const asked = {method: 'POST', path: '/sites'}
  const broken = (left: boolean, status?: number) =>
    new TransportFailure('the connection broke', {kind: 'reset', left, ...(status !== undefined && {status})})

  test('of which nothing left was not sent', () => {
    expect(fateOfTransport(broken(false), asked)).toMatchObject({fate: 'unsent', failure: {exit: 'unavailable'}})
  })

  test('of which something left is in doubt', () => {
    expect(fateOfTransport(broken(true), asked)).toEqual({fate: 'inDoubt', why: 'the connection broke', refusals: []})
    expect(fateOfTransport(broken(true, 200), asked)).toMatchObject({fate: 'inDoubt', status: 200, refusals: []})
  })
})

test.each([
  ['[{"id":1}]', 2, 1, 'applied'],
  ['[]', 2, 2, 'applied'],
  ['', 2, 2, 'applied'],
  ['[{"id":1},{"id":2}]', 2, 1, 'inDoubt'],
  ['[]', 2, 1, 'inDoubt'],
  ['', 2, 1, 'inDoubt'],
])('an echo lacks exactly the records that are deleted: %s', (body, sent, deleted, fate) => {
  const incoming = {status: 200, headers: {}, body: Buffer.from(body)}

  expect(fateOfSuccess({answer: 'records'}, {sent, deleted}, incoming)).toMatchObject({fate})
})
