import {existsSync, readdirSync} from 'node:fs'
import {appendFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {WriteId} from '../../../src/contract/index.js'
import {checkFile} from '../../../src/runs/check/check-file.js'
import {openReport} from '../../../src/runs/check/report-file.js'
import {failureOf} from '../../support/client.js'
import {useInputFiles} from '../../support/input-files.js'
import {makeWorkbook, row, text} from '../../support/make-workbook.js'
import {readWorkbook, type Sheet} from '../../support/workbook.js'
import {header, site} from '../sites.js'

const files = useInputFiles()
const bad = 'FFFFC7CE'
const doubtful = 'FFFFEB9C'

async function report(
  name: string,
  content: string | Buffer,
  operation: WriteId = 'sites.create',
  changeBefore?: string,
) {
  const file = await files.write(name, content)
  const out = join(files.folder(), `${name}.xlsx`)
  const opened = await openReport(operation, {file, out, overwrite: true})
  try {
    const checked = await checkFile(operation, {file, ...opened.options})
    if (changeBefore !== undefined) await appendFile(file, changeBefore)
    const rowsWithProblems = await opened.write(checked)
    const [sheet] = readWorkbook(out)
    const [head = [], ...rows] = sheet?.rows ?? []
    return {out, checked, rowsWithProblems, sheet, head, rows}
  } finally {
    await opened.discard()
  }
}

function toFills(row: Sheet['rows'][number]) {
  const names = ['_problem', ...header.split(',')]
  return Object.fromEntries(row.flatMap((cell, place) => (cell?.fill ? [[names[place], cell.fill]] : [])))
}

describe('a report of a table', () => {
  test('says where it cannot hold a text of no letters', async () => {
    const {rows, rowsWithProblems} = await report('empty.csv', `${header},billingAddress\n${site('A')},""\n`)

    expect(rowsWithProblems).toBe(1)
    expect(rows[0]?.[0]?.text).toBe('warning: billingAddress: is "" in the file, which a workbook cannot hold')
    expect(rows[0]?.[8]?.fill).toBe(doubtful)
  })

  test('has the problems of each row in front of it, and their cells in colour', async () => {
    const lines = [header, site('A', 'x'), site('CafÃ©'), site('00123'), site('00123'), ',,,,,,', '']

    const {head, rows, rowsWithProblems, sheet} = await report('rows.csv', lines.join('\n'))

    expect(sheet?.name).toBe('rows')
    expect(head.map((cell) => cell?.text)).toEqual(['_problem', ...header.split(',')])
    expect(rows.map(([problem]) => problem?.text)).toEqual([
      'accountId: not an integer: "x"',
      expect.stringMatching(/^warning: name: text that was read in another encoding.*"Café"/),
      undefined,
      'name: the same accountId and name as in line 4',
      'warning: an empty row; it was left out',
    ])
    expect(rows.map(toFills)).toEqual([{accountId: bad}, {name: doubtful}, {}, {name: bad}, {}])
    expect(rows[2]?.[3]).toEqual({kind: 'text', text: '00123', style: '49'})
    expect(rowsWithProblems).toBe(4)
  })

  test('tells in its header what is wrong with all of the file', async () => {
    const {head, rowsWithProblems} = await report('head.csv', `${header.replace('orgId', 'colour')}\n${site('A')}\n`)

    expect(head[0]).toMatchObject({
      text: '_problem\ncolour: no such field\norgId: required, but the file has no such column',
      fill: bad,
    })
    expect(head[2]).toMatchObject({text: 'colour', fill: bad})
    expect(rowsWithProblems).toBe(0)
  })

  test('keeps the cells of a row that has too many, and marks lost zeros in their row', async () => {
    const rows = ['00123', '00124', '125'].map((id, place) => `${site(`A${place}`)},${id}`)

    const found = await report(
      'zeros.csv',
      [`${header},externalAccountTerminalId`, ...rows, `${rows[0]},x,y`].join('\n'),
    )

    expect(found.rows[2]?.[8]).toMatchObject({text: '125', fill: doubtful})
    expect(found.rows[2]?.[0]?.text).toContain('lost its leading zeros')
    expect(found.rows[3]?.map((cell) => cell?.text).slice(-3)).toEqual(['00123', 'x', 'y'])
  })

  test('shows where the cells of a row are missing, which a sheet would hide', async () => {
    const {rows} = await report('short.csv', `${header}\n7,3,A,true,5\n`)

    expect(rows[0]?.slice(6).map((cell) => [cell?.text, cell?.fill])).toEqual([
      ['', bad],
      ['', bad],
    ])
  })

  test('takes the place of the problems of an earlier report', async () => {
    const {head, rows} = await report('again.csv', `"_problem\nold",${header}\nold,${site('A', 'x')}\n`)

    expect(head).toHaveLength(8)
    expect(rows[0]?.map((cell) => cell?.text).slice(0, 2)).toEqual(['accountId: not an integer: "x"', 'x'])
    expect(rows[0]?.[1]?.fill).toBe(bad)
  })

  test('is not written when the file changes after it was checked', async () => {
    const failure = await failureOf(report('moving.csv', `${header}\n${site('A')}\n`, 'sites.create', site('B')))

    expect(failure).toMatchObject({code: 'FILE_CHANGED', changed: 'none'})
    expect(readdirSync(files.folder()).filter((name) => name.startsWith('moving'))).toEqual(['moving.csv'])
  })

  test('is not written when a workbook changes so that it can no longer be read', async () => {
    const rows = row(1, [text('A1', 'name')]) + row(2, [text('A2', 'A')])
    const book = await makeWorkbook({sheets: [{name: 'Sites', rows}]})
    const failure = await failureOf(report('moving.xlsx', book, 'sites.create', 'more'))

    expect(failure).toMatchObject({code: 'FILE_CHANGED', changed: 'none'})
  })
})

describe('a report of records', () => {
  const one = {accountId: 7, orgId: 3, name: 'A', isActive: true, maxChargePrice: '5,00', contact: {firstName: 5}}

  test.for(['json', 'ndjson'])('of %s has a column for each field, whatever their order and line', async (format) => {
    const records = [one, {zone: null, 'Account ID': 7, isActive: 1}].map((record) => JSON.stringify(record))
    const content = format === 'json' ? `[${records.join(',')}, 5]` : `${records.join('\n')}\n5\n`

    const {head, rows} = await report(`records.${format}`, content)

    const names = head.map((cell) => cell?.text)
    expect(names).toEqual([
      ...['_problem', 'accountId', 'orgId', 'name', 'contact.firstName', 'isActive', 'maxChargePrice'],
      ...['Account ID', 'zone'],
    ])
    const cells = (place: number) => names.map((_, column) => rows[place]?.[column])
    expect(names.filter((_, place) => cells(0)[place]?.fill === bad)).toEqual(['contact.firstName', 'maxChargePrice'])
    expect(cells(0)[5]).toMatchObject({kind: 'boolean', text: 'true'})
    expect(cells(1)[5]).toMatchObject({kind: 'number', text: '1', fill: bad})
    expect(cells(1)[8]).toMatchObject({text: '\\N', fill: bad})
    expect(
      cells(2)
        .map((cell) => cell?.text)
        .slice(0, 2),
    ).toEqual(['not a JSON object', undefined])
  })
})

test('a report has the name of a workbook', async () => {
  const failure = await failureOf(
    openReport('sites.create', {file: '-', out: join(files.folder(), 'r.csv'), overwrite: true}),
  )

  expect(failure).toMatchObject({code: 'INVALID_REPORT', exit: 'usage'})
  expect(existsSync(join(files.folder(), 'r.csv'))).toBe(false)
})
