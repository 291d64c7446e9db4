import {createHash} from 'node:crypto'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {beforeEach, describe, expect, test} from 'vitest'
import {manifestName, manifestSchema, parseManifest} from '../../../src/reports/export/manifest.js'
import {verifyFile} from '../../../src/reports/verify/verify-file.js'
import {printJson} from '../../../src/values/json.js'
import {makeFolder} from '../../support/folder.js'

let folder: string

beforeEach(() => {
  folder = makeFolder()
})
/** A file with a manifest that tells of it as it is, but for the changes. */
function put(name: string, content: string | Buffer, changes: object): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  const range = {asked: ['2024-07-01T00:00:00', '2024-07-01T23:59:59.999']}
  const facts = {schema: manifestSchema, file: name, format: /\.(\w+)/.exec(name)?.[1], range, windows: [], grade: 'A'}
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`
  const manifest = {...facts, digest, bytes: Buffer.byteLength(content), dialect: null, ...changes}
  writeFileSync(manifestName(path), JSON.stringify(manifest))
  return path
}

describe('rows are counted', () => {
  test.for([
    ['a.csv', 'id,name\n1,"a\nb"\n2,\n', {rows: 2}],
    ['a.csv', '\ufeffid;name\r\n1;a\r\n', {rows: 1, dialect: {name: 'excel', delimiter: ';'}}],
    ['a.csv', 'id,name\n', {rows: 0}],
    ['a.tsv.gz', gzipSync('id\tname\n1\ta\n'), {rows: 1}],
    ['tab.csv', 'id\tname\n1\t"a,b"\n', {rows: 1, dialect: {name: 'rfc4180', delimiter: 'tab'}}],
    ['one.csv', 'name\n\nb\n""\n\n', {rows: 4}],
    ['one.csv', '\ufeffname\r\n\r\n="b"\r\n\r\n', {rows: 3, dialect: {name: 'excel', delimiter: null}}],
    ['one.csv.gz', gzipSync('name\n\na;b\n'), {rows: 2}],
    ['one.tsv', 'name\n\n', {rows: 1}],
    ['one.tsv.gz', gzipSync('name\n\n\n'), {rows: 2}],
    ['a.ndjson', '{"id":1}\n{"id":2}\n', {rows: 2}],
    ['a.ndjson', '', {rows: 0}],
    ['a.json', '[{"id":1},{"id":2}]', {rows: 2}],
  ] as const)('of %s', async ([name, content, changes]) => {
    const right = await verifyFile(put(name, content, changes))
    const edited = await verifyFile(put(name, content, {...changes, rows: 979}))

    expect(right.errors).toEqual([])
    expect(edited.errors).toMatchObject([
      {code: 'FILE_CHANGED', message: expect.stringContaining('lists 979 rows: the')},
    ])
  })
})

test.for([
  [{askedAs: ['2024-07-01T00:00:00', '2024-07-02T00:00:00']}, 'Export it again with --fresh --overwrite.'],
  [{}, 'Export it again with --fresh --overwrite.'],
  [
    {askedAs: ['since last nightly', 'open']},
    'Export its range into another file, with --start 2024-07-01T00:00:00 --end 2024-07-02T00:00:00 instead of --since-last nightly, which reads what is newer.',
  ],
  [
    {askedAs: ['since last all night', 'open'], timeBasis: 'utc'},
    "Export its range into another file, with --start 2024-07-01T00:00:00 --end 2024-07-02T00:00:00 --time-basis utc instead of --since-last 'all night', which reads what is newer.",
  ],
] as const)(
  'a changed file with %j in its manifest is read again in a way that reads it',
  async ([{timeBasis = 'local', ...given}, hint]: readonly [
    {askedAs?: readonly string[]; timeBasis?: string},
    string,
  ]) => {
    const range = {asked: ['2024-07-01T00:00:00', '2024-07-02T00:00:00'], ...given}

    const {errors} = await verifyFile(put('a.csv', 'id\n1\n', {rows: 1, bytes: 3, range, timeBasis}))

    expect(errors).toMatchObject([{code: 'FILE_CHANGED', hint}])
  },
)

test.for([
  ['a.csv', (rows: string[]) => `id,name\n${rows.map((row) => `1,"${row}\n"\n`).join('')}`],
  ['a.ndjson', (rows: string[]) => rows.map((row) => `{"id":"${row}"}\n`).join('')],
  ['a.json', (rows: string[]) => `[\n${rows.map((row) => `{"id":"${row}"}`).join(',\n')}\n]\n`],
] as const)('a long %s is read in stretches', async ([name, print]) => {
  const rows = Array.from({length: 5_000}, (_, index) => 'é'.repeat(index % 700))
  const content = Buffer.from(print(rows))
  const packed = gzipSync(content, {level: 1})

  expect((await verifyFile(put(name, content, {rows: 5_000}))).errors).toEqual([])
  expect((await verifyFile(put(`${name}.gz`, packed, {rows: 5_000}))).errors).toEqual([])
})

test.for([
  ['a.csv', 'id,name\n1,"a\n2,b\n'],
  ['nul.csv', 'id,name\n1,\0\n'],
  ['a.json', '[{"id":1}'],
  ['a.csv.gz', gzipSync('id\n1\n').subarray(0, -9)],
  ['a.csv', ''],
] as const)('%s that holds %j was changed, or cannot be counted', async ([name, content]) => {
  const changed = await verifyFile(put(name, content, {rows: 1, digest: `sha256:${'0'.repeat(64)}`}))

  expect(changed.errors).toMatchObject([{code: 'FILE_CHANGED', message: expect.stringContaining('checksum')}])
  await expect(verifyFile(put(name, content, {rows: 1}))).rejects.toMatchObject({exit: 'invalid'})
})

describe('what cannot be verified is named', () => {
  test.for([
    ['a folder', 'sub', /sub is a folder; name an exported file/],
    ['nothing', 'nowhere.csv', /^There is no file .*nowhere\.csv, and no manifest .*nowhere\.csv\.manifest\.json\.$/],
    ['a workbook', 'a.xlsx', /has no manifest: exports in this format cannot/],
    ['a database', 'a.db', /has no manifest: exports in this format cannot/],
    ['a file by itself', 'alone.csv', /^There is no manifest beside .*alone\.csv: /],
    ['a manifest that is cut', 'cut.csv', /cut\.csv\.manifest\.json is not JSON\.$/],
    ['a manifest that lacks something', 'half.csv', /half\.csv\.manifest\.json is not complete\.$/],
  ] as const)('%s', async ([, name, words]) => {
    mkdirSync(join(folder, 'sub'))
    for (const file of ['a.xlsx', 'a.db', 'alone.csv', 'cut.csv']) writeFileSync(join(folder, file), 'x')
    writeFileSync(join(folder, 'cut.csv.manifest.json'), '{"schema":')
    put('half.csv', 'id\n', {rows: 0, range: undefined})

    await expect(verifyFile(join(folder, name))).rejects.toMatchObject({
      message: expect.stringMatching(words),
      exit: 'invalid',
    })
  })
})

test('a file with an unreadable manifest may be one of --since-last, so its own command is not proposed', async () => {
  put('a.csv', 'id\n', {rows: 0, range: undefined})

  await expect(verifyFile(join(folder, 'a.csv'))).rejects.toMatchObject({
    hints: ['Export its range into another file, without --since-last; a manifest is written beside it.'],
  })
})

test('a manifest of an earlier version is of transactions, and one of a later version may be of what is not known', async () => {
  const [early, own] = [
    put('a.csv', 'id\n1\n', {rows: 1}),
    put('b.csv', 'id\n1\n', {rows: 1, report: 'reports.inventory'}),
  ]
  const late = put('c.csv', 'id\n1\n', {rows: 1, report: 'reports.later'})

  expect((await verifyFile(early)).manifest.report).toBe('reports.transactions')
  expect((await verifyFile(own)).manifest.report).toBe('reports.inventory')
  await expect(verifyFile(late)).rejects.toThrow(
    /c\.csv\.manifest\.json is of a report that this version does not know\.$/,
  )
})

test('the filters of a manifest keep every digit', () => {
  const filters = '{"siteIds":[9007199254740993]}'
  const path = put('a.csv', 'id\n', {rows: 0})
  const text = readFileSync(manifestName(path), 'utf8').replace(/\}$/, `,"filters":${filters}}`)

  expect(printJson(parseManifest(text, path).filters)).toBe(filters)
})
