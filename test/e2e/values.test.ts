import {describe, expect} from 'vitest'
import {siteNames} from '../../src/sandbox/seed/word-lists.js'
import type {Sandbox} from '../../src/sandbox/server.js'
import {test} from '../support/binary.js'

const formats = ['table', 'csv', 'tsv', 'json', 'ndjson', 'markdown']
const names = siteNames.slice(0, -2)

/** Names that stand on rows of their own: no line break within them. */
const plain = names.filter((name) => !name.includes('\n'))

function addSite({store}: Sandbox, json: string): void {
  store.load('site', 9_001, json, {organization_id: 101, account_id: 201, name: 'x', time_zone: null})
}

describe.concurrent('awkward names', () => {
  test('escape sequences reach neither a table, nor markdown, nor standard error', async ({start}) => {
    const {run, sandbox} = await start()
    addSite(sandbox, '{"id":9001,"name":"\\u001b]0;owned\\u0007\\u009b31m\\u202eevil\\u2066 \\r\\u0000"}')

    const [table, markdown] = await Promise.all(
      ['table', 'markdown'].map((format) => run(['sites', 'list', '-o', format, '--columns', 'name'])),
    )

    for (const {stdout = '', stderr = ''} of [table ?? {}, markdown ?? {}]) {
      expect(`${stdout}${stderr}`).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--[\n]]/v)
    }
    expect(table?.stdout).toContain('^[[31mRed Gate')
    for (const name of plain.filter((one) => !one.includes('\u001b'))) expect(table?.stdout).toContain(name.trimEnd())
  })
})

test.concurrent('what the service says of a refusal cannot act on a terminal', async ({start}) => {
  const evil = JSON.stringify([
    {code: 'E\u001b[2J', message: 'a\u009b31m\nerror: forged\u202e', pointers: [], pointerName: ''},
  ])
  const {run} = await start({faults: [`status(400,${evil})@sites.list`]})

  const ran = await run(['sites', 'list'])

  expect(ran).toMatchObject({exitCode: 5, stdout: ''})
  expect(ran.stderr).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--[\n]]|^error: forged/mv)
})

test.concurrent.for(formats)('digits are copied, never computed: %s', async (format, {start}) => {
  const {run, sandbox} = await start()
  const texts = ['9007199254740993', '10.10', '1e400', '-0.0', '123456789012345678901234567890.10']
  addSite(
    sandbox,
    `{"id":9001,"name":"digits","maxChargePrice":${texts[0]},"unknownA":${texts[1]},"unknownB":${texts[2]},` +
      `"unknownC":${texts[3]},"unknownD":${texts[4]}}`,
  )

  const {stdout, exitCode} = await run(['sites', 'list', '-o', format, '--where', 'name=digits'])

  expect(exitCode).toBe(0)
  for (const text of texts) expect(stdout).toContain(text)
})
