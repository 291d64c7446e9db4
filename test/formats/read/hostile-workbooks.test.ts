import {Readable} from 'node:stream'
import {describe, expect, test} from 'vitest'
import {readRows} from '../../../src/formats/read/read-rows.js'
import {toLetters} from '../../../src/values/place.js'
import {failureOf} from '../../support/client.js'
import {growthOf} from '../../support/growth.js'
import {formats, link, type MadeWorkbook, makeWorkbook, relations, row, text} from '../../support/make-workbook.js'

const head = row(1, [text('A1', 'a')])
const repeat = (count: number, make: (place: number) => string) =>
  Array.from({length: count}, (_, at) => make(at)).join('')

async function readAll(bytes: Buffer): Promise<{rows: number; unreadable: number}> {
  const {rows} = await readRows('-', {stdin: Readable.from([bytes])})
  const found = {rows: 0, unreadable: 0}
  for await (const stretch of rows) {
    found.rows += stretch.length
    for (const each of stretch) if (each.kind === 'cells') found.unreadable += each.unreadable?.size ?? 0
  }
  return found
}

const merges = (refs: readonly string[]) =>
  `<mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
const letters = (count: number) => Array.from({length: count}, (_, place) => toLetters(place))
const names = (count: number) =>
  row(
    1,
    letters(count).map((each) => text(`${each}1`, `n${each}`)),
  )

describe('a workbook of twice the size takes twice the time', () => {
  test.each<[string, number, (n: number) => MadeWorkbook]>([
    [
      'blanks within a text',
      50_000,
      (n) => ({sheets: [{rows: head + row(2, [`<c r="A2" t="inlineStr"><is><t>x${' '.repeat(n)}x</t></is></c>`])}]}),
    ],
    [
      'rows below a merged range',
      8_000,
      (n) => ({
        sheets: [
          {
            rows:
              names(n) +
              row(
                2,
                letters(n).map((each) => text(`${each}2`, 'x')),
              ),
            after: merges([`A1:${toLetters(n - 1)}2`]),
          },
        ],
      }),
    ],
    [
      'merged ranges over all rows',
      8_000,
      (n) => ({
        sheets: [
          {
            rows: head + repeat(n, (at) => row(at + 2, [text(`A${at + 2}`, 'x')])),
            after: merges(letters(Math.min(n, 16_000)).map((each) => `${each}1:${each}9999`)),
          },
        ],
      }),
    ],
  ])('%s', async (_what, size, make) => {
    const growth = await growthOf(async (n) => readAll(await makeWorkbook(make(n))), size)

    expect(growth).toBeLessThan(3)
  })
})

describe('a workbook with more than any program writes is refused', () => {
  const wide = letters(300).map((each) => text(`${each}2`, 'x'))

  test.each<[string, MadeWorkbook, string]>([
    [
      'a long number format',
      {sheets: [{rows: head}], styles: formats('['.repeat(100_000))},
      'a number format of more than 255 characters',
    ],
    [
      'cells beyond the header',
      {sheets: [{rows: head + row(2, wide)}]},
      'more than 100 values are right of the last named column, A',
    ],
    [
      'merged ranges',
      {sheets: [{rows: head, after: merges(Array.from({length: 65_001}, (_, at) => `A${at + 2}:B${at + 2}`))}]},
      'more than 65,000 merged ranges',
    ],
    ['sheets', {sheets: Array.from({length: 1_001}, (_, at) => ({name: `s${at}`}))}, 'more than 1,000 sheets'],
    [
      'sheets of one part',
      {
        sheets: [{name: 'a'}, {name: 'b'}],
        parts: {
          'xl/_rels/workbook.xml.rels': relations(
            ['s0', 's1'].map((id) => link(id, 'worksheet', 'worksheets/sheet0.xml')),
          ),
        },
      },
      'several of its sheets are the same part',
    ],
  ])('%s', async (_what, made, message) => {
    const failure = await failureOf(makeWorkbook(made).then(readAll))

    const entries = (failure.entries ?? []).map((each) => each.message)
    expect(failure.exit).toBe('invalid')
    expect([failure.message, ...entries].join('\n')).toContain(message)
  })

  test('what stands below a merged range and beyond a few columns is a problem of its cell', async () => {
    const made = {
      sheets: [
        {
          rows:
            names(2) +
            row(
              2,
              ['A', 'B', 'C'].map((each) => text(`${each}2`, 'x')),
            ),
          after: merges(['A1:B2']),
        },
      ],
    }

    expect(await readAll(await makeWorkbook(made))).toEqual({rows: 1, unreadable: 3})
  })
})
