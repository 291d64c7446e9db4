import fc from 'fast-check'
import {expect, test} from 'vitest'
import {toMicroseconds} from '../../../src/formats/time-cell.js'
import {toPlainInteger, toPlainMicroseconds} from '../../../src/formats/write/plain-digits.js'

const upTo = (max: number) => fc.integer({min: 0, max}).map((n) => String(n).padStart(2, '0'))
const year = fc
  .oneof(fc.integer({min: 1690, max: 2210}), fc.integer({min: 0, max: 9999}))
  .map((n) => String(n).padStart(4, '0'))
const fraction = fc.stringMatching(/^\d{0,8}$/)
const time = fc
  .tuple(
    year,
    upTo(13),
    upTo(30),
    upTo(24),
    upTo(60),
    upTo(60),
    fc.constantFrom('', '', '.'),
    fraction,
    fc.constantFrom('', '', 'Z', '+01:00', 'x'),
  )
  .map(([y, mo, d, h, mi, s, point, part, rest]) => `${y}-${mo}-${d}T${h}:${mi}:${s}${point}${point && part}${rest}`)
const broken = fc
  .tuple(time, fc.nat(25), fc.constantFrom('', ' ', '-', ':', '/', 'T', '٣'))
  .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1))

test('reads of the bytes of a time what its text says, or nothing', () => {
  let read = 0
  fc.assert(
    fc.property(fc.oneof(time, broken), (text) => {
      const bytes = Buffer.from(`"${text}"`)

      const found = toPlainMicroseconds(bytes, 1, bytes.length - 1)

      if (!Number.isNaN(found)) {
        read++
        expect(BigInt(found)).toBe(toMicroseconds(text, false))
      }
    }),
    {numRuns: 2_000},
  )
  expect(read).toBeGreaterThan(20)
})

test.for(['2024-07-30T18:07:05.477', '2024-07-30T18:07:05', '1969-12-31T23:59:59.999999', '2000-02-29T00:00:00.1'])(
  'reads a time as the service writes it: %s',
  (text) => {
    expect(toPlainMicroseconds(Buffer.from(text), 0, text.length)).toBe(Number(toMicroseconds(text, false)))
  },
)

test('reads of the bytes of a number what its digits say, or nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.bigInt().map(String), fc.integer().map(String), fc.double().map(String)), (text) => {
      const found = toPlainInteger(Buffer.from(`[${text}]`), 1, text.length + 1)

      if (!Number.isNaN(found)) expect(BigInt(found)).toBe(BigInt(text))
    }),
  )
  expect(toPlainInteger(Buffer.from('-123456789012345'), 0, 16)).toBe(-123_456_789_012_345)
})
