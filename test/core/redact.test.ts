import {expect, test} from 'vitest'
import {redact, redactBytes, redactStream, registerAddress, registerSecret} from '../../src/core/redact.js'

const secret = 'kéy/with+signs&more=1'

test('bytes are copied only where they hold a secret, in any case', () => {
  registerSecret(secret)
  const clean = Buffer.from('{"name":"Ferry Quay"}')

  expect(redactBytes(clean)).toBe(clean)
  for (const form of [secret, secret.toUpperCase(), encodeURIComponent(secret).toLowerCase()]) {
    expect(redactBytes(Buffer.from(`["${form}"]`))).toBe('["[secret]"]')
  }
})

test('nothing and very short texts are no secrets', () => {
  registerSecret('')
  registerSecret(undefined)
  registerSecret('id')

  expect(redact('an id of nothing')).toBe('an id of nothing')
})

test('what others write on a stream is hidden too, bytes excepted', () => {
  registerSecret(secret)
  const written: unknown[] = []
  const stream = {write: (text: unknown) => written.push(text) > 0} as unknown as NodeJS.WriteStream

  redactStream(stream)
  stream.write(`x-api-key: ${secret}\n`)

  expect(written).toEqual(['x-api-key: [secret]\n'])
})

test.each([
  ['postgres://ann:w%40rd-1@db/x', 'the w@rd-1 as w%40rd-1'],
  ['postgres://ann:w@rd-2@db/x', 'the w@rd-2'],
  ['postgres://db/x?user=ann&password=word-3', 'the word-3'],
  ['http://ann:word-4@proxy:8080', 'the word-4'],
  ['host=h user=ann password=word-5 dbname=x', 'the word-5'],
  ["host=h password = 'word 6'", 'the word 6'],
])('the password of %s is hidden', (address, text) => {
  const found = registerAddress(address)

  expect(found).toBe(true)
  expect(redact(text)).toMatch(/^the \[secret\]( as \[secret\])?$/)
})

test('an address without a password holds no secret', () => {
  expect(registerAddress('postgres://ann@db:5432/x')).toBe(false)
  expect(registerAddress('/data/a:b.db')).toBe(false)
})
