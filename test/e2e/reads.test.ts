import {parse} from 'csv-parse/sync'
import {describe, expect} from 'vitest'
import {type ReadId, readIds, readOperation} from '../../src/contract/index.js'
import {requestsOf, test} from '../support/binary.js'
import {headerOf} from '../support/headers.js'

const reads = readIds
const small = {batches: 40, machines: 20}

/** The words of the command of a read. */
function wordsOf(id: ReadId): string[] {
  return readOperation(id).command.split(' ')
}

/** A list with filters, one of rows within records, and one of nested fields. */
const chosen: readonly ReadId[] = ['machines.list', 'reports.transactions', 'templates.selections']

test.concurrent.for(reads)('the rows of %s have the columns of the specification', async (id, {start}) => {
  const {run} = await start(small)

  const ran = await run([...wordsOf(id), '-o', 'csv', '-q'])

  expect(ran).toMatchObject({exitCode: 0, stderr: ''})
  const [header, ...rows] = parse(ran.stdout) as string[][]
  expect(header).toEqual(headerOf(id))
  expect(rows.length).toBeGreaterThan(3)
})

describe.concurrent.for(chosen)('%s', (id) => {
  test('prints one whole document or table in every format, and nothing else', async ({start}) => {
    const {run} = await start(small)
    const print = (format: string) => run([...wordsOf(id), '-o', format, '-q'])

    const [json, ndjson, csv, tsv, table, markdown] = await Promise.all(
      ['json', 'ndjson', 'csv', 'tsv', 'table', 'markdown'].map(print),
    )

    for (const ran of [json, ndjson, csv, tsv, table, markdown]) expect(ran).toMatchObject({exitCode: 0, stderr: ''})
    const records = JSON.parse(json?.stdout ?? '') as unknown[]
    expect(toLines(ndjson?.stdout).map((line) => JSON.parse(line))).toEqual(records)
    const rows = parse(csv?.stdout ?? '') as string[][]
    expect(rows.length - 1).toBeGreaterThanOrEqual(records.length)
    expect(parse(tsv?.stdout ?? '', {delimiter: '\t'})).toEqual(rows)
    expect(table?.stdout).not.toContain('\u001b')
    expect(markdown?.stdout.startsWith(`| ${headerOf(id)[0]}`)).toBe(true)
  })

  test('exits 9 when nothing is there and that is a failure', async ({start}) => {
    const {run, sandbox} = await start({world: 'empty'})

    const ran = await run([...wordsOf(id), '--fail-on-empty', '--json'])

    expect(ran.exitCode).toBe(9)
    expect(ran.stderr).toContain('nothing matched')
    expect(JSON.parse(ran.stdout)).toMatchObject({ok: false, data: [], errors: [{code: 'EMPTY', exit: 9}]})
    expect(requestsOf(sandbox)).toEqual({'auth.login': 1, [id]: 1})
  })
})

function toLines(text = ''): string[] {
  return text.split('\n').filter(Boolean)
}

test('a problem of a read is annotated once in GitHub Actions, and a limit is none', async ({run}) => {
  const environment = {GITHUB_ACTIONS: 'true'}

  const missing = await run(['sites', 'list', '--site', '999999', '--fail-on-missing'], {environment})
  const wrong = await run(['sites', 'list', '--where', 'foo=1', '--json'], {environment})
  const cut = await run(['sites', 'list', '--limit', '1', '--json'], {environment})

  const annotationsOf = ({stderr}: {stderr: string}) => stderr.split('\n').filter((line) => line.startsWith('::'))
  expect([missing, wrong, cut].map(annotationsOf)).toEqual([
    [expect.stringMatching(/^::error title=\w+::.*1 site not found: 999999/)],
    [expect.stringMatching(/^::error title=\w+::no column is called "foo"/)],
    [],
  ])
  expect(JSON.parse(cut.stdout)).toMatchObject({meta: {truncated: true}, warnings: []})
})
