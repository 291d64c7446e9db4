import {describe, expect, test} from 'vitest'
import {foldFor, foldText} from '../../../src/cli/terminal/fold-text.js'
import {foldCells, overWidth, toBlocks} from '../../../src/cli/terminal/simple-table.js'

const terminal = {isTTY: true, columns: 40}
const prose = 'Some words that are together longer than one line of a terminal is wide'

describe('folding', () => {
  test('breaks between words and indents what follows', () => {
    expect(foldText(`  ${prose}`, 40)).toBe(
      '  Some words that are together longer\n    than one line of a terminal is wide',
    )
  })

  test('keeps every word, whatever the width', () => {
    for (let width = 10; width < 80; width++) expect(foldText(prose, width).split(/\s+/)).toEqual(prose.split(' '))
  })

  test('what follows a label stands below what it labels', () => {
    expect(foldText('  Meaning   A record with this name already exists.', 40)).toBe(
      '  Meaning   A record with this name\n            already exists.',
    )
  })

  test('a command that ends a line stays whole, to be copied', () => {
    const line = '→ Find out about the rows: vendorctl runs reconcile latest'

    expect(foldText(line, 40)).toBe('→ Find out about the rows:\n  vendorctl runs reconcile latest')
  })

  test('each of several commands stays complete, and what follows it is broken as words are', () => {
    const line = 'Find out: vendorctl runs reconcile ID, then send the rest with: vendorctl runs resume ID. Show it.'

    expect(foldText(line, 44).split('\n')).toEqual([
      'Find out: vendorctl runs reconcile ID, then',
      '  send the rest with:',
      '  vendorctl runs resume ID. Show it.',
    ])
    const quoted = "Or: vendorctl sql 'select 1; then 2. And so on' --db x.db"
    expect(foldText(quoted, 40)).toBe("Or:\n  vendorctl sql 'select 1; then 2. And so on' --db x.db")
  })

  test.each([
    ['rows of tables', 'sites.csv:3:3  NAME_UNIQUENESS  index 1  A site with this name already exists'],
    ['a word without an end', 'x'.repeat(60)],
    ['lines that fit', 'short'],
  ])('%s stay as they are', (_, text) => {
    expect(foldText(text, 40)).toBe(text)
  })

  test('wide letters take two columns', () => {
    expect(foldText('渋谷駅前 渋谷駅前', 16)).toBe('渋谷駅前\n  渋谷駅前')
  })

  test('is for terminals alone', () => {
    expect(foldFor(terminal, prose)).not.toBe(prose)
    expect(foldFor({columns: 40}, prose)).toBe(prose)
    expect(foldFor({isTTY: true, columns: 0}, prose)).toBe(prose)
  })
})

describe('cells of a table', () => {
  const rows = [
    ['where', 'message'],
    ['sites.csv:3:3', 'A site with this name already exists in its account.'],
    ['sites.csv:4:3', 'short'],
  ]

  test('the widest give way and go on below', () => {
    expect(foldCells(rows, 40)).toEqual([
      ['where', 'message'],
      ['sites.csv:3:3', 'A site with this name'],
      ['', 'already exists in its'],
      ['', 'account.'],
      ['sites.csv:4:3', 'short'],
    ])
  })

  test('a column is as wide as the longest command in it', () => {
    const command = 'vendorctl sites create --file sites.csv'
    const folded = foldCells(
      [
        ['what', 'do'],
        ['a text that is long enough to fold', `Then: ${command}`],
      ],
      60,
    )

    expect(folded.flat()).toContain(command)
  })

  test('that fit stay as they are', () => {
    expect(foldCells(rows, 80)).toEqual(rows)
    expect(foldCells(rows, Number.POSITIVE_INFINITY)).toEqual(rows)
  })

  test('are never cut, however narrow the terminal is', () => {
    const words = (table: readonly (readonly string[])[]) =>
      table
        .flat()
        .flatMap((cell) => cell.split(' '))
        .filter(Boolean)

    for (let width = 1; width < 90; width++) expect(words(foldCells(rows, width)).sort()).toEqual(words(rows).sort())
  })

  test('that do not fit a line even so are shown in blocks', () => {
    const [headers = [], ...cells] = [
      ['user', 'password', 'key'],
      ['one', 'x'.repeat(30), 'y'.repeat(30)],
      ['two', '', 'z'],
    ]

    expect([60, 80].map((width) => overWidth([headers, ...cells], width))).toEqual([true, false])
    expect(toBlocks(headers, cells)).toBe(
      `user      one\npassword  ${'x'.repeat(30)}\nkey       ${'y'.repeat(30)}\n\nuser      two\nkey       z\n`,
    )
  })

  test('may be many', () => {
    const many = Array.from({length: 200_000}, (_, row) => [String(row), 'changed'])

    expect(foldCells(many, 80)).toHaveLength(200_000)
  })
})
