import fc from 'fast-check'
import {describe, expect, test} from 'vitest'

import type {Field} from '../../src/contract/index.js'
import {fixCell} from '../../src/validate/fix-cell.js'
import {dropZeros, spellAs} from '../../src/validate/local-spelling.js'
import {describeIgnored} from '../../src/validate/locale-watch.js'
import {type Locale, localeNames, locales} from '../../src/validate/locales.js'
import {tellFinding} from '../../src/validate/problem.js'
import {readCell} from '../../src/validate/read-cell.js'
import {findDateProblem} from '../../src/validate/sent-time.js'
import {type JsonValue, printJson} from '../../src/values/json.js'

const uses = ['create'] as const
const integer: Field = {kind: 'integer', uses, about: ''}
const decimal: Field = {kind: 'decimal', uses, about: ''}
const boolean: Field = {kind: 'boolean', uses, about: ''}
const time: Field = {kind: 'dateTime', uses, about: ''}
const fields = [integer, decimal, boolean, time]

function read(cell: string, field: Field, locale?: Locale): {value?: JsonValue; found: string; write: string[]} {
  const told: {found: string; write: string[]} = {found: '', write: []}
  const value = readCell(
    cell,
    field,
    'omit',
    {
      found: (finding) => {
        told.found = tellFinding(finding)
        told.write = [...(finding.write ?? [])]
      },
      readAs: () => undefined,
    },
    locale,
  )
  return {...told, ...(value !== undefined && {value})}
}

const printed = (cell: string, field: Field, locale?: Locale) => {
  const {value} = read(cell, field, locale)
  return value === undefined ? undefined : printJson(value).replaceAll('"', '')
}

describe.each(localeNames)('%s', (name) => {
  const locale = locales[name]
  const group = fc.constantFrom('', ...locale.groups)
  const digits = fc.bigInt({min: 0n, max: 10n ** 30n}).map(String)
  const fraction = fc.option(fc.stringMatching(/^\d{1,12}$/), {nil: undefined})

  test('numbers are read exactly, with and without separators', () => {
    fc.assert(
      fc.property(fc.boolean(), digits, fraction, group, (isNegative, whole, part, separator) => {
        const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, separator)
        const sign = isNegative && whole !== '0' ? '-' : ''
        const cell = `${sign}${grouped}${part === undefined ? '' : `${locale.decimal}${part}`}`

        expect(printed(cell, decimal, locale)).toBe(`${sign}${whole}${part === undefined ? '' : `.${part}`}`)
        expect(printed(`${sign}${grouped}${locale.decimal}00`, integer, locale)).toBe(`${sign}${whole}`)
      }),
    )
  })

  test('times are read exactly', () => {
    const date = fc.date({min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true})
    const tail = fc.constantFrom('', ' hh:mm', 'Thh:mm', ' hh:mm:ss', ', hh:mm:ss', 'Thh:mm:ss.fff', ' hh:mm:ss,f')

    fc.assert(
      fc.property(date, fc.boolean(), tail, (moment, isPadded, clock) => {
        const iso = moment.toISOString()
        const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-')
        const parts = (locale.dayFirst ? [day, month] : [month, day]).map((each) =>
          isPadded ? each : String(Number(each)),
        )
        const shown = clock
          .replace('hh:mm', iso.slice(11, 16))
          .replace('ss', iso.slice(17, 19))
          .replace('fff', iso.slice(20, 23))
          .replace('f', iso.slice(20, 21))
        const wanted = shown === '' ? '' : `T${shown.replace(/^\D+/, '').replace(',', '.')}`

        expect(printed(`${[...parts, year].join(locale.mark)}${shown}`, time, locale)).toBe(
          `${iso.slice(0, 10)}${wanted}`,
        )
      }),
    )
  })

  test('words for true and false are read in any case', () => {
    for (const word of [...locale.yes, 'true']) expect(printed(word.toUpperCase(), boolean, locale)).toBe('true')
    for (const word of [...locale.no, 'false']) expect(printed(word, boolean, locale)).toBe('false')
  })

  test('the spelling of the contract is still read, but for numbers with decimals', () => {
    expect(printed('2024-07-30T18:07:05.477', time, locale)).toBe('2024-07-30T18:07:05.477')
    expect(printed('1250', decimal, locale)).toBe('1250')
    expect(printed('12.5', decimal, locale)).toBe(locale.decimal === '.' ? '12.5' : undefined)
  })

  test('a fix writes what was read, in the spelling of the contract', () => {
    const cell = `1${locale.groups.charAt(0)}250${locale.decimal}50`

    expect(fixCell(cell, {name: 'price', path: ['price'], field: decimal}, locale).cell).toBe('1250.50')
    expect(fixCell(`${cell} €`, {name: 'price', path: ['price'], field: decimal}, locale).cell).toBe('1250.50')
  })
})

test.each([
  ['1.25', decimal, 'de', 'not a number as German has it, such as 1.234,5: "1.25"'],
  ['1.25.0', decimal, 'de', 'not a number as German has it, such as 1.234,5: "1.25.0"'],
  ['12.50', integer, 'de', 'not an integer as German has it, such as 1.234: "12.50"'],
  ['1.500,50', integer, 'de', 'not an integer as German has it, such as 1.234: "1.500,50"'],
  ['5,25 €', decimal, 'de', 'not a number as German has it, such as 1.234,5: "5,25 €"; write 5,25'],
  ['1,5', decimal, 'en-US', 'not a number as American English has it, such as 1,234.5: "1,5"'],
  ['07-30-2024', time, 'en-US', 'not a time such as 2024-07-30T18:07:05 or 07/30/2024: "07-30-2024"; write 2024-07-30'],
  ['30.07.24', time, 'de', 'not a time such as 2024-07-30T18:07:05 or 30.07.2024: "30.07.24"; write 2024-07-30'],
  ['30.02.2024', time, 'de', 'a time that does not exist: "30.02.2024"'],
  ['7/30/2024 6:07 PM', time, 'es', 'not a time such as 2024-07-30T18:07:05 or 30/07/2024: "7/30/2024 6:07 PM"'],
] as const)('%s as %o in %s', (cell, field, name, message) => {
  expect(read(cell, field, locales[name])).toEqual({found: message, write: expect.anything()})
})

test('a locale that was named for a file without a header is said to be ignored', () => {
  const given = [
    [locales.de, undefined],
    [locales.de, []],
    [undefined, undefined],
    [undefined, []],
  ] as const

  expect(given.map(([locale, header]) => describeIgnored(locale, header).length)).toEqual([1, 0, 0, 0])
})

test('digits alone are a number, however many', () => {
  const [digits, more] = ['1'.repeat(101), '2'.repeat(100)]

  expect([digits, `-${digits}`].map((cell) => printed(cell, decimal, locales.de))).toEqual([digits, `-${digits}`])
  expect(printed(`${digits},${more}`, decimal, locales.de)).toBeUndefined()
})

test('a decimal of a locale is never proposed as the integer of its digits', () => {
  const message = 'not an integer as German has it, such as 1.234: "1,250"'

  expect(read('1,250', integer, locales.de)).toEqual({found: message, write: []})
})

test.each([
  ['7/30/2024 6:07:05 PM', 'en-US', '2024-07-30T18:07:05'],
  ['7/30/2024, 12:00\u202fAM', 'en-US', '2024-07-30T00:00'],
  ['3-7-2024 9:05', 'nl', '2024-07-03T09:05'],
] as const)('%s in %s', (cell, name, wanted) => {
  expect(printed(cell, time, locales[name])).toBe(wanted)
})

describe('what is no value of its field', () => {
  const letters = fc.constantFrom(..."0123456789012.,'’-/ :T€%E+APMwahrnoi\u00a0\u202f\u2212".split(''))
  const garbage = fc.oneof(
    fc.array(letters, {maxLength: 14}).map((all) => all.join('')),
    fc.string(),
  )

  test('is read in no locale as anything but its own digits', () => {
    fc.assert(
      fc.property(garbage, fc.constantFrom(...localeNames), fc.constantFrom(integer, decimal), (cell, name, field) => {
        const value = printed(cell, field, locales[name])
        if (value === undefined || value === 'null') return
        const bare = (text: string) => text.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '')
        const plain = field === integer ? cell.replace(new RegExp(`[${locales[name].decimal}]0+\\s*$`), '') : cell
        expect(bare(value)).toBe(bare(plain))
      }),
      {numRuns: 5_000},
    )
  })

  test('is read without a locale only in the spelling of the contract', () => {
    fc.assert(
      fc.property(garbage, fc.constantFrom(integer, decimal, time), (cell, field) => {
        const value = printed(cell, field)
        if (value === undefined || value === 'null') return
        const text = cell
          .trim()
          .replace(/^(-?)0+(?=\d+$)/, '$1')
          .replace(/^-0$/, '0')
        expect(value).toBe(field === time ? text.replace(' ', 'T') : text)
      }),
      {numRuns: 5_000},
    )
  })

  test('shows every reading that a locale would give it', () => {
    fc.assert(
      fc.property(garbage, fc.constantFrom(...localeNames), fc.constantFrom(...fields), (cell, name, field) => {
        const text = cell.trim()
        const {found, write, value} = read(cell, field)
        const reading = spellAs(text, field.kind, locales[name])
        if (value !== undefined || found === '' || reading === undefined) return
        if (field === time && findDateProblem(reading) !== undefined) return
        const bare = reading.replace(/^(-?)0+(?=\d)/, '$1')
        const shown = field === integer ? dropZeros(bare) : bare
        if (field === integer && shown.includes('.') && write.length === 0) return
        expect(write.includes(shown) || found.includes(`; ${shown} if`) || found.includes(`, ${shown} if`)).toBe(true)
      }),
      {numRuns: 5_000},
    )
  })

  test('is fixed to nothing but a reading that the message shows', () => {
    fc.assert(
      fc.property(garbage, fc.constantFrom(...fields), (cell, field) => {
        const {cell: fixed} = fixCell(cell, {name: 'price', path: ['price'], field})
        if (fixed === cell) return
        expect(read(fixed, field).found === '' || fixed === fixed.trim()).toBe(true)
        expect(fixCell(fixed, {name: 'price', path: ['price'], field}).cell).toBe(fixed)
      }),
      {numRuns: 5_000},
    )
  })
})
