import {createServer as createTlsServer} from 'node:https'
import {type AddressInfo, createServer, type Server} from 'node:net'
import {describe, expect, onTestFinished, test} from 'vitest'
import {exitCodeOf} from '../../src/contract/index.js'
import type {PartState} from '../../src/runs/journal/journal-entries.js'
import {certificate, certificateKey} from '../support/certificate.js'
import {createTestClient} from '../support/client.js'
import {useRecordedRun} from './reconcile/recorded-run.js'
import {type RouteName, routeOf} from './reconcile/routes.js'

const run = useRecordedRun()

/** A create, an update, and a write without records. */
const names: RouteName[] = ['sites.create', 'alerts.update', 'alerts.clear']

type End = {exit: string; code: string; rows: object; states: PartState[]; requests: number}

const rejected: PartState[] = ['rejected', 'planned']
const planned: PartState[] = ['planned', 'planned']
const refused = (code: string, exit = 'refused'): End => {
  return {exit, code, rows: {refused: 1, unsent: 1}, states: rejected, requests: 1}
}
const denied = (code: string): End => refused(code, 'denied')
const limited = (code: string, requests: number): End => {
  return {exit: 'limited', code, rows: {unsent: 2}, states: planned, requests}
}

/** Answers that prove that nothing was done, each met by the first of two sets. */
const ends: Record<string, End> = {
  'status(403,NO_API_ACCESS)': denied('NO_API_ACCESS'),
  'status(403,DATA_ACCESS)': denied('DATA_ACCESS'),
  'status(403,{"message":"Missing Authentication Token"})': denied('HTTP_403'),
  'status(403,{"message":"Forbidden"})': denied('HTTP_403'),
  'status(403,html)': denied('HTTP_403'),
  'token-expire(0)': {...denied('API_TOKEN'), requests: 2},
  'status(404,MISSING_RECORD)': refused('MISSING_RECORD'),
  'status(421,MISSING_REQUIRED_DATA)': refused('MISSING_REQUIRED_DATA'),
  'status(400,DESERIALIZATION_ERROR)': refused('DESERIALIZATION_ERROR'),
  'status(400,GENERIC_ERROR)': refused('GENERIC_ERROR'),
  'status(400,DATE_PARSING)': refused('DATE_PARSING'),
  'status(400,INVALID_DATE_RANGE)': refused('INVALID_DATE_RANGE'),
  'status(422,GLOBAL_CHARGE_KEY)': refused('GLOBAL_CHARGE_KEY'),
  'status(400,[{"code":"SOMETHING_NEW","message":"m","pointers":[]}])': refused('SOMETHING_NEW'),
  'status(400,{"code":"ODD","message":"m"})': refused('ODD'),
  'status(400,html)': refused('HTTP_400'),
  'status(413)': refused('HTTP_413'),
  quota: limited('QUOTA', 1),
  throttle: limited('THROTTLED', 6),
  'throttle(86400)': limited('WAIT_TOO_LONG', 1),
}

type Nowhere = {url: string; exit: string; retry: string}

const later = {exit: 'unavailable', retry: 'safe'}

/** A service that no connection reaches. */
const nowhere: Record<string, () => Promise<Nowhere>> = {
  'a name that is not known': async () => ({url: 'https://no-such-host.invalid', ...later}),
  'a port that nobody listens at': async () => {
    const server = createServer()
    const port = await listen(server)
    server.close()
    return {url: `http://127.0.0.1:${port}`, ...later}
  },
  'a certificate of nobody': async () => {
    const server = createTlsServer({cert: certificate, key: certificateKey})
    onTestFinished(() => void server.close())
    return {url: `https://localhost:${await listen(server)}`, exit: 'unsafe', retry: 'after-fix'}
  },
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
}

describe.each(names)('%s', (name) => {
  const {operation, lines, applied} = routeOf(name)

  test.each(Object.entries(ends))('%s', async (fault, {exit, code, rows, states, requests}) => {
    const file = await lines(run)
    const before = run.requests()[operation] ?? 0
    run.sandbox.faults.set([`${fault}@${operation}`])

    const report = await run.run(operation, file, {setSize: 1})

    expect(run.sandbox.faults.list()).toMatchObject([{fired: requests}])
    expect(report).toMatchObject({exit, rows: {applied: 0, inDoubt: 0, rolledBack: 0, ...rows}})
    expect(report.outcomes.at(0)).toMatchObject({code})
    expect(report.entries[0]).toMatchObject({code, changed: 'none'})
    expect(run.requests()[operation]).toBe(before + requests)
    expect(applied(run)).toEqual([0, 0])
    expect(run.journal((journal) => journal.parts().map(({state}) => state))).toEqual(states)
    expect(await run.reconcile()).toMatchObject({sets: [], solved: true})
  })

  test.each([
    ['throttle', 3],
    ['throttle(1)', 3],
    ['throttle(-5)', 3],
    ['throttle(soon)', 3],
    ['ctype(text/html)', 2],
    ['status(401,API_TOKEN)', 3],
    ['status(503,{"message":"Rate exceeded"})', 3],
  ])('is cured, and each row is applied once: %s', async (fault, requests) => {
    const file = await lines(run)
    const before = run.requests()[operation] ?? 0
    run.sandbox.faults.set([`${fault}@${operation}#1`])

    const report = await run.run(operation, file, {setSize: 1})

    expect(run.sandbox.faults.list()).toMatchObject([{fired: 1}])
    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}})
    expect(run.requests()[operation]).toBe(before + requests)
    expect(applied(run)).toEqual([1, 1])
  })

  test('a quota that is used up on the way keeps what was applied, and the rest is left', async () => {
    const file = await lines(run)
    const before = run.requests()[operation] ?? 0
    run.sandbox.faults.set([`quota@${operation}#2`])

    const report = await run.run(operation, file, {setSize: 1})

    expect(run.sandbox.faults.list()).toMatchObject([{fired: 1}])
    expect(report).toMatchObject({exit: 'partial', rows: {applied: 1, unsent: 1}, entries: [{code: 'QUOTA', exit: 8}]})
    expect(run.requests()[operation]).toBe(before + 2)
    expect(applied(run)).toEqual([1, 0])
    expect(run.journal((journal) => journal.parts().map(({state}) => state))).toEqual(['confirmed', 'planned'])
  })

  test.each(Object.entries(nowhere))('%s: nothing left', async (_, start) => {
    const {url, exit, retry} = await start()
    const file = await lines(run)
    const lost = createTestClient(url)
    const client = {readPages: run.client.readPages, write: lost.client.write}

    const report = await run.run(operation, file, {client})

    const rows = {applied: 0, inDoubt: 0, unsent: 2}
    expect(report).toMatchObject({exit, rows, entries: [{exit: exitCodeOf(report.exit).code, changed: 'none', retry}]})
    expect(run.journal((journal) => journal.parts())).toMatchObject([{state: 'planned', attempts: 1}])
    expect(await run.reconcile()).toMatchObject({sets: [], solved: true})
    expect(applied(run)).toEqual([0, 0])
    lost.client.close()
  })

  test('a set that is too large is halved', async () => {
    const file = await lines(run)
    run.sandbox.faults.set([`status(413)@${operation}#1`])

    const report = await run.run(operation, file)

    expect(run.sandbox.faults.list()).toMatchObject([{fired: 1}])
    expect(report).toMatchObject({exit: 'ok', rows: {applied: 2}})
    expect(applied(run)).toEqual([1, 1])
    expect(run.journal((journal) => journal.parts())).toMatchObject([
      {state: 'rejected', places: [0, 1]},
      {state: 'confirmed', places: [0], parent: 1},
      {state: 'confirmed', places: [1], parent: 1},
    ])
  })
})
