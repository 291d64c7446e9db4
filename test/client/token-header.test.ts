import {expect, test} from 'vitest'
import {createClient} from '../../src/library/create-client.js'

const create = (tokenHeader: string) =>
  createClient({baseUrl: 'https://api.example.test', credentials: {apiKey: 'a-key'}, tokenHeader})

test.each([
  ...['Host', 'host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'TE', 'Upgrade', 'Expect', 'Trailer'],
  ...['X-Api-Key', 'Accept', 'Accept-Encoding', 'Content-Type', 'Content-Encoding', 'User-Agent', 'Page', 'size'],
  ...['Proxy-Authorization', 'Keep-Alive', 'If-None-Match', 'Range', 'Cookie', '', 'a b', 'a\r\nb', 'a:b', 'ä'],
])('the header %j cannot carry the token', (tokenHeader) => {
  expect(() => create(tokenHeader)).toThrow(expect.objectContaining({code: 'TOKEN_HEADER', exit: 'usage'}))
})

test.each(['access-token', 'Access-Token', 'Authorization', 'X-Token', 'token'])('%s can', (tokenHeader) => {
  create(tokenHeader).close()
})
