import {expect, test} from 'vitest'
import type {Page, ReadRequest} from '../../../src/client/types.js'
import {CliFailure} from '../../../src/core/errors.js'
import {entriesOf, nextStepOf, nextStepText, withPickUp} from '../../../src/runs/report/next-step.js'
import type {RunReport} from '../../../src/runs/report/report.js'

const command = 'vendorctl runs results 20240101-000000-00000'

test.each([
  ['refused', `Fix the refused rows and send them: ${command}`],
  ['denied', `No row is at fault; send them again when the service permits it: ${command}`],
  ['unsafe', `No row is at fault; send them again when the service permits it: ${command}`],
])('a run that ended %s says whether its rows are at fault', (exit, expected) => {
  expect(nextStepText(nextStepOf('done', '20240101-000000-00000', {refused: 2, exit}))).toBe(expected)
})

const id = '20240101-000000-00000'
const resume = `Send what is left: vendorctl runs resume ${id}`

test.each([
  ['interrupted', {applied: 1}, {exit: 130, changed: 'some', retry: 'safe', hint: resume}],
  ['interrupted', {}, {exit: 130, changed: 'none', retry: 'safe', hint: resume}],
  ['partial', {applied: 1}, {exit: 6, changed: 'some', retry: 'safe', hint: resume}],
  ['inDoubt', {inDoubt: 1}, {exit: 7, changed: 'unknown', hint: expect.stringContaining(`runs reconcile ${id}`)}],
])('a run that ended %s without a failure says what it changed, and names itself: %j', (exit, some, entry) => {
  const rows = {applied: 0, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 1, unchanged: 0, ...some}
  const report = {runId: id, rows, outcomes: [{line: 2, fate: 'unsent'}], entries: [], exit} as unknown as RunReport

  expect(entriesOf(report)).toMatchObject([entry])
  expect(entriesOf({...report, exit: 'ok'})).toEqual([])
})

test('what was stopped before it had a run is begun again', () => {
  const report = {rows: {}, outcomes: [], entries: [], exit: 'interrupted'} as unknown as RunReport

  expect(entriesOf(report)).toMatchObject([{changed: 'none', hint: 'Run the same command again.'}])
})

const machine = (id: number, hasPlanogramChange: boolean) => ({
  ...{id, hasPlanogramChange, lastHeartBeat: {server: `2026-01-0${id}T00:00:00`}},
})

/** Four rows, of which the first three were applied, each in a machine of its own; the third changed a count only. */
function pickUp(found: unknown[], {applied = 3, signal}: {applied?: number; signal?: AbortSignal} = {}) {
  const asked: unknown[] = []
  async function* readPages(_: string, {filters}: ReadRequest): AsyncGenerator<Page, void, void> {
    asked.push(filters.machineIdentifiers)
    if (found.length === 0) throw new CliFailure('Not now.', {code: 'UNREACHABLE', exit: 'unavailable'})
    const page = {number: 1, size: 2_000, totalPages: 1, count: found.length, served: {}, records: found}
    yield page as unknown as Page
  }
  const rows = [1, 2, 3, 4].map((machineId) => ({line: machineId + 1, record: {id: machineId, machineId}}))
  const change = (line: number, field: string) => ({line, id: line - 1, field, from: 1, to: 2})
  const changes = [change(2, 'price'), change(3, 'price'), change(4, 'count'), change(5, 'price')]
  const outcomes = rows.map(({line}) => ({line, fate: line < 5 ? 'applied' : 'unsent'}))
  const report = {rows: {applied}, outcomes, notices: []} as unknown as RunReport
  const plan = {operation: 'selections.update' as const, rows, comparison: {changes, missing: [], unchanged: 0}}
  const around = {service: {client: {readPages}}, person: {progress: () => undefined}, signal}
  return withPickUp(report, plan, around).then((told) => ({asked, told, report}))
}

test('machines that an applied row concerns are counted, with how many wait for it and since when they are silent', async () => {
  const {asked, told} = await pickUp([machine(1, true), machine(2, false)])

  expect(asked).toEqual([['1', '2']])
  expect(told.pickUp).toEqual({machines: 2, waiting: 1, oldest: '2026-01-01T00:00:00', newest: '2026-01-01T00:00:00'})
})

test('machines that cannot be read change nothing of a report, and none are read where nothing was applied', async () => {
  const [lost, none] = [await pickUp([]), await pickUp([], {applied: 0})]
  const stopped = await pickUp([], {signal: AbortSignal.abort()})

  expect(lost.told.notices).toEqual(['how many machines have picked up the change is not known: Not now.'])
  for (const {asked, told, report} of [none, stopped]) expect([asked, told]).toEqual([[], report])
})
