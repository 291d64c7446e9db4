import {expect, test} from 'vitest'
import {toPlanSchema} from '../../src/derive/plan-schema.js'
import {type PlanHead, printPlanDocument} from '../../src/runs/plan/plan-document.js'
import {batchOf, type Compared, noMessages} from '../../src/runs/rows/phases.js'
import type {JsonRecord} from '../../src/values/json.js'
import {compile} from '../support/ajv.js'
import {expectGolden} from '../support/golden.js'

const sending = {setSize: 500, onError: 'stop', bisectBudget: null, atomic: true, canary: 1, replace: false} as const

const plan: Compared = {
  ...noMessages,
  ...batchOf('sites.update', 'sites.csv', [
    {line: 2, record: {id: 7, name: 'One'}, given: {id: 7, name: 'One'}, digest: new Uint8Array(16)},
    {line: 3, record: {id: 8}, skip: 'unchanged'},
    {line: 4, record: {id: 9}, skip: 'appliedBefore', by: '20260131-174502-1c84f'},
  ]),
  phase: 'compared',
  ...{reading: {format: 'csv', delimiter: ';'}, sending, doubts: [], problems: [], moves: [], totals: [], readAt: null},
  sets: [{number: 1, places: [0], canary: true}],
  columns: new Map([['id', 1]]),
  merges: true,
  comparison: {changes: [{line: 2, id: 7, field: 'name', from: null, to: 'One'}], missing: [], unchanged: 1},
  reads: 1,
  before: {records: new Map([['[7]', {id: 7, name: null}]]), isComplete: true},
  dates: {StartDate: '2024-01-01', EndDate: '2024-02-01'},
}

const head: PlanHead = {
  operation: 'sites.update',
  command: 'sites update',
  toolVersion: '0.1.0',
  created: '2024-07-30T18:07:05.000Z',
  target: {profile: 'sandbox', stage: 'v2.1', baseUrl: 'http://127.0.0.1:4010'},
  input: {name: 'sites.csv', sha256: '0'.repeat(64), format: 'csv', delimiter: ';', encoding: 'windows-1252'},
  options: sending,
}

const text = [...printPlanDocument(head, plan)].join('')
const printed = () => JSON.parse(text) as JsonRecord

test('is the agreed schema', () => {
  expectGolden('plan-schema.json', `${JSON.stringify(toPlanSchema(), undefined, 2)}\n`)
})

test('a plan file is the agreed text', () => {
  expectGolden('plan.json', text)
})

test('describes a plan with every key', () => {
  const check = compile(toPlanSchema())

  check(printed())

  expect(check.errors).toBeNull()
})
