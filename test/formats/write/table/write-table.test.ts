import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {allFieldsOf} from '../../../../src/contract/index.js'
import {widthOf} from '../../../../src/core/text-width.js'
import {type Column, columnsOf, toColumn} from '../../../../src/formats/columns.js'
import type {TableOptions} from '../../../../src/formats/write/table/table.js'
import {type JsonRecord, parseJson} from '../../../../src/values/json.js'
import {growthOf} from '../../../support/growth.js'
import {renderRecords} from '../../../support/records/write-records.js'

const id = toColumn(['id'], 'integer')
const name = toColumn(['name'], 'text')
const note = toColumn(['note'], 'text')

async function draw(records: JsonRecord[], options: TableOptions = {}, columns: readonly Column[] = [id, name, note]) {
  const {text, notes} = await renderRecords('table', columns, [records], options)
  return {header: text.slice(0, text.indexOf('\n') + 1), text, notes}
}

async function write(...given: Parameters<typeof draw>): Promise<string> {
  return (await draw(...given)).text
}

describe('a table', () => {
  test('aligns texts left and numbers right, with nothing after the last column', async () => {
    const records = [parseJson('{"id":7,"name":"Ferry Quay","note":"x"}'), parseJson('{"id":10.10,"name":"Mill"}')]

    expect(await write(records as JsonRecord[])).toBe('   id  name        note\n    7  Ferry Quay  x\n10.10  Mill\n')
  })

  test('shows nothing for no records', async () => {
    expect(await write([], {width: 5})).toBe('')
    expect((await draw([], {width: 5})).notes).toEqual([])
  })

  test('counts wide letters and emoji as two columns, and joined marks as none', async () => {
    const records = [
      {name: '自販機', note: 'a'},
      {name: '😀', note: 'b'},
      {name: 'e\u0301', note: 'c'},
    ]

    expect(await write(records, {}, [name, note])).toBe('name    note\n自販機  a\n😀      b\ne\u0301       c\n')
  })

  test('makes the header bold when color is asked for, and nothing else', async () => {
    expect(await write([{id: 1}], {color: true}, [id, name])).toBe('\u001b[1mid  name\u001b[22m\n 1\n')
  })

  test('cannot be told to forge lines or move the cursor', async () => {
    const text = await write([{id: 1, name: 'x\nDone\u001b[2J', note: '\u202eevil'}])

    expect(text.split('\n')).toHaveLength(3)
    expect(text).toContain('x\\nDone^[[2J')
    expect(text).toContain('\\u202eevil')
  })

  test('cuts nothing without a terminal, also when a later cell is wider', async () => {
    const long = 'x'.repeat(300)
    const pages = [[{name: 'a', note: 'b'}], [{name: long, note: 'c'}]]

    const {text} = await renderRecords('table', [name, note], pages, {lookAhead: 1})

    expect(text.endsWith(`\n${long}  c\n`)).toBe(true)
  })
})

test('a table takes time that is linear in its rows, also with many columns', async () => {
  const columns = Array.from({length: 200}, (_, place) => toColumn([`field${place}`], 'text'))
  const toRecords = (count: number) => Array.from({length: count}, (_, row) => ({field0: String(row), field199: 'x'}))

  expect(await growthOf((count) => write(toRecords(count), {}, columns), 100)).toBeLessThan(3)
})

describe('a terminal', () => {
  test('cuts texts in the end, so that every line fits', async () => {
    const records = [{id: 123456, name: 'a'.repeat(40), note: 'b'.repeat(10)}]

    expect(await write(records, {width: 40})).toBe(
      `${'id'.padStart(6)}  ${'name'.padEnd(20)}  note\n123456  ${'a'.repeat(19)}…  ${'b'.repeat(10)}\n`,
    )
  })

  test('leaves out columns that do not fit, and says so', async () => {
    const columns = Array.from({length: 9}, (_, index) => toColumn([`field${index}`], 'text'))
    const records = [Object.fromEntries(columns.map((column) => [column.name, 'v'.repeat(30)]))]
    const {header, notes} = await draw(records, {width: 80}, columns)

    expect(header.trim().split(/ +/)).toEqual(['field0', 'field1', 'field2', 'field3', 'field4'])
    expect(notes).toEqual([
      '4 columns do not fit the terminal: choose some with --columns, or all with -o csv or -o json',
    ])
  })

  test('cuts chosen columns further before it leaves one out', async () => {
    const columns = Array.from({length: 9}, (_, index) => toColumn([`field${index}`], 'text'))
    const records = [Object.fromEntries(columns.map((column) => [column.name, 'v'.repeat(30)]))]

    const {header, notes} = await draw(records, {width: 80, chosen: columns.map((column) => column.name)}, columns)

    expect(notes).toEqual([])
    expect(header.trim().split(/ +/)).toHaveLength(9)
  })

  test('cuts headers in the middle', async () => {
    const columns = [toColumn(['maxChargePrice'], 'boolean'), toColumn(['maximumMeterSalesJumpAllowed'], 'boolean')]

    const {header} = await draw([{maxChargePrice: true}], {width: 26}, columns)

    expect(header.trim().split(/ +/)).toEqual(['maxCha…Price', 'maximu…lowed'])
  })

  test('never shows two columns under one header', async () => {
    const all = columnsOf(allFieldsOf('machine'))
    const some = fc.shuffledSubarray(all, {minLength: 1})
    const records = [{enableCashSales: true, forceUpdate: false, mode: 'x'.repeat(30), id: 12}]

    await fc.assert(
      fc.asyncProperty(some, fc.integer({min: 20, max: 120}), fc.boolean(), async (columns, width, isChosen) => {
        const chosen = isChosen ? {chosen: columns.map((column) => column.name)} : {}
        const {header} = await draw(records, {width, ...chosen}, columns)
        const shown = header.trim().split(/ +/)

        expect(new Set(shown).size).toBe(shown.length)
        expect(widthOf(header.trimEnd())).toBeLessThanOrEqual(width)
      }),
    )
  })

  test('never cuts a number or a time', async () => {
    const at = toColumn(['at'], 'dateTime')
    const records = [{name: 'n'.repeat(50), at: '2024-07-30T18:07:05.477', id: 1234567890}]

    const text = await write(records, {width: 55}, [name, at, id])

    expect(text).toContain('2024-07-30T18:07:05.477')
    expect(text).toContain('1234567890')
  })

  test('never cuts an id, also one of letters', async () => {
    const run = toColumn(['id'], 'text')
    const records = [{id: '20260131-174502-1c84f', name: 'n'.repeat(50)}]

    expect(await write(records, {width: 40}, [run, name])).toContain('20260131-174502-1c84f')
  })

  test('never cuts the id of another record, or a command: what does not fit is left out and counted', async () => {
    const [other, command] = [toColumn(['siteId'], 'text'), {...toColumn(['command'], 'text'), isWhole: true}]
    const records = [{siteId: '20260131-174502-1c84f', name: 'n'.repeat(50), command: `vendorctl ${'c'.repeat(30)}`}]

    const wide = await write(records, {width: 80}, [other, name, command])
    const narrow = await write(records, {width: 60}, [other, name, command])

    expect(wide).toContain('20260131-174502-1c84f')
    expect(wide).toContain(`vendorctl ${'c'.repeat(30)}`)
    expect(narrow).toContain('20260131-174502-1c84f')
    expect(narrow).not.toContain('vendorctl')
  })

  test('cuts even a number when it alone is wider than the terminal', async () => {
    expect(await write([{id: 1234567890}], {width: 6}, [id])).toBe('    id\n12345…\n')
  })

  test('fits, whatever the records hold, and lets no control character through', async () => {
    const odd = fc.constantFrom('\u001b[0m', '\u009b', '自', '👨‍👩‍👧', '…', 'é', '\n', '\u202e', '🇩🇪', 'e\u0301')
    const text = fc.array(fc.oneof(odd, fc.string({unit: 'binary', maxLength: 9})), {maxLength: 6})
    const record = fc.record({id: fc.integer(), name: text.map((parts) => parts.join('')), note: fc.string()})

    await fc.assert(
      fc.asyncProperty(fc.array(record, {maxLength: 5}), fc.integer({min: 14, max: 90}), async (records, width) => {
        const lines = (await write(records, {width})).split('\n')

        expect(lines).toHaveLength(records.length === 0 ? 1 : records.length + 2)
        for (const line of lines) {
          expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}]/u)
          expect(line).toBe(line.trimEnd())
          expect(widthOf(line)).toBeLessThanOrEqual(width)
        }
      }),
    )
  })
})

test('a name of 32,000 different wide letters, or of one letter and as many marks, is cut at 4,000 columns', async () => {
  const wide = Array.from({length: 32_000}, (_, place) => String.fromCodePoint(0x4e00 + (place % 20_000))).join('')
  const marked = `e${'\u0301'.repeat(32_000)}`

  const text = await write(
    [
      {name: wide, id: 1},
      {name: marked, id: 2},
    ],
    {},
    [name, id],
  )

  expect(text.split('\n')[1]).toBe(`${wide.slice(0, 1_999)}…    1`)
  expect(text.endsWith(' 2\n')).toBe(true)
})
