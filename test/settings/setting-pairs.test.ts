import {expect, test} from 'vitest'
import {toChanges} from '../../src/settings/profiles.js'
import {failureOfCall} from '../support/failure-of-call.js'

test('pairs become changes, and an empty value unsets a key', () => {
  const changes = toChanges(['baseUrl=https://api.example.com/base', 'stage=v2', 'rate='])

  expect(changes).toEqual({baseUrl: 'https://api.example.com/base', stage: 'v2', rate: ''})
})

test('a password in the base URL is neither kept nor repeated', () => {
  expect(() => toChanges(['baseUrl=https://ops:wordword@api.example.com'])).toThrow(
    expect.objectContaining({exit: 'usage', message: 'The base URL contains a user name or password.'}),
  )
})

test('a password in the address of the shared budget is neither kept nor repeated', () => {
  const failure = failureOfCall(() => toChanges(['budget=postgres://ann:wordword@db/x?sslmode=require']))

  expect(failure).toMatchObject({code: 'DATABASE_PASSWORD', exit: 'invalid'})
  expect(failure.hints[0]).toBe('Write it without the password: postgres://ann@db:5432/x')
  expect(failure.message + failure.hints.join()).not.toContain('wordword')
  expect(toChanges(['budget=local', 'budget=postgres://ann@db/x'])).toEqual({budget: 'postgres://ann@db/x'})
})

test.each([
  ['budget=locl', 'usage'],
  ['budget=postgres://ann:word@word@db/x', 'usage'],
  ['baseUrl=http://api.example.com', 'unsafe'],
  ['baseUrl=api.example.com', 'usage'],
  ['baseUrl=https://api.example.com?stage=v2', 'usage'],
  ['rate=fast', 'usage'],
  ['apiKey=abc', 'usage'],
  ['stage', 'usage'],
])('%s is refused as %s', (word, exit) => {
  expect(() => toChanges([word])).toThrow(expect.objectContaining({exit}))
})
