import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'

import type {Field} from '../../../src/contract/index.js'
import {checkFile} from '../../../src/runs/check/check-file.js'
import {fixFile} from '../../../src/runs/check/fix-file.js'
import type {CheckOptions} from '../../../src/runs/check/row-rules.js'
import {LocaleWatch} from '../../../src/validate/locale-watch.js'
import {type Problem, problemText} from '../../../src/validate/problem.js'
import {useInputFiles} from '../../support/input-files.js'

const files = useInputFiles()
const header = 'accountId;orgId;name;isActive;maxChargePrice;maximumMeterSalesJumpAllowed;commissionTerms'

type Row = {flag?: string; price?: string; jump?: string; terms?: string}

const site = ({flag = 'true', price = '500', jump = '10', terms = 'Net10'}: Row, index: number) =>
  `201;101;Site ${index};${flag};${price};${jump};${terms}`
const sites = (count: number, row: (index: number) => Row) =>
  [header, ...Array.from({length: count}, (_, index) => site(row(index), index)), ''].join('\n')
const alerts = (times: readonly string[]) =>
  ['machineId,code,message,raisedAt', ...times.map((each, index) => `${index + 1},NS,m,${each}`), ''].join('\n')

async function check(content: string, options: CheckOptions = {}, name = 'rows.csv') {
  const file = await files.write(name, content)
  const operation = content.startsWith('machineId') ? 'alerts.create' : 'sites.create'
  const {problems, notices, remarks} = await checkFile(operation, {file, ...options})
  return {
    problems: problems.map((each) => `${each.line}:${each.column} ${each.code} ${problemText(each)}`),
    notices,
    remarks,
  }
}

describe('a file that looks like another locale has one problem, which names the flag', () => {
  test('of a language', async () => {
    const german = sites(38, (index) => ({flag: index % 2 ? 'WAHR' : 'FALSCH', price: '5,00', jump: '1.250'}))

    expect((await check(german)).problems).toEqual([
      '2:4 OTHER_LOCALE looks like a German spreadsheet (38 cells such as "FALSCH" in isActive, column 4; 38 cells such as "5,00" in maxChargePrice, column 5; 38 cells such as "1.250" in maximumMeterSalesJumpAllowed, column 6): add --locale de',
    ])
    expect((await check(german, {locale: 'de'})).problems).toEqual([])
    expect((await check(german, {locale: 'de'})).remarks).toContain(
      'maxChargePrice: 38 cells such as "5,00" were read as German spelling',
    )
  })

  test('of several, which read it alike', async () => {
    const {problems} = await check(sites(3, () => ({price: ' 5,00 ', terms: 'net 30'})))

    expect(problems).toEqual([
      '2:5 OTHER_LOCALE looks like a spreadsheet of another locale (3 cells such as "5,00" in maxChargePrice, column 5): add --locale de (es, fr, it, nl and pt would read the same)',
      ...[2, 3, 4].map(
        (line) =>
          `${line}:7 NOT_A_CHOICE commissionTerms: not one of PrePaid, Net10, Net15, Net30, Net45, Net60: "net 30"; did you mean Net30?`,
      ),
    ])
  })

  test('of several, which do not', async () => {
    expect((await check(alerts(['04/04/2024', '03/04/2024']))).problems).toEqual([
      '2:4 OTHER_LOCALE looks like a spreadsheet of another locale (2 cells such as "04/04/2024" in raisedAt, column 4): add --locale en-US ("03/04/2024" is 2024-03-04), or --locale en-GB, es, fr, it or pt ("03/04/2024" is 2024-04-03)',
    ])
    expect((await check(alerts(['13/04/2024', '03/04/2024']))).problems).toEqual([
      expect.stringContaining('add --locale en-GB (es, fr, it and pt would read the same)'),
    ])
    expect((await check(alerts(['4/13/2024 6:07 PM', '3/4/2024 6:07 AM']))).problems).toEqual([
      expect.stringContaining('looks like an American English spreadsheet'),
    ])
    expect((await check(alerts([...Array(200).fill('04/04/2024'), '03/04/2024']))).problems).toEqual([
      expect.stringMatching(/: add --locale en-US, or --locale en-GB, es, fr, it or pt$/), // such a cell is not kept
    ])
  })

  test('and no copy with fixes, which would no longer look so', async () => {
    const file = await files.write(
      'german.csv',
      sites(3, () => ({price: '5,00', jump: '1.250'})),
    )
    const out = join(files.folder(), 'fixed-german.csv')
    const options = {file, out, overwrite: true}

    await expect(fixFile('sites.create', options)).rejects.toMatchObject({
      exit: 'invalid',
      message: expect.stringContaining('no copy was written'),
      entries: [{code: 'OTHER_LOCALE'}],
    })
    await expect(readFile(out)).rejects.toThrow('ENOENT')
    await fixFile('sites.create', {...options, locale: 'de'})

    expect((await readFile(out, 'utf8')).split('\n')[1]).toBe('201,101,Site 0,true,5,1250,Net10')
    expect((await checkFile('sites.create', {file: out})).problems).toEqual([])
  })
})

test('columns with more such cells are named first', async () => {
  const {problems} = await check(sites(4, (index) => ({flag: index < 2 ? 'true' : 'WAHR', price: '5,00'})))

  expect(problems).toEqual([expect.stringMatching(/\(4 cells such as "5,00" .*; 2 cells such as "WAHR"/)])
})

describe('single cells are problems of their own', () => {
  test('one cell makes no locale, and few among many rows do not', async () => {
    const one = await check(sites(3, (index) => (index === 0 ? {price: '5,00'} : {})))
    const few = await check(sites(100, (index) => (index < 3 ? {price: '5,00', flag: 'WAHR'} : {})))

    expect(one.problems).toEqual(['2:5 NOT_AN_INTEGER maxChargePrice: not an integer: "5,00"; write 5'])
    expect(few.problems).toHaveLength(6)
  })

  test('words of a locale among more that are not', async () => {
    expect((await check(sites(8, (index) => (index < 3 ? {flag: 'WAHR'} : {})))).problems).toHaveLength(3)
    expect((await check(sites(8, (index) => (index < 5 ? {flag: 'WAHR'} : {})))).problems).toHaveLength(1)
  })

  test('the decimal point of the contract is no locale, and other problems of numbers are none', async () => {
    expect((await check(sites(3, () => ({price: '5.00'})))).problems).toHaveLength(3)
    expect((await check(sites(3, () => ({price: '-1'})))).problems).toHaveLength(3)
  })

  test('both readings are shown', async () => {
    const {problems} = await check(sites(3, (index) => (index === 0 ? {price: '1.250'} : {})))

    expect(problems).toEqual([
      '2:5 NOT_AN_INTEGER maxChargePrice: not an integer: "1.250"; 1250 if the point separates thousands, 1.250 if it begins the decimals',
    ])
    expect((await check(alerts(['03/04/2024', '2024-04-04', '2024-04-05']))).problems).toEqual([
      '2:4 NOT_A_DATE raisedAt: not a time such as 2024-07-30T18:07:05: "03/04/2024"; write 2024-04-03 or 2024-03-04',
    ])
  })
})

test('integers that a workbook holds as numbers speak against no locale', () => {
  const kept: Field = {kind: 'integer', uses: ['create'], about: ''}
  const problem = {
    file: 'a.xlsx',
    sheet: 'Sites',
    line: 2,
    column: 5,
    columnName: 'price',
    severity: 'error',
    code: 'NOT_AN_INTEGER',
  } as const
  const odd: Problem[] = ['1.250', '2.500'].map((cell) => ({...problem, message: `not an integer: "${cell}"`, cell}))
  const watch = new LocaleWatch()

  for (let count = 0; count < 20; count++) watch.plain('integer')
  for (const each of odd) watch.look(each.cell ?? '', 'price', kept, each)

  expect(watch.settle(odd, 22).map(problemText)).toEqual([
    expect.stringMatching(/^looks like .* such as "1\.250" in price, column E\): add --locale de \(/),
  ])
})

test('a decimal that is the contract spelled so is doubted in a file with decimal commas', () => {
  const field: Field = {kind: 'decimal', uses: ['create'], about: ''}
  const problem = {file: 'a.csv', line: 2, columnName: 'price', severity: 'error', code: 'NOT_A_NUMBER'} as const
  const odd: Problem = {...problem, message: 'not a number: "5,25"', cell: '5,25'}
  const doubtful = new LocaleWatch()
  const plain = new LocaleWatch()

  for (const cell of ['1.250', '2.500']) doubtful.look(cell, 'price', field, undefined)
  doubtful.look('5,25', 'price', field, odd)
  for (const cell of ['1.25', '1.250', '']) plain.look(cell, 'price', field, undefined)

  expect(doubtful.settle([odd], 3).map(problemText)).toEqual([
    'looks like a spreadsheet of another locale ("5,25" in price; 2 cells such as "1.250" in price): add --locale de (es, it, nl and pt would read the same)',
  ])
  expect(plain.settle([], 3)).toEqual([])
})

test('decimals of a workbook have one spelling, and speak against a locale', () => {
  const field: Field = {kind: 'decimal', uses: ['create'], about: ''}
  const odd: Problem = {file: 'a', severity: 'error', code: 'NOT_A_NUMBER', message: 'not a number'}
  const others: Problem[] = [odd, {...odd}]
  const watch = new LocaleWatch()

  for (const problem of others) watch.look('5,00', 'price', field, problem)
  expect(watch.settle(others, 5)).toHaveLength(1)
  for (let count = 0; count < 3; count++) watch.plain('decimal')
  expect(watch.settle(others, 5)).toEqual(others)
})

test('JSON has no locale', async () => {
  const content = '[{"id":7,"maxChargePrice":1.250}]'
  const file = await files.write('sites.json', content)

  const {problems, notices} = await checkFile('sites.update', {file, locale: 'de'})

  expect(notices).toEqual(['--locale is for tables; numbers, times and booleans of JSON are read as they are'])
  expect(problems).toHaveLength(1)
})
