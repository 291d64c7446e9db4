import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {writeCells} from '../../../src/formats/write/dialect.js'
import {checkFile} from '../../../src/runs/check/check-file.js'
import {fixFile} from '../../../src/runs/check/fix-file.js'
import type {Problem} from '../../../src/validate/problem.js'
import {useInputFiles} from '../../support/input-files.js'
import {alertsOfMistakes, type MistakenTable, sitesOfMistakes} from '../../support/mistakes.js'
import {toTextWorkbook} from '../../support/text-workbook.js'

const files = useInputFiles()
const tables = [sitesOfMistakes, alertsOfMistakes]

/** Writes a table as a file, all cells as text. */
const writers = {
  csv: async (header: readonly string[], rows: readonly string[][]) =>
    [header, ...rows].map((cells) => writeCells(cells, ',')).join(''),
  xlsx: toTextWorkbook,
}
type Format = keyof typeof writers

async function check({operation, header}: MistakenTable, rows: readonly string[][], format: Format = 'csv') {
  const file = await files.write(`${operation}.${format}`, await writers[format](header, rows))
  return checkFile(operation, {file})
}

const at = (problems: readonly Problem[], place: {line: number; column: number}) =>
  problems.find(({line, column}) => line === place.line && column === place.column)

describe.each(tables)('200 rows of $operation', (table) => {
  const {operation, rows, mistakes} = table

  test.each(['csv', 'xlsx'] as const)('%s: every mistake is named by its cell, and nothing else', async (format) => {
    const {problems} = await check(table, rows, format)

    expect(mistakes.filter((mistake) => !at(problems, mistake))).toEqual([])
    expect(problems).toHaveLength(mistakes.length)
  })

  test.each(['csv', 'xlsx'] as const)('%s: what the messages say to write is right, in one round', async (format) => {
    const {problems} = await check(table, rows, format)
    const written = rows.map((cells) => [...cells])
    const wrong: unknown[] = []
    for (const mistake of mistakes) {
      const {write = []} = at(problems, mistake) ?? {}
      if (write.length > 0 && !write.includes(mistake.meant)) wrong.push({...mistake, write})
      const cells = written[mistake.line - 2] ?? []
      cells[mistake.column - 1] = write.length === 1 ? (write[0] ?? '') : mistake.meant
    }

    const again = await check(table, written, format)

    expect(wrong).toEqual([])
    expect(again).toMatchObject({problems: [], notices: []})
  })

  test('--fix writes what is certain, and leaves the rest', async () => {
    const {file, problems} = await check(table, rows)
    const out = join(files.folder(), `fixed-${operation}.csv`)
    const certain = mistakes.filter((mistake) => at(problems, mistake)?.write?.length === 1)

    await fixFile(operation, {file, out, overwrite: true})
    const after = await checkFile(operation, {file: out})

    expect(certain.filter((mistake) => at(after.problems, mistake))).toEqual([])
    expect(after.problems).toHaveLength(mistakes.length - certain.length)
    const lines = (await readFile(out, 'utf8')).split('\n')
    expect(certain.filter(({line, meant}) => !lines[line - 1]?.includes(meant))).toEqual([])
  })
})

test('a spreadsheet of 37 mistakes', () => {
  expect(sitesOfMistakes.mistakes).toHaveLength(37)
})
