import {expect, test} from 'vitest'
import {allOperations, refusals} from '../../src/contract/index.js'

/** Written by hand from the contract: status and code. */
const codes = [
  '401 API_TOKEN',
  '403 NO_API_ACCESS',
  '403 DATA_ACCESS',
  '403 INVALID_LOGIN',
  '500 ACCESS_ERROR',
  '500 UNKNOWN_ERROR',
  '400 GENERIC_ERROR',
  '400 UNEXPECTED_RESULT_COUNT',
  '404 MISSING_RECORD',
  '421 MISSING_REQUIRED_DATA',
  '400 DESERIALIZATION_ERROR',
  '400 INVALID_DATE_RANGE',
  '400 DATE_PARSING',
  '400 NAME_UNIQUENESS',
  '422 SITE_VALIDATION',
  '422 GLOBAL_CHARGE_KEY',
  '400 ALREADY_CLEARED',
  '400 ALERT_EXISTS',
  '400 CUSTOM_DATA_EXISTS',
  '422 SELECTION_VALIDATION',
  '422 NO_SELECTIONS',
  '422 MULTIPLE_TEMPLATES',
  '403 UNAUTHORIZED_DATA_ACCESS',
]

/** Those that a write may meet after it has been applied. */
const leavesInDoubt = ['ACCESS_ERROR', 'UNKNOWN_ERROR', 'UNEXPECTED_RESULT_COUNT']

const rows = Object.entries(refusals)
const all = allOperations

test('the refusal codes are those of the contract with their statuses', () => {
  expect(rows.map(([code, {status}]) => `${status} ${code}`)).toEqual(codes)
})

test('only a failure of the service itself and an unexpected count leave a write in doubt', () => {
  expect(rows.filter(([, {changed}]) => changed !== 'none').map(([code]) => code)).toEqual(leavesInDoubt)
  expect(rows.filter(([, {again}]) => again === 'afterReconcile').map(([code]) => code)).toEqual(leavesInDoubt)
})

test('only a missing token is cured by a login', () => {
  expect(rows.filter(([, {again}]) => again === 'afterLogin').map(([code]) => code)).toEqual(['API_TOKEN'])
})

test('every refusal code may be met somewhere', () => {
  const met = new Set(all.flatMap(({refuses}) => refuses))

  expect(Object.keys(refusals).filter((code) => !met.has(code))).toEqual([])
})

test('the refusals of a route are met there', () => {
  const metBy = (code: string) => all.filter(({refuses}) => refuses.includes(code)).map(({command}) => command)

  expect(metBy('NAME_UNIQUENESS')).toEqual(['sites create', 'sites update'])
  expect(metBy('GLOBAL_CHARGE_KEY')).toEqual(['sites create', 'sites update'])
  expect(metBy('SITE_VALIDATION')).toEqual(['sites create', 'sites update'])
  expect(metBy('ALERT_EXISTS')).toEqual(['alerts create'])
  expect(metBy('ALREADY_CLEARED')).toEqual(['alerts clear'])
  expect(metBy('CUSTOM_DATA_EXISTS')).toEqual(['machines custom-data create'])
  expect(metBy('INVALID_LOGIN')).toEqual(['auth login'])
  expect(metBy('SELECTION_VALIDATION')).toEqual(['selections create', 'selections update', 'selections adjust'])
  expect(metBy('NO_SELECTIONS')).toEqual(['templates apply'])
  expect(metBy('MULTIPLE_TEMPLATES')).toEqual(['templates apply'])
  expect(metBy('UNAUTHORIZED_DATA_ACCESS')).toEqual(['sessions list', 'sessions events'])
  expect(metBy('INVALID_DATE_RANGE')).toEqual([
    'alerts list',
    'reports transactions',
    'reports metadata',
    'reports inventory',
    'sessions list',
    'sessions events',
  ])
})
