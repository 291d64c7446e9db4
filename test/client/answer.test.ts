import {describe, expect, test} from 'vitest'
import {looksLikeHtml, type Meaning, toMeaning, waitOf} from '../../src/client/answer.js'
import {isErrorList, readJson, toRefusals} from '../../src/client/error-list.js'
import {parseJson} from '../../src/values/json.js'

const now = Date.UTC(2024, 6, 30, 18, 7, 5)
const list = '[{"code":"GENERIC_ERROR","message":"No.","pointers":[]}]'
const refusals = [{code: 'GENERIC_ERROR', message: 'No.', pointers: []}]
const words = (message: string) => JSON.stringify({message})
const coded = (message: string) => JSON.stringify([{code: 'X', message}])

function meaningOf(status: number, text: string, headers: Record<string, string> = {}): Meaning {
  return toMeaning({status, headers, body: Buffer.from(text)}, now)
}

test.each<[number, string, object]>([
  [200, words('Limit Exceeded'), {kind: 'success'}],
  [299, '', {kind: 'success'}],
  [300, list, {kind: 'redirect'}],
  [399, '', {kind: 'redirect'}],
  [400, list, {kind: 'refused', refusals}],
  [401, list, {kind: 'tokenNeeded', refusals}],
  [401, '', {kind: 'tokenNeeded', refusals: []}],
  [401, words('Unauthorized'), {kind: 'tokenNeeded', refusals: []}],
  [429, '', {kind: 'throttled'}],
  [429, '<html>', {kind: 'throttled'}],
  [429, words('Slow down'), {kind: 'throttled'}],
  [429, words('Limit Exceeded'), {kind: 'quota', message: 'Limit Exceeded'}],
  [429, words('Your QUOTA is used up'), {kind: 'quota', message: 'Your QUOTA is used up'}],
  [429, coded('limit exceeded'), {kind: 'quota', message: 'limit exceeded'}],
  [429, words('Rate exceeded: quota'), {kind: 'throttled'}],
  [429, list, {kind: 'throttled'}],
  [401, words('Rate exceeded'), {kind: 'throttled'}],
  [403, words('Throttled'), {kind: 'throttled'}],
  [403, words('Limit Exceeded'), {kind: 'quota', message: 'Limit Exceeded'}],
  [403, coded('Limit Exceeded'), {kind: 'refused', refusals: [{code: 'X', message: 'Limit Exceeded', pointers: []}]}],
  [413, words('Request size limit exceeded'), {kind: 'foreign', what: 'message'}],
  [500, words('Limit Exceeded'), {kind: 'foreign', what: 'message'}],
  [502, words('Too many requests'), {kind: 'foreign', what: 'message'}],
  [503, words('Too many requests'), {kind: 'throttled'}],
  [503, words('Limit exceeded'), {kind: 'quota', message: 'Limit exceeded'}],
  [503, words('Away'), {kind: 'foreign', what: 'message', message: 'Away'}],
  [504, ' \r\n', {kind: 'foreign', what: 'empty', message: ''}],
  [504, ' <html>', {kind: 'foreign', what: 'html', message: ''}],
  [500, '{"message":5}', {kind: 'foreign', what: 'rubbish', message: '{"message":5}'}],
  [500, 'x'.repeat(300), {kind: 'foreign', what: 'rubbish', message: 'x'.repeat(200)}],
])('%i %s means %j', (status, body, meaning) => {
  expect(meaningOf(status, body)).toMatchObject(meaning)
})

test('a limit says how long it lasts, when the service does', () => {
  const headers = {'retry-after': '7'}

  expect(meaningOf(429, '', headers)).toEqual({kind: 'throttled', wait: 7_000})
  expect(meaningOf(429, words('quota'), headers)).toEqual({kind: 'quota', message: 'quota', wait: 7_000})
})

test.each([
  ['0', 0],
  [' 15 ', 15_000],
  ['Tue, 30 Jul 2024 18:07:06 GMT', 1_000],
  ['Tue, 30 Jul 2024 18:07:05 GMT', undefined],
  ['Tue, 30 Jul 2024 18:07:04 GMT', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['2030-01-01', undefined],
  ['1234567890123', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %j is a wait of %j', (text, wait) => {
  expect(waitOf(text === undefined ? {} : {'retry-after': text}, now)).toBe(wait)
})

test('a page begins with a tag, wherever it begins', () => {
  expect(['<', ' \n<html>', '\ufeff<p>'].map((text) => looksLikeHtml(Buffer.from(text)))).toEqual([true, true, true])
  expect(['', 'x<', '[]'].map((text) => looksLikeHtml(Buffer.from(text)))).toEqual([false, false, false])
})

describe('an error list', () => {
  test.each([
    ['[]', undefined, false],
    ['{}', undefined, false],
    ['null', undefined, false],
    ['[{"code":""}]', undefined, false],
    ['[{"code":5}]', undefined, false],
    ['[{"code":"A"},{"id":1}]', undefined, false],
    ['{"code":"A"}', [{code: 'A', message: '', pointers: []}], true],
    ['[{"CODE":"A","Message":5}]', [{code: 'A', message: '', pointers: []}], true],
    ['[{"code":"A","id":1}]', [{code: 'A', message: '', pointers: []}], false],
    [
      '{"code":"A","pointers":"x","pointerName":"id"}',
      [{code: 'A', message: '', pointers: ['x'], pointerName: 'id'}],
      true,
    ],
    ['{"code":"A","pointers":null,"pointerName":null}', [{code: 'A', message: '', pointers: []}], true],
    [
      '{"code":"A","pointers":[1,9007199254740993,{"a":1}]}',
      [{code: 'A', message: '', pointers: [1, '9007199254740993', '{"a":1}']}],
      true,
    ],
    ['{"code":"A","Code":"B"}', [{code: 'A', message: '', pointers: []}], true],
  ])('%s', (text, entries, isPure) => {
    const value = parseJson(text)

    expect(toRefusals(value)).toEqual(entries)
    expect(isErrorList(value)).toBe(isPure)
  })

  test('does not choose how long its messages are', () => {
    const messageOf = (length: number) => toRefusals({code: 'A', message: 'x'.repeat(length)})?.[0]?.message

    expect(messageOf(4_000)).toBe('x'.repeat(4_000))
    expect(messageOf(4_001)).toBe(`${'x'.repeat(4_000)}…`)
  })

  test('is read of UTF-8 alone', () => {
    expect(readJson(Buffer.from('\ufeff{"a":1}'))).toEqual({a: 1})
    expect([Buffer.from([0x22, 0xff, 0x22]), Buffer.from('{')].map(readJson)).toEqual([undefined, undefined])
  })
})
