import {expect} from 'vitest'
import {fateNames} from '../../../src/contract/index.js'
import type {RunFolder} from '../../../src/core/run-id.js'
import {renderTextPage} from '../../../src/formats/write/html/text-page.js'
import {renderMarkdownPage} from '../../../src/formats/write/table/markdown-page.js'
import {readAccount} from '../../../src/runs/report/run-account.js'
import {toRunPage} from '../../../src/runs/report/run-page.js'
import {id, makeRun, now, partOf, test} from '../../runs/journal/a-run.js'

const hostile = '<script>alert(1)</script>\u202e\u001b[31m @octocat'

const refused = {
  fate: 'refused',
  status: 400,
  refusals: [{code: 'NAME_UNIQUENESS', message: hostile, pointerName: 'name', pointers: ['Site 1'], fields: []}],
}

function pageOf(folder: RunFolder) {
  const account = readAccount(folder, id, true)
  return toRunPage({report: account.report, facts: account.loaded.facts, account, runs: [account], now: now})
}

test('the page of a run has figures that add up, each row with its reason, and its history', ({folder}) => {
  const {journal} = makeRun(folder, {file: `${hostile}.csv`, user: 'ana', host: 'till-1', inputDigest: 'ab'.repeat(32)})
  journal.markSent(1)
  journal.transaction(() =>
    journal.change(1, {state: 'rejected', answer: JSON.stringify(refused), why: 'answered 400'}),
  )
  journal.markSent(2)
  journal.transaction(() => journal.own('resumed'))
  journal.close()

  const page = pageOf(folder)

  const [all, ...fates] = page.tiles?.map(({value}) => Number(value)) ?? []
  expect([all, fates.reduce((sum, count) => sum + count, 0), fates.length]).toEqual([4, 4, fateNames.length])
  expect(page.facts).toContainEqual(['run', id])
  expect(page.sections.map(({title}) => title)).toEqual([
    ...['What to do next', 'Refused', 'In doubt', 'Rolled back', 'Timeline'],
  ])
  const tables = Object.fromEntries(page.sections.map(({title, tables = []}) => [title, tables.map(({rows}) => rows)]))
  expect(tables).toMatchObject({
    Refused: [[[`${hostile}.csv:3:3`, expect.any(String), hostile, expect.any(String)]]],
    'Rolled back': [[[`${hostile}.csv:2`, 'Site 0', `${hostile}.csv:3:3: NAME_UNIQUENESS`]]],
    'In doubt': [
      [['2', `${hostile}.csv:4–5`, '2', expect.any(String), expect.stringContaining('was killed')]],
      expect.any(Array),
    ],
  })
  expect(tables['Timeline']?.[0]?.map(([, what]) => what)).toEqual([
    `started: sites create from ${hostile}.csv, by ana on till-1`,
    'set 1: sent',
    'set 1: refused (answered 400)',
    'set 2: sent',
    'no end was recorded: the program was killed, or the machine stopped',
    expect.stringMatching(/^resumed by /),
    'no end was recorded: the program was killed, or the machine stopped',
  ])
  expect(page.sections[0]).toMatchObject({command: `vendorctl runs reconcile ${id}`})
  for (const text of [renderTextPage(page), renderMarkdownPage(page, 1_000_000)]) {
    expect(text).toContain('ab'.repeat(32))
    for (const sign of ['<script', '\u202e', '\u001b']) expect(text).not.toContain(sign)
  }
})

test('a page holds 5,000 rows, and names the command that lists the others', ({folder}) => {
  const places = Array.from({length: 6_000}, (_, place) => place)
  const {journal} = makeRun(folder, {rows: 6_000}, [partOf(1, places)])
  journal.markSent(1)
  journal.transaction(() => journal.change(1, {state: 'confirmed', answer: '{"fate":"applied","ids":[]}', why: 'done'}))
  journal.close()

  const page = pageOf(folder)

  const [html, markdown] = [renderTextPage(page), renderMarkdownPage(page, 1_000_000)]
  expect(html.match(/<tr>/g)?.length).toBeLessThan(5_100)
  expect(html.length).toBeLessThan(1_500_000)
  expect(Buffer.byteLength(markdown)).toBeLessThan(1_048_576)
  for (const text of [html, markdown]) expect(text).toContain('1,000 more')
  expect(html).toContain(`vendorctl runs results ${id} --where _fate=applied`)
})
