import {describe, expect, test} from 'vitest'
import {type WriteId, writeIds, writeOperation} from '../../../src/contract/index.js'
import {loadRun} from '../../../src/runs/journal/load-run.js'
import {reportOfRun} from '../../../src/runs/report/report-of-run.js'
import {settle, useRecordedRun} from './recorded-run.js'
import {answerNothing, type RouteName, routeNames, routeOf, runRoute} from './routes.js'

const run = useRecordedRun()

type Fault = {
  /** Whether the service had done the work when the answer was lost. */
  committed: boolean
  /** Routes that answer nothing can show this fault in no way, and their rows are applied. */
  needsBody?: true
  /** The service answered that it did less than was asked. */
  answered?: true
}

const evil = 'http://127.0.0.1:9/'
test('every kind of probe is met', () => {
  const kinds = (ids: readonly WriteId[]) => new Set(ids.map((id) => writeOperation(id).probe.kind))

  const elsewhere = ['machines.provision', 'selections.adjust'] // moment.test.ts, and e2e/adjust-doubt.test.ts
  const others = writeIds.filter((id) => !elsewhere.includes(id))
  expect(kinds(routeNames.map((name) => routeOf(name).operation))).toEqual(kinds(others))
})

/** More than fits into the headers of an answer. */
const longHeader = `hdr(more,${'a'.repeat(17_000)})`

/** Every way to leave a write in doubt. */
const faults: Record<string, Fault> = {
  'reset-before': {committed: false},
  'reset-after-commit': {committed: true},
  'late-commit(10)': {committed: false},
  'status(500)': {committed: false},
  'status(500,ACCESS_ERROR)': {committed: false},
  'status(500,UNKNOWN_ERROR,after-commit)': {committed: true},
  'status(502,html)': {committed: false},
  'status(502,html,after-commit)': {committed: true},
  'status(504)': {committed: false},
  'status(504,after-commit)': {committed: true},
  'status(408)': {committed: false},
  'status(408,after-commit)': {committed: true},
  'status(421,html)': {committed: false},
  'status(202,empty,after-commit)': {committed: true},
  'trunc-cl': {committed: true},
  'trunc-chunked': {committed: true, needsBody: true},
  'close-delim': {committed: true, needsBody: true},
  'stall-headers': {committed: true},
  'drip(300)': {committed: true, needsBody: true},
  'bomb(8)': {committed: true},
  'status(200,html)': {committed: false},
  [longHeader]: {committed: true},
  'json({"done":)': {committed: true},
  'json([{"code":"GENERIC_ERROR","message":"no"}])': {committed: true},
  [`redirect(${evil},303)`]: {committed: false},
  'status(400,UNEXPECTED_RESULT_COUNT)': {committed: false, answered: true},
  'status(400,UNEXPECTED_RESULT_COUNT,after-commit)': {committed: true, answered: true},
}

const titled = Object.entries(faults).map(([fault, kind]) => [fault.slice(0, 50), fault, kind] as const)

/** Every fault for the first route of each kind of probe; of each kind of fault one for the others, not always the same. */
function faultsOf(name: RouteName, place: number): typeof titled {
  const kindOf = (route: RouteName) => writeOperation(routeOf(route).operation).probe.kind
  if (routeNames.find((route) => kindOf(route) === kindOf(name)) === name) return titled
  const kinds = Map.groupBy(titled, ([, , kind]) => JSON.stringify(kind))
  return [...kinds.values()].flatMap((some) => some.slice(place % some.length).slice(0, 1))
}

describe.each(routeNames.map((name, place) => [name, faultsOf(name, place)] as const))('%s', (name, ofRoute) => {
  test.each(ofRoute)('%s', async (_, fault, {committed, needsBody, answered}) => {
    const {applied} = routeOf(name)

    const report = await runRoute(run, name, fault)

    expect(run.sandbox.faults.list()).toMatchObject([{fired: 1}])
    const isSeen = needsBody && answerNothing.has(name)
    expect(report).toMatchObject(isSeen ? {exit: 'ok', rows: {applied: 2}} : {exit: 'inDoubt', rows: {inDoubt: 2}})
    if (!fault.startsWith('late')) expect(applied(run)).toEqual(committed ? [1, 1] : [0, 0])

    const settleMilliseconds = fault.startsWith('late') ? settle : 4
    const reconciled = await run.reconcile({resendAfterSettle: true, settleMilliseconds, sends: 'all'})

    const isRefused = answered && !committed && name !== 'machines.custom-data.create'
    expect(applied(run)).toEqual(isRefused ? [0, 0] : [1, 1])
    const end = isRefused ? {exit: 'refused', report: {rows: {refused: 2}}} : {exit: 'ok', report: {rows: {applied: 2}}}
    expect(reconciled).toMatchObject({solved: true, ...end})
  })

  test('a redirect is a refusal, and nothing is in doubt', async () => {
    const report = await runRoute(run, name, `redirect(${evil})`)

    expect(run.sandbox.faults.list()).toMatchObject([{fired: 1}])
    expect(report).toMatchObject({exit: 'unsafe', rows: {refused: 2}})
    expect(await run.reconcile()).toMatchObject({sets: [], solved: true, exit: 'unsafe'})
    expect(routeOf(name).applied(run)).toEqual([0, 0])
  })
})

test('a body above what is read', async () => {
  await runRoute(run, 'sites.create', 'big(65)')
  const {outcomes} = run.journal((journal) => reportOfRun(loadRun(journal)))

  const reconciled = await run.reconcile()

  expect(run.sandbox.faults.list()).toMatchObject([{fired: 1}])
  expect(outcomes).toMatchObject([{fate: 'inDoubt'}, {fate: 'inDoubt'}])
  expect(reconciled).toMatchObject({solved: true, exit: 'ok', sets: [{sent: 0}]})
  expect(routeOf('sites.create').applied(run)).toEqual([1, 1])
})
