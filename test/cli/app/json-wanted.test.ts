import {expect, test} from 'vitest'
import {wantsJson} from '../../../src/cli/app/read-arguments.js'

test.each([
  [['sites', 'list', '--json'], {}, true],
  [['foo', '--', '--json'], {}, false],
  [['sites', 'list'], {VENDORCTL_JSON: 'yes'}, true],
  [['sites', 'list'], {VENDORCTL_JSON: 'no'}, false],
])('whether failures are JSON: %j with %j', (words, environment, expected) => {
  expect(wantsJson(words, environment)).toBe(expected)
})
