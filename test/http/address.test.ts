import {expect, test} from 'vitest'

import {toBaseUrl, toUrl} from '../../src/http/address.js'
import {findProxy} from '../../src/http/proxy.js'
import {createTestClient} from '../support/client.js'

test.each([
  ['https://api.vendor.test', '/machines', 'https://api.vendor.test/v2.1/machines'],
  ['https://api.vendor.test/', 'machines', 'https://api.vendor.test/v2.1/machines'],
  ['https://api.vendor.test/base//', '/machines/', 'https://api.vendor.test/base/v2.1/machines/'],
  ['https://api.vendor.test:8443/a/b', '/alerts/clear', 'https://api.vendor.test:8443/a/b/v2.1/alerts/clear'],
  ['http://127.0.0.1:4010', '//evil.test/x', 'http://127.0.0.1:4010/v2.1/evil.test/x'],
  ['http://[::1]:4010', '\\\\evil.test', 'http://[::1]:4010/v2.1/evil.test'],
  ['http://localhost', '/files?name=a%20b', 'http://localhost/v2.1/files?name=a%20b'],
  ['https://api.vendor.test', '/@evil.test', 'https://api.vendor.test/v2.1/@evil.test'],
])('%s and %s make %s', (baseUrl, path, url) => {
  expect(toUrl({baseUrl, stage: 'v2.1'}, path).href).toBe(url)
})

test.each([
  ['api.vendor.test', 'usage'],
  ['localhost:4010', 'usage'],
  ['', 'usage'],
  ['ftp://api.vendor.test', 'usage'],
  ['file:///etc/passwd', 'usage'],
  ['https://user:word@api.vendor.test', 'usage'],
  ['https://api.vendor.test@evil.test', 'usage'],
  ['https://api.vendor.test?x=1', 'usage'],
  ['https://api.vendor.test#x', 'usage'],
  ['http://api.vendor.test', 'unsafe'],
  ['http://127.0.0.1.evil.test', 'unsafe'],
  ['http://localhost.evil.test', 'unsafe'],
  ['http://10.0.0.1', 'unsafe'],
  ['http://[::2]', 'unsafe'],
])('the base URL %j is refused as %s, and never repeated in words', (text, exit) => {
  expect(() => toBaseUrl(text)).toThrow(expect.objectContaining({exit}))
  expect(() => createTestClient(text)).toThrow(expect.objectContaining({exit}))
})

test.each(['https://evil.test/x', '/../../machines', '/%2e%2e/%2e%2e/x', '/..\\..\\x'])(
  'the path %j leaves the base',
  (path) => {
    expect(() => toUrl({baseUrl: 'https://api.vendor.test/base', stage: 'v2'}, path)).toThrow(
      expect.objectContaining({exit: 'usage', code: 'PATH_OUTSIDE'}),
    )
  },
)

const proxy = {HTTPS_PROXY: 'http://proxy.test:3128'}

test.each([
  ['https://api.vendor.test', {}, undefined],
  ['https://api.vendor.test', proxy, 'http://proxy.test:3128/'],
  ['https://api.vendor.test', {https_proxy: 'proxy.test:3128'}, 'http://proxy.test:3128/'],
  ['https://api.vendor.test', {ALL_PROXY: 'https://proxy.test'}, 'https://proxy.test/'],
  ['https://api.vendor.test', {HTTP_PROXY: 'http://proxy.test'}, undefined],
  ['https://api.vendor.test', {...proxy, NO_PROXY: 'vendor.test'}, undefined],
  ['https://api.vendor.test', {...proxy, NO_PROXY: 'endor.test'}, 'http://proxy.test:3128/'],
  ['https://api.vendor.test', {...proxy, NO_PROXY: '.vendor.test'}, undefined],
  ['https://api.vendor.test', {...proxy, no_proxy: 'x, API.vendor.test'}, undefined],
  ['https://api.vendor.test', {...proxy, NO_PROXY: '*.vendor.test'}, undefined],
  ['https://api.vendor.test', {...proxy, NO_PROXY: 'api.vendor.test:444'}, 'http://proxy.test:3128/'],
  ['https://api.vendor.test:444', {...proxy, NO_PROXY: 'api.vendor.test:444'}, undefined],
  ['https://api.vendor.test', {...proxy, NO_PROXY: '*'}, undefined],
  ['https://localhost', proxy, undefined],
  ['http://127.0.0.1:4010', {...proxy, HTTP_PROXY: 'http://proxy.test'}, undefined],
])('to %s with %j goes by %s', (url, environment, found) => {
  expect(findProxy(new URL(url), environment)?.href).toBe(found)
})

test('a proxy that is none is refused without its secrets', () => {
  const environment = {HTTPS_PROXY: 'socks5://user:word@proxy.test'}

  expect(() => findProxy(new URL('https://api.vendor.test'), environment)).toThrow(
    expect.objectContaining({exit: 'usage', message: expect.not.stringContaining('word')}),
  )
})
