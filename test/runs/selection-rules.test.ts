import {describe, expect, test} from 'vitest'
import {checkFile} from '../../src/runs/check/check-file.js'
import type {Problem} from '../../src/validate/problem.js'
import {failureOf} from '../support/client.js'
import {useSandboxRun} from './sandbox-run.js'
import {addSelections, alter, ordinary} from './selections.js'
import {asStdin} from './sites.js'

const {run, sandbox, requests} = useSandboxRun()

/** What a write says of its file, as `line: message`. */
async function problemsOf(operation: 'selections.update' | 'selections.create', lines: readonly string[]) {
  const failure = await failureOf(run(operation, lines))
  expect(failure).toMatchObject({exit: 'invalid', changed: 'none'})
  expect(requests()[operation]).toBeUndefined()
  return failure.entries.map(({line, column, code, message}) => `${line}:${column} ${code} ${message}`)
}

describe('an update', () => {
  test.each([
    [
      {alertLevel: 2},
      'restockAt',
      '1',
      'restockAt: 1 is below alertLevel, which is 2: write at least 2, or lower alertLevel',
    ],
    [{}, 'alertLevel', '5', 'alertLevel: 5 is above restockAt, which is 4: write at most 4, or raise restockAt'],
    [
      {restockAt: null},
      'alertLevel',
      '11',
      'alertLevel: 11 is above restockTo, which is 10: write at most 10, or raise restockTo',
    ],
    [{restockTo: 5}, 'depth', '6', 'depth: 6 is below count, which is 8: write at least 8, or lower count'],
    [{}, 'count', '13', 'count: 13 is above depth, which is 12: write at most 12, or raise depth'],
  ])('is checked once it is laid over its record: %j', async (record, field, value, message) => {
    const [id = 0] = addSelections(sandbox(), 1, () => record)

    expect(await problemsOf('selections.update', [`id,${field}`, `${id},${value}`])).toEqual([
      `2:2 OUT_OF_ORDER ${message}`,
    ])
  })

  test('of another field is sent although the record breaks a rule', async () => {
    const [id = 0] = addSelections(sandbox(), 1)
    alter(sandbox(), id, {alertLevel: 11})
    const {price: _, ...others} = {...ordinary, alertLevel: 11}
    const names = Object.keys(others)
    const cells = Object.values(others).map((value) => value ?? '\\N')

    const report = await run('selections.update', [`id,price,${names}`, `${id},1.75,${cells}`])

    expect(report.rows).toMatchObject({applied: 0, refused: 1}) // by the service, which knows it by now
    expect(report.refusals[0]).toMatchObject({code: 'SELECTION_VALIDATION'})
  })

  test('may not give two selections of a machine one number', async () => {
    const machineId = Number(sandbox().store.read('machine')[0]?.['id'])
    const [one = 0, other = 0] = addSelections(sandbox(), 2, (place) => ({machineId, selectionNumber: `T${place + 6}`}))

    expect(await problemsOf('selections.update', ['id,selectionNumber', `${one},T7`, `${other},T7`])).toEqual([
      `3:2 DUPLICATE_RECORD selectionNumber: machineId ${machineId} and selectionNumber "T7", as in line 2`,
    ])

    const swapped = await run('selections.update', ['id,selectionNumber', `${one},T7`, `${other},T6`])
    expect(swapped.rows).toMatchObject({applied: 2})
  })
})

test('the number of a selection is a text, whether a service sends it so or as a number', async () => {
  const machineId = Number(sandbox().store.read('machine')[0]?.['id'])
  const [id = 0] = addSelections(sandbox(), 1, () => ({machineId, selectionNumber: 906}))

  for (const selectionNumber of [906, '906']) {
    const report = await run('selections.update', [JSON.stringify({id, selectionNumber})], {format: 'ndjson'})
    expect(report).toMatchObject({exit: 'ok', rows: {applied: 0}, comparison: {unchanged: 1, changes: []}})
  }
})

const header =
  'machineId,selectionNumber,price,invoicePrice,restockTo,depth,count,freeCount,commission,productId,alertLevel'
const rows = {
  'a price of 0': ['5001,Z1,0,0,10,12,8,0,0,801,2', 'TOO_SMALL price: not above 0: 0'],
  'a negative price': ['5001,Z1,-1.5,0,10,12,8,0,0,801,2', 'TOO_SMALL price: not above 0: -1.5'],
  'a product of -2': ['5001,Z1,1.5,0,10,12,8,0,0,-2,2', 'TOO_SMALL productId: less than -1: -2'],
  'a product of 0': ['5001,Z1,1.5,0,10,12,8,0,0,0,2', 'NOT_ALLOWED productId: may not be 0'],
  'a comma in a price': ['5001,Z1,"1,50",0,10,12,8,0,0,801,2', 'NOT_A_NUMBER price: not a number: "1,50"; write 1.50'],
  'an alert level that is too high': [
    '5001,Z1,1.5,0,10,12,8,0,0,801,11',
    'OUT_OF_ORDER alertLevel: 11 is above restockTo, which is 10: write at most 10, or raise restockTo',
  ],
  'a count that does not fit': [
    '5001,Z1,1.5,0,10,12,13,0,0,801,2',
    'OUT_OF_ORDER count: 13 is above depth, which is 12: write at most 12, or raise depth',
  ],
} as const

test.each(Object.entries(rows))('a new selection with %s is a problem of the file', async (_, [row, problem]) => {
  const [only, ...more] = await problemsOf('selections.create', [header, row])

  expect(more).toEqual([])
  expect(only).toContain(problem)
})

test('a number that stands twice in one machine is a problem of the file', async () => {
  const line = (number: unknown) => JSON.stringify({...ordinary, machineId: 5001, selectionNumber: number})
  const failure = await failureOf(run('selections.create', [line('Z6'), line('6'), line(6)], {format: 'ndjson'}))

  expect(failure.entries.map(({message}) => message)).toEqual([
    'selectionNumber: the same machineId and selectionNumber as in line 2',
  ])
})

test('lint finds in a file what only the file can show', async () => {
  const {problems} = await checkFile('selections.update', asStdin(['id,alertLevel,restockTo', '1,5,4', '2,1,4']))

  expect(problems.map(({line, code}: Problem) => [line, code])).toEqual([[2, 'OUT_OF_ORDER']])
})

test('a product of -1 is none, and may be sent', async () => {
  const {rows: fates} = await run('selections.create', [header, '5001,Z1,1.5,0,10,12,8,0,0,-1,2'])

  expect(fates).toMatchObject({applied: 1})
})
