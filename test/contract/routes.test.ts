import {expect, test} from 'vitest'
import {allOperations, defaultStage, limits, refusals, stages} from '../../src/contract/index.js'

/** What the document for other programs does not show; test/golden/open-api.json holds all else, field by field. */
const codes = Object.entries(refusals)

/** Refusals that a write may meet after it has been applied. */
const leavesInDoubt = ['ACCESS_ERROR', 'UNKNOWN_ERROR', 'UNEXPECTED_RESULT_COUNT']

test('report pages hold 100 records at most, those of people and settings 50, all others 2000', () => {
  const sizes = allOperations.flatMap((row) =>
    row.kind === 'read' ? [[row.command, row.maximumPageSize] as const] : [],
  )

  expect(sizes.filter(([, size]) => size !== 2_000)).toEqual([
    ['machines settings list', 50],
    ['reports metadata', 100],
    ['reports inventory', 100],
    ['sessions list', 50],
    ['sessions events', 50],
    ['roles list', 50],
    ['role-rights list', 50],
  ])
})

test('one filter is sent under two keys, and one answer is an object', () => {
  const twice = allOperations.flatMap((row) => (row.kind === 'read' && row.alsoSentAs ? [row.alsoSentAs] : []))

  expect(twice).toEqual([{organizationIds: 'organizationsId'}])
  expect(allOperations.flatMap((row) => (row.kind === 'read' && row.answer ? [[row.path, row.answer]] : []))).toEqual([
    ['/roles/role-rights-at-machine', {name: 'machineId', value: 'rightId'}],
  ])
})

test('ranges: a year of metadata, 90 days of alerts by the time they were raised, 31 of all else that has dates', () => {
  const ranges = allOperations.flatMap((row) => (row.kind === 'read' && row.range ? [[row.path, row.range]] : []))

  expect(ranges).toEqual([
    ['/alerts', {maximumDays: 90, on: 'raisedAt'}],
    ['/reports/transactions', {maximumDays: 31, on: 'recordedAtUtc'}],
    ['/transactions/metadata', {maximumDays: 365, on: 'recordedAtUtc'}],
    ['/inventory', {maximumDays: 31, on: 'adjustmentOccurredAt', clock: 'utc'}],
    ['/sessions/management', {maximumDays: 31, on: 'startedAtUtc', clock: 'utc'}],
    ['/sessions/management/events', {maximumDays: 31, on: 'loggedAt', clock: 'utc'}],
  ])
})

test('an update sets to null what is left out, one of alerts aside', () => {
  expect(
    allOperations.filter((row) => row.kind === 'write' && row.merge === 'full-replace').map(({command}) => command),
  ).toEqual(['sites update', 'machines update', 'machines settings set', 'selections update', 'role-rights update'])
})

test('the limits of a new key', () => {
  expect(limits).toMatchObject({
    requestsPerSecond: 20,
    burst: 100,
    requestsPerDay: 5_000,
    defaultPageSize: 50,
    maximumPageSize: 2_000,
    maximumBodyBytes: 10 * 1024 * 1024,
    tokenLifeHours: 72,
    defaultSetSize: 500,
  })
})

test('the stages and what each can do', () => {
  const able = Object.entries(stages).map(([name, {bulk, sessions}]) => [name, bulk, sessions])

  expect(able).toEqual([
    ['rc', true, true],
    ['v1', false, false],
    ['v2', true, false],
    ['v2.1', true, true],
  ])
  expect(defaultStage).toBe('v2.1')
})

test('only a failure of the service itself and an unexpected count leave a write in doubt', () => {
  expect(codes.filter(([, {changed}]) => changed !== 'none').map(([code]) => code)).toEqual(leavesInDoubt)
  expect(codes.filter(([, {again}]) => again === 'afterReconcile').map(([code]) => code)).toEqual(leavesInDoubt)
})

test('only a missing token is cured by a login', () => {
  expect(codes.filter(([, {again}]) => again === 'afterLogin').map(([code]) => code)).toEqual(['API_TOKEN'])
})

test('every refusal code may be met somewhere', () => {
  const met = new Set(allOperations.flatMap(({refuses}) => refuses))

  expect(Object.keys(refusals).filter((code) => !met.has(code))).toEqual([])
})
