import {expect, test} from 'vitest'
import {
  allFieldsOf,
  fields,
  filters,
  limits,
  type Operation,
  operationIds,
  operationOf,
  type Read,
  readOperation,
  refusals,
  stages,
  type Write,
} from '../../src/contract/index.js'
import {doubles, fieldAt, pathsOf} from './look.js'

const rows: [string, Operation][] = operationIds.map((id) => [id, operationOf(id)])
const recordRows = rows.filter((row): row is [string, Read | Write] => row[1].kind !== 'session')
const writes = rows.filter((row): row is [string, Write] => row[1].kind === 'write')
const reads = rows.filter((row): row is [string, Read] => row[1].kind === 'read')

test('no two operations share verb and path', () => {
  const places = rows.flatMap(([, row]) => pathsOf(row).map((path) => `${row.verb} ${path}`))

  expect(doubles(places)).toEqual([])
})

test('paths are written in one way', () => {
  const paths = rows.flatMap(([, row]) => pathsOf(row))

  expect(paths.filter((path) => !/^(\/[a-z]+(-[a-z]+)*)+$/.test(path))).toEqual([])
})

test('filters that operations honour exist, and every one is of use', () => {
  const honoured = new Set(recordRows.flatMap(([, row]) => Object.keys(row.filters)))

  expect([...honoured].filter((key) => !Object.hasOwn(filters, key))).toEqual([])
  expect(Object.keys(filters).filter((key) => !honoured.has(key))).toEqual([])
})

test('what shows that a filter was honoured is a field of the record', () => {
  const lost = recordRows.flatMap(([id, row]) =>
    Object.values(row.filters)
      .flat()
      .filter((path) => !fieldAt(allFieldsOf(row.resource), path)?.uses.includes('read'))
      .map((path) => `${id}: ${path}`),
  )

  expect(lost).toEqual([])
})

test('a range is on a moment of the record, comes with both dates, and dates come with a range', () => {
  const wrong = reads.filter(([, {range, resource, filters: honoured}]) => {
    const dates = ['StartDate', 'EndDate'].filter((key) => Object.hasOwn(honoured, key))
    if (!range) return dates.length > 0
    return dates.length !== 2 || fieldAt(allFieldsOf(resource), range.on)?.kind !== 'dateTime'
  })

  expect(wrong.map(([id]) => id)).toEqual([])
})

test('reads with a range may refuse the dates, and no others', () => {
  const wrong = reads.filter(([, {range, refuses}]) => (range !== undefined) !== refuses.includes('INVALID_DATE_RANGE'))

  expect(wrong.map(([id]) => id)).toEqual([])
})

test('refusal codes of operations exist, each once', () => {
  const lost = rows.flatMap(([id, row]) =>
    row.refuses.filter((code) => !Object.hasOwn(refusals, code)).map((code) => `${id}: ${code}`),
  )

  expect(lost).toEqual([])
  expect(rows.filter(([, {refuses}]) => doubles(refuses).length > 0).map(([id]) => id)).toEqual([])
})

test('resources exist and every one is of use', () => {
  const named = new Set(recordRows.map(([, {resource}]) => resource))

  expect([...named].sort()).toEqual(Object.keys(fields).sort())
})

test('natural keys are fields that the body of the write holds, or that its filters are made of', () => {
  const lost = writes.flatMap(([id, {identity, resource, body}]) =>
    identity
      .filter((name) => body !== 'none' && !allFieldsOf(resource)[name]?.uses.includes(body))
      .map((name) => `${id}: ${name}`),
  )

  expect(lost).toEqual([])
})

test('natural keys are required, and an update is keyed by what names its record', () => {
  const optional = writes.flatMap(([id, {identity, resource, body}]) =>
    identity.filter((name) => body !== 'none' && !allFieldsOf(resource)[name]?.required?.includes(body)).map(() => id),
  )

  expect(optional).toEqual([])
  const updates = writes.filter(([, row]) => row.body === 'update')

  expect(updates.filter(([, row]) => row.identity.join() !== 'id').map(([id, row]) => [id, row.identity])).toEqual([
    ['machines.settings.set', ['machineId', 'type']], // whose id changes
    ['selections.adjust', ['selectionId']],
  ])
})

test('a write by filters makes each of them of a field of its rows', () => {
  const wrong = writes.filter(([, {body, filters: honoured, sentAs, resource}]) => {
    const fields = Object.entries(sentAs).map(([key, field]) => [key, allFieldsOf(resource)[field ?? '']])
    const isMade = body !== 'none' || Object.keys(honoured).join() === Object.keys(sentAs).join()
    return !isMade || fields.some(([, field]) => field === undefined)
  })

  expect(wrong.map(([id]) => id)).toEqual([])
})

test('a write in doubt is read back by a read of the same resource that can find its records', () => {
  const others = writes.filter(
    ([, {probe, resource}]) => probe.kind !== 'resend' && readOperation(probe.read).resource !== resource,
  )

  expect(others.map(([id, {probe}]) => [id, probe.kind === 'resend' ? '' : probe.read])).toEqual([
    ['machines.provision', 'machines.list'],
    ['selections.adjust', 'selections.list'],
    ['templates.apply', 'selections.list'],
  ])
  expect(writes.filter(([, row]) => row.probe.kind === 'resend').map(([id]) => id)).toEqual([
    'machines.custom-data.create',
  ])
})

test('a body has records to hold, and clearing says by a filter what it clears', () => {
  const wrong = writes.filter(([, {body, resource, filters: honoured}]) => {
    const held = Object.values(allFieldsOf(resource)).filter(({uses}) => body !== 'none' && uses.includes(body))
    return body === 'none' ? Object.keys(honoured).length === 0 : held.length === 0
  })

  expect(wrong.map(([id]) => id)).toEqual([])
})

test('operations with standard bodies exist only on stages that take them', () => {
  expect(recordRows.filter(([, {since}]) => !stages[since].bulk).map(([id]) => id)).toEqual([])
  expect(rows.filter(([, {since}]) => since === 'rc').map(([id]) => id)).toEqual([])
})

test('no read serves larger pages than the service', () => {
  expect(reads.filter(([, row]) => row.maximumPageSize > limits.maximumPageSize).map(([id]) => id)).toEqual([])
})
