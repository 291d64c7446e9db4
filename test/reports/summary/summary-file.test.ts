import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {gzipSync} from 'node:zlib'
import {beforeEach, describe, expect, test} from 'vitest'
import {createSummary, toGroupRecords} from '../../../src/reports/summary/count-lines.js'
import {neededFields} from '../../../src/reports/summary/summary-fields.js'
import {summarizeFile} from '../../../src/reports/summary/summary-file.js'
import {makeFolder} from '../../support/folder.js'

let folder: string

beforeEach(() => {
  folder = makeFolder()
})
const time = '2024-07-30T18:07:05'
const item = (price: string, more = '') =>
  `{"id":1,"productId":8,"quantity":1,"totalPrice":${price},"taxCharged":0.10,"commission":0,"vendWasSuccessful":true,"occurredAtLocalTime":"${time}"${more}}`
const batches = [
  `{"id":"B1","siteId":1,"lineItems":[${item('10.10')},${item('0.05')}]}`,
  '{"id":"B2","siteId":2,"lineItems":[]}',
]
const lines = [
  `{"id":"B1","siteId":1,"lineItem":${item('10.10')}}`,
  `{"id":"B1","siteId":1,"lineItem":${item('0.05')}}`,
  '{"id":"B2","siteId":2}',
]
const header = ['siteId', ...neededFields(['day'])]
const cells = (price: string) => ['1', 'B1', time, 'true', '1', price, '0.10', '0']
const table = (delimiter: string) =>
  [header, cells('10.10'), cells('0.05'), ['2', 'B2', '', '', '', '', '', '']]
    .map((row) => row.join(delimiter))
    .join('\n')
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

async function summarize(name: string, content: string | Buffer) {
  const path = join(folder, name)
  writeFileSync(path, content)
  const summary = createSummary([['site']], {isMixed: true})
  await summarizeFile(path, summary)
  return JSON.stringify(
    toGroupRecords(summary.groupings().flat()).map(({siteId, batches, lines, totalPrice}) => ({
      siteId,
      batches,
      lines,
      totalPrice,
    })),
  )
}

const right =
  '[{"siteId":1,"batches":1,"lines":2,"totalPrice":10.15},{"siteId":2,"batches":1,"lines":0,"totalPrice":0}]'

describe('an exported file is summed', () => {
  test.for([
    ['a.csv', table(',')],
    ['a.csv', `\ufeff${table(';')}\r\n`],
    ['a.tsv', table('\t')],
    ['a.ndjson', batches.join('\n')],
    ['a.ndjson', `${lines.slice(0, 2).join('\n')}\n${lines[2]?.replace('}', ',"lineItem":null}')}`],
    ['a.json', `[${batches.join(',')}]`],
    ['a.csv', `id,siteId,lineItems\n${quoted('B1')},1,${quoted(`[${item('10.10')},${item('0.05')}]`)}\nB2,2,`],
    ['a.csv.gz', gzipSync(table(','))],
    ['a.csv', gzipSync(table(','))],
    ['a.tsv.gz', gzipSync(table('\t'))],
    ['a.NDJSON.GZ', Buffer.concat(batches.map((batch) => gzipSync(`${batch}\n`)))],
  ] as const)('%s', async ([name, content]) => {
    expect(await summarize(name, content)).toBe(right)
  })

  test.for([
    ['a.ndjson', ''],
    ['a.ndjson.gz', gzipSync('')],
    ['a.json', '[]'],
    ['a.csv', `${header.join(',')}\n`],
  ] as const)('%s of a day without records', async ([name, content]) => {
    expect(await summarize(name, content)).toBe('[]')
  })

  test('from standard input, packed, in small pieces', async () => {
    const packed = gzipSync(table(','))
    const pieces = Array.from({length: packed.length}, (_, at) => packed.subarray(at, at + 1))
    const summary = createSummary([['site']], {isMixed: true})

    await summarizeFile('-', summary, {stdin: Readable.from(pieces)})

    expect(toGroupRecords(summary.groupings().flat()).map(({siteId}) => siteId)).toEqual([1, 2])
  })

  test.for([
    ['\ufeff', '\r\n', '=SUM(1)'],
    ['', '\n', "'=SUM(1)"],
  ])('with names as they were before %j escaped them', async ([mark, lineEnding, name]) => {
    const path = join(folder, 'a.csv')
    const rows = [
      ['siteName', ...header],
      ["'=SUM(1)", ...cells('1')],
    ].map((row) => row.join(','))
    writeFileSync(path, mark + rows.join(lineEnding))
    const summary = createSummary([['site']], {isMixed: true})

    await summarizeFile(path, summary)

    expect(toGroupRecords(summary.groupings().flat())).toMatchObject([{siteId: 1, siteName: name}])
  })

  test('with any delimiter that its manifest names', async () => {
    const text = table('~')
    const asked = ['2024-07-01T00:00:00', '2024-07-02T00:00:00']
    const manifest = {
      ...{schema: 'vendorctl-manifest/1', file: 'tilde.csv', format: 'csv', grade: 'A', digest: 'sha256:0', rows: 3},
      ...{bytes: Buffer.byteLength(text), range: {asked}, windows: []},
      dialect: {name: 'rfc4180', delimiter: '~', escapesFormulas: false},
    }
    writeFileSync(join(folder, 'tilde.csv.manifest.json'), JSON.stringify(manifest))

    expect(await summarize('tilde.csv', text)).toBe(right)
  })

  test('with the columns in any order and case, and others beside them', async () => {
    const rows = [header, cells('10.10')].map((row) => [...row, 'x'].reverse().join(','))
    rows[0] = rows[0]?.toUpperCase() ?? ''

    expect(await summarize('a.csv', rows.join('\n'))).toContain('"totalPrice":10.10')
  })
})

describe('a file that cannot be summed is refused, and it is said why', () => {
  test('columns that are missing, by name', async () => {
    const text = table(',').replaceAll('lineItem.totalPrice', 'price').replace('siteId', 'site')

    await expect(summarize('a.csv', text)).rejects.toMatchObject({
      code: 'MISSING_COLUMN',
      exit: 'invalid',
      message: expect.stringMatching(/it has no column siteId, no column lineItem\.totalPrice$/),
    })
  })

  test.for([
    ['a.ndjson', '{"id":5001,"name":"a machine"}', 'no siteId, no lineItem.vendWasSuccessful, no lineItem.quantity', 1],
    ['a.ndjson', `${batches[0]}\n5`, 'no record', 2],
    ['a.json', `[${batches[0]},\n${batches[0]?.replace('10.10', '"x"')}]`, 'no number in lineItem.totalPrice', 2],
    ['a.ndjson', `${batches[0]}\n{"id"`, 'JSON', 2],
    ['a.ndjson', `${batches[0]}\n${batches[0]}}`, 'JSON', 2],
    ['a.ndjson', `${batches[0]}\n${batches[0]?.replace('"quantity":1,', '')}`, 'no lineItem.quantity', 2],
    ['a.ndjson', `${batches[0]}\n${batches[0]?.replace('"siteId":1,', '"id":"B1",')}`, 'appears twice', 2],
    ['a.csv', table(',').replace('0.05', '1e5x'), 'no number in lineItem.totalPrice', 3],
    ['a.csv', 'id,siteId,lineItems\nB1,1,[', 'no JSON in lineItems', 2],
    ['a.csv', table(',').slice(0, -4), '4 cells, but the header names 8 columns', 4],
  ] as const)('%s with %s', async ([name, text, why, line]) => {
    const refused = summarize(name, text)

    await expect(refused).rejects.toMatchObject({
      exit: 'invalid',
      entries: [{line, message: expect.stringContaining(why)}],
    })
  })

  test('one that is shorter than its manifest says', async () => {
    const facts = {schema: 'vendorctl-manifest/1', file: 'a.csv', format: 'csv', digest: 'sha256:', grade: 'A'}
    const manifest = {...facts, bytes: 5_000, rows: 90, range: {asked: ['', '']}, windows: []}
    writeFileSync(join(folder, 'a.csv.manifest.json'), JSON.stringify(manifest))

    await expect(summarize('a.csv', table(','))).rejects.toMatchObject({code: 'NOT_AS_ITS_MANIFEST', exit: 'invalid'})
  })

  test.for<[string, string, string | undefined]>([
    ['a.csv', 'id,adjustmentOccurredAt\n1,2024-07-01T00:00:00', undefined],
    ['a.ndjson', '{"id":1,"adjustmentOccurredAt":"2024-07-01T00:00:00"}', undefined],
    ['a.csv', table(','), 'reports.inventory'],
  ])('%s of another report: %s', async ([name, text, report]) => {
    const facts = {schema: 'vendorctl-manifest/1', file: name, format: 'csv', digest: 'sha256:', grade: 'A', report}
    const manifest = {...facts, bytes: 1, rows: 1, range: {asked: ['', '']}, windows: []}
    if (report) writeFileSync(join(folder, `${name}.manifest.json`), JSON.stringify(manifest))

    await expect(summarize(name, text)).rejects.toMatchObject({
      ...{code: 'MISSING_COLUMN', exit: 'invalid'},
      message: expect.stringContaining('it contains the inventory report; only transactions can be summarized'),
    })
  })

  test('one that gzip did not end', async () => {
    await expect(summarize('a.csv.gz', gzipSync(table(',')).subarray(0, 60))).rejects.toMatchObject({
      code: 'UNREADABLE_FILE',
      exit: 'invalid',
    })
  })

  test('one that is not there', async () => {
    const summary = createSummary([['day']], {isMixed: true})

    await expect(summarizeFile(join(folder, 'no.csv'), summary)).rejects.toMatchObject({exit: 'invalid'})
  })
})

test('stops after the stretch in which it is asked to', async () => {
  const path = join(folder, 'lines.csv')
  writeFileSync(path, table(','))
  const stopped = new AbortController()
  const reason = new Error('Stopped by Ctrl-C.')
  const onRows = () => stopped.abort(reason)

  await expect(
    summarizeFile(path, createSummary([['site']], {isMixed: true}), {onRows, signal: stopped.signal}),
  ).rejects.toBe(reason)
})
