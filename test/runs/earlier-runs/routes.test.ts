import {describe, expect, test} from 'vitest'
import type {WriteId} from '../../../src/contract/index.js'
import type {JsonRecord, JsonValue} from '../../../src/values/json.js'
import {header} from '../sites.js'
import {failureOf, useRuns} from './runs.js'

const runs = useRuns()

/** A write of four rows, which are told apart by one text each. */
type Route = {
  header: string
  row(text: string, place: number, ids: readonly JsonValue[]): string
  /** How often each text was written. */
  count(text: string): number
  /** What a row says when its record was written with another text; absent where nothing names a record. */
  conflict?: {column: number; message: string}
}

const count = (records: readonly JsonRecord[], field: string, value: JsonValue) =>
  records.filter((record) => record[field] === value).length

const routes: Partial<Record<WriteId, Route>> = {
  'sites.create': {
    header,
    row: (text) => `201,101,Site ${text},true,500,10,Net10`,
    count: (text) => count(runs.read('site'), 'name', `Site ${text}`),
  },
  'sites.update': {
    header: 'id,billingAddress',
    row: (text, place) => `${1001 + place},${text}`,
    count: (text) => count(runs.read('site'), 'billingAddress', text),
    conflict: {column: 2, message: 'billingAddress: applied with other content by run RUN: "A" there, "changed" here'},
  },
  'alerts.create': {
    header: 'machineId,code,message',
    row: (text, place) => `${5001 + place},CJ,${text}`,
    count: (text) => count(runs.read('alert'), 'message', text),
    conflict: {column: 3, message: 'message: applied with other content by run RUN: "A" there, "changed" here'},
  },
  'alerts.update': {
    header: 'id,message',
    row: (text, place, ids) => `${ids[place]},${text}`,
    count: (text) => count(runs.read('alert'), 'message', text),
    conflict: {column: 2, message: 'message: applied with other content by run RUN: "A" there, "changed" here'},
  },
  'alerts.clear': {
    header: 'id',
    row: (_, place, ids) => String(ids[place]),
    count(text) {
      const message = `Made ${['A', 'B', 'C', 'mended'].indexOf(text)}`
      return count(
        runs.read('alert').filter(({isCleared}) => isCleared === true),
        'message',
        message,
      )
    },
  },
  'machines.custom-data.create': {
    header: 'machineId,key,value',
    row: (text, place) => `${5001 + place},shelf,${text}`,
    count: (text) => count(runs.read('custom_data'), 'value', text),
    conflict: {column: 3, message: 'value: applied with other content by run RUN: "A" there, "changed" here'},
  },
}

async function makeAlerts(): Promise<JsonValue[]> {
  const records = [0, 1, 2, 3].map((place) => ({machineId: 5001 + place, code: 'CJ', message: `Made ${place}`}))
  const answer = await runs.client.write('alerts.create', {records})
  return answer.fate === 'applied' ? answer.ids : []
}

const texts = ['A', 'B', 'C', 'D']

const all = Object.entries(routes) as [WriteId, Route][]

const named = all.flatMap(([operation, {conflict, ...route}]) => (conflict ? [{operation, conflict, ...route}] : []))

test.each(named)('$operation: a row whose record was written with other content is named', async (route) => {
  const {operation, header, row, conflict} = route
  const ids = await makeAlerts()
  const lines = texts.map((text, place) => row(text, place, ids))
  await runs.give(operation, [header, ...lines], {setSize: 1, diesAt: {set: 1, when: 'after'}})

  const failure = await failureOf(runs.give(operation, [header, lines[1] ?? '', row('changed', 0, ids)]))

  const {column} = conflict
  const message = conflict.message.replace('RUN', runs.ids()[0] ?? '')
  expect(failure).toMatchObject({exit: 'invalid', code: 'INVALID_INPUT', changed: 'none'})
  expect(failure.entries).toMatchObject([{code: 'APPLIED_DIFFERENTLY', line: 3, column, message}])
  const isNameless = operation === 'alerts.create'
  expect(failure.hints.includes('Put rows that are new into a file of their own.')).toBe(isNameless)
  expect(['A', 'B', 'changed'].map((text) => route.count(text))).toEqual([1, 0, 0])
})

describe('an alert like one that was applied', () => {
  const lines = ['machineId,code,message', '5001,CJ,A', '5001,CJ,B', '5002,CJ,C']
  const path = '/alerts.csv'
  const messages = () => runs.read('alert').flatMap(({message, code}) => (code === 'CJ' ? [message] : []))

  test('is a mended row while one of its kind was not applied', async () => {
    await runs.give('alerts.create', lines, {setSize: 1, diesAt: {set: 1, when: 'after'}, path})

    const report = await runs.give('alerts.create', [...lines.slice(0, 1), '5001,CJ,B2', '5002,CJ,C'], {path})

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}})
    expect(messages()).toEqual(expect.arrayContaining(['A', 'B2', 'C']))
  })

  test('is a conflict when all of its kind were applied, unless they are all still there', async () => {
    await runs.give('alerts.create', lines, {setSize: 1, diesAt: {set: 2, when: 'after'}, path})
    const before = messages()

    const failure = await failureOf(
      runs.give('alerts.create', ['machineId,code,message', '5001,CJ,A', '5001,CJ,B2', '5002,CJ,C'], {path}),
    )
    expect(failure.entries).toMatchObject([{code: 'APPLIED_DIFFERENTLY', line: 3}])
    expect(messages()).toEqual(before)

    const report = await runs.give('alerts.create', [...lines, '5001,CJ,B2'], {path})
    expect(report).toMatchObject({exit: 'ok', rows: {applied: 4}})
    expect(messages().length).toBe(before.length + 2)
  })

  test('is another alert in a file that has nothing in common with the run', async () => {
    await runs.give('alerts.create', lines, {setSize: 1, diesAt: {set: 2, when: 'after'}, path})

    const report = await runs.give('alerts.create', ['machineId,code,message', '5001,CJ,A2', '5001,CJ,B2'], {path})

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}})
  })

  test('in another file is another alert', async () => {
    await runs.give('alerts.create', lines, {setSize: 1, diesAt: {set: 2, when: 'after'}, path})

    const report = await runs.give('alerts.create', ['machineId,code,message', '5001,CJ,A2'], {path: '/more.csv'})

    expect(report).toMatchObject({exit: 'ok', rows: {applied: 1}})
  })
})
