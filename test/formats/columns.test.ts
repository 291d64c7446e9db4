import {describe, expect, test} from 'vitest'
import {fields} from '../../src/contract/index.js'
import {chooseColumns, columnsOf, findColumn, toColumn, toColumnNames, toPath} from '../../src/formats/columns.js'

const site = columnsOf(fields.site)
const names = (columns: readonly {name: string}[]) => columns.map(({name}) => name)

describe('columnsOf', () => {
  test('keeps the order of the contract and dots nested objects', () => {
    expect(names(site).slice(3, 8)).toEqual([
      'name',
      'contact.firstName',
      'contact.lastName',
      'contact.telephoneNumber',
      'contact.emailAddress',
    ])
  })

  test('gives a list one column', () => {
    const batch = columnsOf(fields.transaction)

    expect(batch.find(({name}) => name === 'lineItems')).toMatchObject({path: ['lineItems'], kind: 'list'})
    expect(names(batch)).toContain('paymentInformation.creditInformation.invoiceNumber')
  })
})

describe('chooseColumns', () => {
  test('takes the order that was asked for, and each column once', () => {
    expect(names(chooseColumns(site, ['name', 'id', 'NAME']))).toEqual(['name', 'id'])
  })

  test('takes all columns of an object', () => {
    expect(names(chooseColumns(site, ['contact']))).toHaveLength(4)
  })

  test('suggests the nearest column', () => {
    expect(() => chooseColumns(site, ['id', 'contact.fristName'])).toThrow(
      expect.objectContaining({
        message: 'no column is called "contact.fristName"; did you mean "contact.firstName"?',
        code: 'UNKNOWN_COLUMN',
        exit: 'usage',
      }),
    )
  })

  test('lists the columns when none is near', () => {
    expect(() => chooseColumns(site, ['zzzzzz'])).toThrow(
      expect.objectContaining({hints: [expect.stringContaining('Columns: id, accountId, orgId')]}),
    )
  })
})

test('names of --columns are comma-separated and repeatable, and none may be empty', () => {
  expect(toColumnNames(['id, name', 'contact'])).toEqual(['id', 'name', 'contact'])
  expect(() => toColumnNames(['id,,name'])).toThrow('--columns contains an empty name')
})

test('a name that two columns share but for case finds neither unless it is exact', () => {
  const columns = [toColumn(['id'], 'integer'), toColumn(['ID'], 'unknown')]

  expect(findColumn(columns, 'ID')).toBe(columns[1])
  expect(findColumn(columns, 'Id')).toBeUndefined()
})

test('a dot inside the name of a field is told from a dot between names', () => {
  const {name} = toColumn(['odd.name', 'inner'], 'unknown')

  expect(name).toBe('odd\\.name.inner')
  expect(toPath(name)).toEqual(['odd.name', 'inner'])
})
