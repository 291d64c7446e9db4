import {expect, test} from 'vitest'
import {isSameService} from '../../src/values/service.js'

test.for([
  ['https://api.example.com/', true],
  ['HTTPS://API.Example.com', true],
  ['https://api.example.com:443//', true],
  ['https://api.example.com/other', false],
  ['https://api.example.com:444', false],
  ['http://api.example.com', false],
  ['', false],
] as const)('%s names the service of https://api.example.com: %s', ([text, isSame]) => {
  expect(isSameService(text, 'https://api.example.com')).toBe(isSame)
})
