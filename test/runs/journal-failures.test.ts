import {DatabaseSync} from 'node:sqlite'
import {afterEach, describe, expect, test} from 'vitest'
import {siteHeader} from '../support/site-lines.js'
import {useRecordedRun} from './reconcile/recorded-run.js'
import {type RouteName, routeOf} from './reconcile/routes.js'

const run = useRecordedRun()

/** A create, an update, and a write without records. */
const names: RouteName[] = ['sites.create', 'alerts.update', 'alerts.clear']

/** What SQLite says of a disk: full, broken, read-only. [pub] */
const failures = [
  ['STATE_FULL', 13],
  ['STATE_IO', 10],
  ['STATE_UNWRITABLE', 8],
] as const

const {exec} = DatabaseSync.prototype
afterEach(() => {
  DatabaseSync.prototype.exec = exec
})

/** From the commit with this number to the last one no journal takes anything; the first two make the journal. */
function failFrom(first: number, errcode: number, last = Number.POSITIVE_INFINITY): () => number {
  let commits = 0
  DatabaseSync.prototype.exec = function (sql) {
    const isJournal = this.location()?.endsWith('.run')
    if (sql === 'COMMIT' && isJournal && ++commits >= first && commits <= last) {
      Reflect.apply(exec, this, ['ROLLBACK'])
      throw Object.assign(new Error('the disk fails'), {code: 'ERR_SQLITE_ERROR', errcode})
    }
    return Reflect.apply(exec, this, [sql])
  }
  return () => commits
}

describe.each(names)('%s', (name) => {
  const {operation, lines, applied} = routeOf(name)

  test.each(failures)('%s before a set is sent: it is not sent', async (code, errcode) => {
    const file = await lines(run)
    const before = run.requests()[operation] ?? 0
    const commits = failFrom(3, errcode)

    const report = await run.run(operation, file, {setSize: 1})

    expect(commits()).toBeGreaterThan(2)
    expect(report).toMatchObject({exit: 'storage', rows: {applied: 0, inDoubt: 0, unsent: 2}})
    expect(report.entries[0]).toMatchObject({code, exit: 12, changed: 'none'})
    expect(run.requests()[operation] ?? 0).toBe(before)
    expect(applied(run)).toEqual([0, 0])
  })

  test.each(failures)(
    '%s after an answer: reported, read back later, and nothing more is sent',
    async (code, errcode) => {
      const file = await lines(run)
      const before = run.requests()[operation] ?? 0
      const commits = failFrom(4, errcode)

      const report = await run.run(operation, file, {setSize: 1})

      expect(commits()).toBeGreaterThan(3)
      expect(report).toMatchObject({exit: 'storage', rows: {applied: 1, inDoubt: 0, unsent: 1}})
      expect(report.entries.map((entry) => entry.code)).toContain(code)
      expect(run.requests()[operation]).toBe(before + 1)
      expect(applied(run)).toEqual([1, 0])

      DatabaseSync.prototype.exec = exec
      const {report: reconciled} = await run.reconcile()

      expect(reconciled).toMatchObject({rows: {applied: 1, inDoubt: 0, unsent: 1}})
      expect(applied(run)).toEqual([1, 0])
    },
  )

  test('an answer that could not be kept ends the run, also when the disk works again', async () => {
    const file = await lines(run)
    const before = run.requests()[operation] ?? 0
    const commits = failFrom(4, 10, 4)

    const report = await run.run(operation, file, {setSize: 1})

    expect(commits()).toBe(5)
    expect(report).toMatchObject({exit: 'storage', rows: {applied: 1, inDoubt: 0, unsent: 1}})
    expect(run.requests()[operation]).toBe(before + 1)
    expect(applied(run)).toEqual([1, 0])
  })

  test('before a set that was throttled is sent again: it is not in doubt afterwards', async () => {
    const file = await lines(run)
    run.sandbox.faults.set([`throttle(1)@${operation}#1`])
    failFrom(4, 13, 4)

    const report = await run.run(operation, file, {setSize: 1})

    expect(report).toMatchObject({exit: 'storage', rows: {applied: 0, inDoubt: 0, unsent: 2}})
    expect(run.journal((journal) => journal.parts().map(({state}) => state))).toEqual(['planned', 'planned'])
    expect(applied(run)).toEqual([0, 0])
  })
})

test('before a set that is too large is cut: nothing of it is sent', async () => {
  const lines = ['A', 'B', 'C', 'D'].map((name) => `201,101,Quay ${name},true,500,10,Net10`)
  run.sandbox.faults.set(['status(413)@sites.create#1'])
  failFrom(9, 13, 9)

  const report = await run.run('sites.create', [siteHeader, ...lines], {setSize: 2})

  expect(report).toMatchObject({exit: 'storage', rows: {applied: 2, inDoubt: 0, unsent: 2}})
  expect(report.entries).toMatchObject([{code: 'STATE_FULL', exit: 12}])
})
