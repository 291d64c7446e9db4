import {expect, test} from 'vitest'
import {redact, redactStream, registerSecret} from '../../../src/cli/app/redact.js'

const secret = 'kéy/with+signs&more=1'

test('a secret is hidden as it is, in base64, and as part of a URL', () => {
  registerSecret(secret)

  for (const form of [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)]) {
    expect(redact(`before ${form} after`)).toBe('before [secret] after')
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
