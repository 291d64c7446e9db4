import {chmod, mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {describe, expect, test} from 'vitest'

import {type ReadOptions, readRows} from '../../../src/formats/read/read-rows.js'
import {maximumRecordBytes, type Row} from '../../../src/formats/read/row.js'
import {printJson} from '../../../src/values/json.js'
import {failureOf} from '../../support/client.js'
import {useInputFiles} from '../../support/input-files.js'

const files = useInputFiles()

type Short = [number, unknown]

async function readAll(path: string, options?: ReadOptions): Promise<{header?: string[]; rows: Short[]}> {
  const {header, rows} = await readRows(path, options)
  const all: Short[] = []
  for await (const stretch of rows) all.push(...stretch.map(shorten))
  return {...(header && {header: [...header.cells]}), rows: all}
}

function shorten(row: Row): Short {
  if (row.kind === 'cells') return [row.line, row.cells]
  return [row.line, row.kind === 'value' ? printJson(row.value) : `broken: ${row.why}`]
}

function fromStdin(...chunks: (string | Buffer)[]): ReadOptions {
  return {stdin: Readable.from(chunks.map((chunk) => Buffer.from(chunk)))}
}

const utf16be = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()

describe('tables', () => {
  test.each([
    ['LF', 'a,b\n1,2\n3,4\n'],
    ['CRLF', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['CR', 'a,b\r1,2\r3,4\r'],
    ['no end of line at the end', 'a,b\n1,2\n3,4'],
    ['mixed ends', 'a,b\r\n1,2\n3,4\r'],
    ['semicolons', 'a;b\n1;2\n3;4\n'],
    ['tabs', 'a\tb\n1\t2\n3\t4\n'],
    ['a byte order mark', '\uFEFFa,b\n1,2\n3,4\n'],
    ['UTF-16 LE', Buffer.from('\uFEFFa,b\n1,2\n3,4\n', 'utf16le')],
    ['UTF-16 BE', utf16be('a,b\n1,2\n3,4\n')],
  ])('with %s', async (_name, content) => {
    const path = await files.write('table.csv', content)

    expect(await readAll(path)).toEqual({
      header: ['a', 'b'],
      rows: [
        [2, ['1', '2']],
        [3, ['3', '4']],
      ],
    })
  })

  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('the line is where a row starts, after quoted line ends (%s)', async (_name, end) => {
    const lines = ['a,b', '"one', '', 'two",2', '', '3,"x', 'y"', '4,5']
    const path = await files.write('quoted.csv', lines.join(end))

    const {rows} = await readAll(path)

    expect(rows.map(([line]) => line)).toEqual([2, 6, 8])
    expect(rows[0]?.[1]).toEqual([`one${end}${end}two`, '2'])
  })

  test.each([
    ['LF', 'a\n\n""\n\n'],
    ['CRLF', 'a\r\n\r\n""\r\n\r\n'],
    ['CR', 'a\r\r""\r\r'],
  ])('a blank line is null where it is said, in one column only (%s)', async (_name, content) => {
    const path = await files.write('one.csv', content)
    const wider = await files.write('two.csv', content.replaceAll(/a|""/g, '$&,b'))

    expect((await readAll(path, {blankIsNull: true})).rows).toEqual([
      [2, ['']],
      [3, ['']],
      [4, ['']],
    ])
    expect((await readAll(path)).rows).toEqual([[3, ['']]])
    expect((await readAll(wider, {blankIsNull: true})).rows).toEqual([[3, ['', 'b']]])
  })

  test('lines stay right however the text is cut into chunks', async () => {
    const text = 'a,b\r\n"é\r\n😀",2\r\n\r\n3,"""x\n"\r\n5,6\r\n'
    const whole = await readAll('-', fromStdin(text))

    for (let size = 1; size <= 7; size++) {
      const bytes = Buffer.from(text)
      const chunks = Array.from({length: Math.ceil(bytes.length / size)}, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      expect(await readAll('-', fromStdin(...chunks))).toEqual(whole)
    }

    expect(whole.rows.map(([line]) => line)).toEqual([2, 5, 7])
  })

  test('lines stay right over many stretches, with one quoted line end among them', async () => {
    const lines = Array.from({length: 60_000}, (_, index) => (index === 40_000 ? '"a\nb",x' : `${index},x`))
    const path = await files.write('long.csv', `n,x\n${lines.join('\n')}\n`)

    const {rows} = await readAll(path)

    expect(rows[39_999]?.[0]).toBe(40_001)
    expect(rows[40_001]?.[0]).toBe(40_004)
    expect(rows.at(-1)?.[0]).toBe(60_002)
  })

  test('a spreadsheet that names its delimiter', async () => {
    const path = await files.write('sep.csv', 'sep=;\r\na;b\r\n1,5;2\r\n')

    expect(await readAll(path)).toEqual({header: ['a', 'b'], rows: [[3, ['1,5', '2']]]})
  })

  test('a header without rows has no rows', async () => {
    const path = await files.write('header.csv', 'a,b\n')

    expect(await readAll(path)).toEqual({header: ['a', 'b'], rows: []})
  })

  test('another encoding, when it is named', async () => {
    const path = await files.write('western.csv', Buffer.from('name\nCaf\xe9 \x93Zum Euro\x94 5 \x80\n', 'latin1'))

    expect((await readAll(path, {encoding: 'windows-1252'})).rows).toEqual([[2, ['Café “Zum Euro” 5 €']]])
  })

  test('the rows before an unclosed quote are not lost', async () => {
    const {rows} = await readRows('-', fromStdin('a,b\n1,2\n3,"4\n5,6\n'))
    const seen: Row[] = []

    const failure = await failureOf(
      (async () => {
        for await (const stretch of rows) seen.push(...stretch)
      })(),
    )

    expect(seen.map(({line}) => line)).toEqual([2])
    expect(failure.entries).toMatchObject([{code: 'UNCLOSED_QUOTE', file: 'stdin', line: 3, column: 2}])
  })
})

test('the apostrophe of escaped formulas is taken off for the excel dialect, and only then', async () => {
  const path = await files.write('excel.csv', "\uFEFFa,b\r\n'=1+1,''=x\r\n'-a,'t Hof\r\n-5,'5\r\n")
  const cellsOf = async (dialect?: 'excel') => (await readAll(path, {dialect})).rows.flatMap(([, cells]) => cells)

  expect(await cellsOf('excel')).toEqual(['=1+1', "'=x", '-a', "'t Hof", '-5', "'5"])
  expect(await cellsOf()).toEqual(["'=1+1", "''=x", "'-a", "'t Hof", '-5', "'5"])
})

describe('JSON', () => {
  test('an array: digits are kept, the line is where the element starts', async () => {
    const path = await files.write(
      'sites.json',
      '\uFEFF[\n  {"a": 10.10,\n "b": "],{"},\n\n  9007199254740993, {"é":\n[1]}]\n',
    )

    expect(await readAll(path)).toEqual({
      rows: [
        [2, '{"a":10.10,"b":"],{"}'],
        [5, '9007199254740993'],
        [5, '{"é":[1]}'],
      ],
    })
  })

  test('an array that comes byte by byte', async () => {
    const text = '[{"a":"\\"\\\\"},\n{"b":{"c":[1,2]}},null]'

    const {rows} = await readAll('-', fromStdin(...Array.from(text)))

    expect(rows).toEqual([
      [1, '{"a":"\\"\\\\"}'],
      [2, '{"b":{"c":[1,2]}}'],
      [2, 'null'],
    ])
  })

  test('an empty array has no rows', async () => {
    expect(await readAll('-', fromStdin(' [ ] '))).toEqual({rows: []})
  })

  test('an element that is not JSON, or missing, is one broken row', async () => {
    expect((await readAll('-', fromStdin('[{"a":1},\n{"a":},\n,{"a":2}]'))).rows).toEqual([
      [1, '{"a":1}'],
      [2, 'broken: not JSON'],
      [3, 'broken: no record between two commas'],
      [3, '{"a":2}'],
    ])
  })

  test('NDJSON: one broken line does not hide the others', async () => {
    const path = await files.write('sites.ndjson', '{"a":1e400}\r\n\n{"a":}\n{"a":3}')

    expect((await readAll(path)).rows).toEqual([
      [1, '{"a":1e400}'],
      [3, 'broken: not JSON'],
      [4, '{"a":3}'],
    ])
  })
})

describe('refused', () => {
  test.each([
    ['empty.csv', '', 'EMPTY_FILE', undefined],
    ['blank.csv', '\n\n', 'EMPTY_FILE', undefined],
    ['empty.json', ' \n', 'EMPTY_FILE', undefined],
    ['empty.ndjson', '\n', 'EMPTY_FILE', undefined],
    ['object.json', '\n{"a":1}', 'NOT_JSON', 2],
    ['word.json', 'hello', 'NOT_JSON', 1],
    ['open.json', '[{"a":1},\n{"a":2}', 'NOT_JSON', 2],
    ['more.json', '[{"a":1}]\nx', 'NOT_JSON', 2],
    ['bracket.json', '[1}]', 'NOT_JSON', 1],
    ['nul.csv', 'a,b\n1,\u0000\n', 'BINARY_FILE', 2],
    ['utf16-without-mark.csv', Buffer.from('a,b\n', 'utf16le'), 'BINARY_FILE', 1],
    ['workbook.csv', Buffer.from('PK\u0003\u0004rest'), 'DAMAGED_WORKBOOK', undefined],
    ['rows.parquet', Buffer.from('PAR1\u0015\u0004rest'), 'BINARY_FILE', undefined],
    ['rows.db', Buffer.from('SQLite format 3\u0000rest'), 'BINARY_FILE', undefined],
    ['latin.csv', Buffer.from('a\nok\nCaf\xe9\nok\n', 'latin1'), 'BAD_ENCODING', 3],
    ['cut.csv', Buffer.from('a\nCaf\xc3', 'latin1'), 'BAD_ENCODING', 2],
    ['unclosed.csv', '"a,b\n1,2\n', 'UNCLOSED_QUOTE', 1],
    ['stray.csv', 'a,b\n1,5" pipe\n', 'STRAY_QUOTE', 2],
    ['after.csv', 'a,b\n1,"5" pipe\n', 'STRAY_QUOTE', 2],
  ])('%s', async (name, content, code, line) => {
    const path = await files.write(name, content)

    const failure = await failureOf(readAll(path))

    expect(failure).toMatchObject({code, exit: 'invalid', changed: 'none'})
    expect(failure.message).toContain(name)
    expect(failure.entries[0]?.line).toBe(line)
  })

  test.each([
    ['packed.csv.gz', Buffer.from([0x1f, 0x8b, 8, 0]), /^Unpack it first/],
    ['envelope.json', '{\n  "schema": "vendorctl/1",\n', /^This is the output of --json/],
    ['envelope.txt', '{"schema":"vendorctl/1"}', /^This is the output of --json/],
    ['record.json', '{"schema":1}', /^Write \[ before the record/],
  ])('%s, with what to do', async (name, content, hint) => {
    const path = await files.write(name, content)

    expect((await failureOf(readAll(path))).hints).toEqual([expect.stringMatching(hint)])
  })

  test.each([
    ['title.csv', 'Sites\n\nid,name\n7,A\n', 3],
    ['named.csv', 'sep=;\nSites;\nid;name\n7;A\n', 2],
  ])('%s, whose columns are named below its first row, which is named and never used', async (name, content, row) => {
    const path = await files.write(name, content)
    const fitOf = (cells: readonly string[]) => (cells.includes('id') ? 'all' : 'none')

    expect(await failureOf(readRows(path, {fitOf}))).toMatchObject({
      code: 'HEADER_ROW',
      hints: [`If that row names the columns, add: --header-row ${row}`],
    })
    expect((await readAll(path, {fitOf, headerRow: row})).header).toEqual(['id', 'name'])
  })

  test('a missing file, a folder, an unreadable file', async () => {
    const locked = await files.write('locked.csv', 'a\n')
    const folder = join(files.folder(), 'folder.csv')
    await mkdir(folder)
    await chmod(locked, 0)

    expect((await failureOf(readRows('missing.csv'))).message).toBe('missing.csv: no such file')
    expect((await failureOf(readRows(folder))).message).toBe(`${folder}: a folder, not a file`)
    if (process.getuid?.() !== 0) {
      expect((await failureOf(readRows(locked))).message).toBe(`${locked}: no permission to read it`)
    }
  })

  test('a file that can be opened and not read', async () => {
    const failure = await failureOf(readRows('/proc/self/mem'))

    expect(failure).toMatchObject({
      code: 'UNREADABLE_FILE',
      exit: 'invalid',
      message: '/proc/self/mem: cannot be read (EIO)',
    })
  })

  test('the line of bytes that are none of an encoding', async () => {
    const lines = (bad: string) => ['id,name', ...Array.from({length: 60}, (_, row) => (row === 40 ? bad : `${row},é`))]
    const sjis = Buffer.from(lines('\u00ff').join('\n').replaceAll('é', 'e'), 'latin1')
    const half = Buffer.from(`\ufeff${lines('\ud800,x').join('\n')}`, 'utf16le')

    const failures = [
      await failureOf(readAll(await files.write('sj.csv', sjis), {encoding: 'shift_jis'})),
      await failureOf(readAll(await files.write('u16.csv', half))),
    ]

    expect(failures.map(({code, entries}) => [code, entries[0]?.line])).toEqual([
      ['BAD_ENCODING', 42],
      ['BAD_ENCODING', 42],
    ])
  })

  test('an encoding that does not exist', async () => {
    expect(await failureOf(readRows('-', {...fromStdin('a\n'), encoding: 'klingon'}))).toMatchObject({
      code: 'BAD_ENCODING',
      message: 'stdin: no such encoding: "klingon"',
    })
  })

  test.each([
    ['csv', 'a,b\n1,"'],
    ['csv', 'a,b\n1,'],
    ['json', '[{"a":"'],
    ['ndjson', '{"a":"'],
  ] as const)('a huge field of %s ends the reading soon after its limit', async (format, start) => {
    let given = 0
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from(start)
      for (; given < 20 * maximumRecordBytes; given += 65_536) yield Buffer.alloc(65_536, 'x')
    }

    const failure = await failureOf(readAll('-', {stdin: endless(), format}))

    expect(failure).toMatchObject({exit: 'invalid', entries: [{code: 'HUGE_RECORD', line: format === 'csv' ? 2 : 1}]})
    expect(given).toBeLessThan(2 * maximumRecordBytes)
  })
})

test.each([
  ['rows.csv', `id,name\n${'1,x\n'.repeat(50_000)}`],
  ['rows.ndjson', '{"id":1}\n'.repeat(50_000)],
])('%s is closed by whoever leaves it, also before its first row', async (name, text) => {
  const path = await files.write(name, text)
  const left: string[] = []
  const watched = (what: string) => ({
    async *through(bytes: AsyncIterable<Buffer>) {
      try {
        yield* bytes
      } finally {
        left.push(what)
      }
    },
  })

  await (await readRows(path, watched('untouched'))).rows.return()
  for await (const _ of (await readRows(path, watched('begun'))).rows) break

  expect(left).toEqual(['untouched', 'begun'])
})
