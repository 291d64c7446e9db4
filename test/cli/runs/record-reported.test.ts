import {DatabaseSync} from 'node:sqlite'
import {afterEach, expect, test} from 'vitest'
import {recordReported} from '../../../src/runs/write/start-record.js'
import {useRecordedRun} from '../../runs/reconcile/recorded-run.js'
import {routeOf} from '../../runs/reconcile/routes.js'

const recorded = useRecordedRun()

const {exec} = DatabaseSync.prototype
afterEach(() => {
  DatabaseSync.prototype.exec = exec
})

test('a full disk does not fail what was reported already: the next command reports it once more', async () => {
  const {operation, lines} = routeOf('sites.create')
  await recorded.run(operation, await lines(recorded), {setSize: 1})
  const outcomes = recorded.journal((journal) => {
    journal.end({exit: 'ok', rows: journal.outcome()?.rows, untold: true} as Parameters<typeof journal.end>[0])
    DatabaseSync.prototype.exec = function (sql) {
      if (sql !== 'COMMIT') return Reflect.apply(exec, this, [sql])
      Reflect.apply(exec, this, ['ROLLBACK'])
      throw Object.assign(new Error('the disk is full'), {code: 'ERR_SQLITE_ERROR', errcode: 13})
    }
    recordReported(journal, {})
    const onFullDisk = journal.outcome()?.untold
    DatabaseSync.prototype.exec = exec
    recordReported(journal, {})
    return [onFullDisk, journal.outcome()?.untold]
  })

  expect(outcomes).toEqual([true, undefined])
})
