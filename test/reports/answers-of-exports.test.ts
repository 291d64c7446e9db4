import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import type {Sandbox} from '../../src/sandbox/server.js'
import {failureOf} from '../support/client.js'
import {exportHere} from '../support/export.js'
import {test} from '../support/export-folder.js'

const route = 'reports.transactions'
const range = {start: '2024-06-01T00:00:00', end: '2024-06-30T23:59:59.999'}
const flags = {'page-size': 4, 'pages-in-flight': 1, 'no-boundary-checks': true} as const

/** A file as it is written when nothing goes wrong. */
async function wholeOf(sandbox: Sandbox, folder: string, more: object = {}): Promise<string> {
  const path = join(folder, 'whole.csv')
  await exportHere({sandbox, ...range, path, flags: {...flags, ...more}})
  return readFileSync(path, 'utf8')
}

describe('an answer that is not what was asked for is not written, and the same command ends in the same bytes', () => {
  test.for([
    ['another page', 'hdr(page,77)', 'unavailable'],
    ['more records than its page holds', 'hdr(size,3)', 'unavailable'],
    ['no total of pages', 'hdr(total-pages,many)', 'unavailable'],
    ['a range that ends before it begins', 'hdr(search-range-end-date,2024-01-01T00:00:00)', 'incomplete'],
    ['another range than that of the other pages', 'hdr(search-range-end-date,2024-06-20T00:00:00)', 'incomplete'],
    ['a range that nobody can read', 'hdr(search-range-start-date,soon)', 'unavailable'],
    ['no list', 'json({"records":[]})', 'unavailable'],
    ['errors in place of records', 'json([{"code":"DATA_ACCESS"}])', 'unavailable'],
    ['records that were not asked for', 'strip-get-body', 'incomplete'],
  ] as const)('%s, on the first page and on a later one', async ([_, fault, exit], {folder, start}) => {
    const sandbox = await start({batches: 60})
    const whole = await wholeOf(sandbox, folder)

    for (const nth of [1, 3]) {
      const path = join(folder, `x${nth}.csv`)
      sandbox.faults.set([`${fault}@${route}#${nth}`])
      const failure = await failureOf(exportHere({sandbox, ...range, path, flags}))
      const outcome = await exportHere({sandbox, ...range, path, flags})

      expect(failure.exit, `request ${nth}`).toBe(exit)
      expect(outcome.kind).toBe('written')
      expect(readFileSync(path, 'utf8')).toBe(whole)
    }
  })
})

test('a page across a boundary that is of another range proves nothing, and none of it is written', async ({
  folder,
  start,
}) => {
  const sandbox = await start({batches: 60})
  const path = join(folder, 'x.csv')
  const whole = await wholeOf(sandbox, folder)
  const checked = {...flags, 'no-boundary-checks': false}
  sandbox.faults.set([`strip-get-body@${route}#3`])

  const failure = await failureOf(exportHere({sandbox, ...range, path, flags: checked}))
  sandbox.faults.clear()
  const outcome = await exportHere({sandbox, ...range, path, flags: checked})

  expect(failure).toMatchObject({code: 'SERVED_RANGE', exit: 'incomplete'})
  expect(outcome.kind).toBe('written')
  expect(readFileSync(path, 'utf8')).toBe(whole)
})

test('a window of one page that was served no range is not taken for read', async ({folder, start}) => {
  const sandbox = await start({batches: 60})
  const path = join(folder, 'x.csv')
  const whole = await wholeOf(sandbox, folder)
  sandbox.faults.set([`hdr(search-range-end-date,2024-01-01T00:00:00)@${route}#1`])

  const failure = await failureOf(exportHere({sandbox, ...range, path}))
  const outcome = await exportHere({sandbox, ...range, path})

  expect(failure).toMatchObject({code: 'SERVED_RANGE', exit: 'incomplete'})
  expect(outcome.kind).toBe('written')
  expect(readFileSync(path, 'utf8')).toBe(whole)
})
