import {expect, test} from 'vitest'
import {secretForms} from '../../src/core/secret-forms.js'

test('a secret is known in every way in which others write it, the longest first', () => {
  const forms = secretForms('a"/\u00fc')

  expect(forms).toEqual(
    expect.arrayContaining([
      ...['a"/\u00fc', 'a\\"/\u00fc', 'a\\\\\\"/\u00fc', 'a\\\\\\\\\\\\\\"/\u00fc'],
      ...['a\\"/\\u00fc', 'a\\"\\/\\u00fc', 'a%22%2F%C3%BC', 'YSIvw7w='],
    ]),
  )
  expect(forms).toHaveLength(8)
  expect(forms.map(({length}) => length)).toEqual(forms.map(({length}) => length).sort((one, other) => other - one))
  expect(secretForms('plain')).toEqual(['cGxhaW4=', 'plain'])
})
