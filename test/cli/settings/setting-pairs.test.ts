import {expect, test} from 'vitest'
import {toChanges} from '../../../src/cli/settings/setting-pairs.js'

test('pairs become changes, and an empty value unsets a key', () => {
  const changes = toChanges(['baseUrl=https://api.example.com/base', 'stage=v2', 'rate='])

  expect(changes).toEqual({baseUrl: 'https://api.example.com/base', stage: 'v2', rate: ''})
})

test('a password in the base URL is neither kept nor repeated', () => {
  expect(() => toChanges(['baseUrl=https://ops:wordword@api.example.com'])).toThrow(
    expect.objectContaining({exit: 'usage', message: 'The base URL holds a user name or password.'}),
  )
})

test.each([
  ['baseUrl=http://api.example.com', 'unsafe'],
  ['baseUrl=api.example.com', 'usage'],
  ['baseUrl=https://api.example.com?stage=v2', 'usage'],
  ['rate=fast', 'usage'],
  ['apiKey=abc', 'usage'],
  ['stage', 'usage'],
])('%s is refused as %s', (word, exit) => {
  expect(() => toChanges([word])).toThrow(expect.objectContaining({exit}))
})
