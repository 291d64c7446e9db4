import {expect, test} from 'vitest'
import {describeDamage, isRespelled} from '../../src/validate/respelled.js'

test.each([
  ['=1+1', '2'],
  ['=HYPERLINK("http://x.example","y")', 'y'],
  ['=A1', '#NAME?'],
  ['+49', '49'],
  ['00123', '123'],
  ['1E5', '100000'],
  ['1E5', '1.00E+05'],
  ['123456789012345678901234567890', '1.23456789012346E+029'],
  ['12345678901234567', '12345678901234600'],
  ['10.10', '10.1'],
  ['.25', '0.25'],
  ['1.250', '1.25'],
  ['1,250', '1250'],
  ['Jan-24', '01/24/26'],
  ['3-Jan', '03-Jan'],
  ['3-Jan', '2026-01-03'],
  ['3-Jan', '2026-01-03 00:00:00'],
  ['1/2', '01/02/26'],
  ['03/04/2024', '03/04/24'],
  ['12:30', '12:30:00 PM'],
  ['12:30', '12:30:00'],
  ['true', 'TRUE'],
  ['50%', '50.00%'],
  ['$5', '$5.00'],
  ['(5)', '-5'],
  ['5-', '-5'],
  ['1234567', '1.23E+06'],
])('a spreadsheet shows %j as %j', (before, after) => {
  expect(isRespelled(before, after)).toBe(true)
})

test.each([
  ['=1+1', 'Edited'],
  ['=1+1', '=1+2'],
  ['10.10', '10.11'],
  ['50%', '50'],
  ['03/04/2024', '03/04/2025'],
  ['3-Jan', '4-Jan'],
  ['12:30', '12:31:00'],
  ['Net 30', 'Net30'],
  ['a', 'b'],
  ['(5)5', '-5'],
  ['5(5)', '-5'],
  ['10.14', '10.1'],
  ['3/4', '3/5'],
  ['', '0'],
  ['true', 'false'],
  ['12345678901234567', '12345678901234999'],
])('%j is changed to %j by a person', (before, after) => {
  expect(isRespelled(before, after)).toBe(false)
})

test.each([
  ['5000000000000', '5E+12'],
  ['4711000000000', '4.711E+12'],
])('the digits of %s are cut to %s', (before, after) => {
  expect(describeDamage(before, after)).toBe(`the spreadsheet cut the digits of "${after}": the record has "${before}"`)
})
