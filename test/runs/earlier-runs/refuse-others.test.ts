import {chmodSync} from 'node:fs'
import {dirname} from 'node:path'
import {describe, expect, test} from 'vitest'
import {lockRun} from '../../../src/core/run-id.js'
import {openDatabase} from '../../../src/core/sqlite.js'
import {findOpenRun, readRuns} from '../../../src/runs/earlier-runs/read-runs.js'
import {findEnded, refuseAnother, refuseBeside, refuseOpenDoubt} from '../../../src/runs/earlier-runs/refuse-others.js'
import type {EarlierRuns} from '../../../src/runs/earlier-runs/related-runs.js'
import {loadRun} from '../../../src/runs/journal/load-run.js'
import {runPath} from '../../../src/runs/journal/run-folder.js'
import {writeSentCounter} from '../../../src/runs/journal/sent-counter.js'
import {stockUp} from '../../support/stock.js'
import {failureOf, useRuns} from './runs.js'

const runs = useRuns()
const lines = ['machineId,code,message', '5001,CJ,Stuck', '5002,CJ,Stuck']

/** What a write of the rows of a run does before it begins, when it looked while the runs of `seen` were there. */
function check(id: string, seen: readonly string[], file?: string): void {
  refuseAnother(runs.journal(id, loadRun).plan, {earlier: earlierOf(id), path: file, seen: new Set(seen)})
}

const pathOf = (id: string) => runs.journal(id, (journal) => dirname(journal.path))

function earlierOf(id: string): EarlierRuns {
  const unused = () => {
    throw new TypeError('not needed')
  }
  return {
    ...{folder: {path: pathOf(id)}, target: runs.journal(id, (journal) => journal.facts())},
    ...{keptMilliseconds: 0, fingerprint: unused, reconcile: unused},
  }
}

test('of two who prepare the same rows at once one sends them, also when the other has ended by then', async () => {
  await runs.give('alerts.create', lines)
  const [first = ''] = runs.ids()

  expect(() => check(first, [])).toThrow(
    expect.objectContaining({
      code: 'SENT_MEANWHILE',
      exit: 'locked',
      message: `Run ${first} sent the same rows, or changed the same records, while this write was being prepared; nothing was sent.`,
    }),
  )
})

test('of two who prepare the same file at once one sends it, though it was edited in between', async () => {
  await runs.give('alerts.create', lines, {path: '/alerts.csv'})
  await runs.give('alerts.create', ['machineId,code,message', '5003,CJ,Dark'], {fresh: true})
  const [first = '', edited = ''] = runs.ids()

  expect(() => check(edited, [edited], '/alerts.csv')).toThrow(expect.objectContaining({code: 'SENT_MEANWHILE'}))
  expect(() => check(edited, [edited], '/others.csv')).not.toThrow()
  expect(() => check(edited, [first, edited], '/alerts.csv')).not.toThrow()
})

describe('records that another run is changing', () => {
  const prices = ['id,maxChargePrice', '1001,831', '1002,771', '1003,761']
  const running = async () => {
    await runs.give('sites.update', prices, {setSize: 1, diesAt: {set: 2, when: 'before'}})
    const [id = ''] = runs.ids()
    const earlier = earlierOf(id)
    return {id, earlier, lock: lockRun(earlier.folder, id)}
  }
  const prepare = async (lines: string[]) => {
    await runs.give('sites.update', lines, {fresh: true})
    return runs.journal(runs.ids().at(-1) ?? '', loadRun).plan
  }

  test('are not changed in other fields by a second one, which would be set back', async () => {
    const {id, earlier, lock} = await running()
    const [same, others] = [await prepare(['id,name', '1003,Other']), await prepare(['id,name', '1004,Free'])]
    const known = {ended: new Set(runs.ids()), own: new Set<string>()}
    const locked = expect.objectContaining({code: 'RUN_LOCKED', exit: 'locked'})

    expect(() => refuseBeside(same, earlier, known)).toThrow(locked)
    expect(() => refuseBeside(same, earlier, {...known, own: new Set([id])})).not.toThrow()
    expect(() => refuseBeside(others, earlier, known)).not.toThrow()
    lock.release()
    expect(() => refuseBeside(same, earlier, known)).not.toThrow()
  })

  test('and was done before the second could begin, after it had read them', async () => {
    const {id, earlier, lock} = await running()
    const ended = findEnded(earlier.folder)
    lock.release()
    const plan = await prepare(['id,name', '1003,Other'])
    const own = new Set([runs.ids().at(-1)])

    const afterwards = {ended: findEnded(earlier.folder), own}
    expect(() => refuseBeside(plan, earlier, {ended, own})).toThrow(
      expect.objectContaining({code: 'SENT_MEANWHILE', message: expect.stringContaining(id)}),
    )
    expect(() => refuseBeside(plan, earlier, afterwards)).not.toThrow()
  })
})

test('a run that was there before came not between', async () => {
  await runs.give('alerts.create', lines)
  const [first = ''] = runs.ids()

  expect(() => check(first, [first])).not.toThrow()
})

test('a run that was only about to begin was not there before', async () => {
  await runs.give('alerts.create', lines)
  const [first = ''] = runs.ids()
  const {facts, path} = runs.journal(first, (journal) => ({facts: journal.facts(), path: dirname(journal.path)}))
  const about = '20260131-120001-00000'
  writeSentCounter(runPath({path}, about), facts, 0, {isNew: true})

  const {seen} = readRuns({path}, {target: facts})

  expect([...seen]).toEqual([first])
})

describe('a run whose journal was changed where nobody looks at first', () => {
  const damage = (id: string) => {
    const database = openDatabase(runPath({path: pathOf(id)}, id))
    database.exec('UPDATE row SET line = 9')
    database.close()
  }
  const killed = {setSize: 1, diesAt: {set: 2, when: 'before'}} as const

  test.for([undefined, '20260131-120000-00000'])(
    'keeps the same write from being sent: continued by %s',
    async (by) => {
      await runs.give('alerts.create', lines, killed)
      const [first = ''] = runs.ids()
      const earlier = earlierOf(first)
      runs.journal(first, (journal) => journal.learn({continuedBy: by}))
      damage(first)

      const failure = await failureOf(runs.give('alerts.create', lines))
      const dry = await runs.give('alerts.create', lines, {dryRun: true})
      const {unreadable, seen} = readRuns(earlier.folder, earlier)

      expect(failure).toMatchObject({code: 'EARLIER_UNREADABLE', exit: 'storage'})
      expect(failure.message).not.toContain('more run')
      expect(failure.hints).toContain('To ignore earlier runs, which may write rows twice: --fresh')
      expect(dry?.notices).toEqual([expect.stringContaining(`the journal of run ${first} cannot be read`)])
      expect([unreadable.map(({id}) => id), [...seen]]).toEqual([[first], [first]])
      expect(() => findOpenRun(earlier.folder)).not.toThrow() // what it says of itself can still be read
    },
  )

  test('is counted beside others that cannot be read, and hides no run that can', async () => {
    await runs.give('alerts.create', lines, killed)
    await runs.give('alerts.create', lines, {...killed, fresh: true})
    const [first = '', second = ''] = runs.ids()
    const {folder, target} = earlierOf(first)
    for (const id of [first, second]) damage(id)
    const database = openDatabase(runPath(folder, second))
    database.exec('PRAGMA user_version=0')
    database.close()

    const failure = await failureOf(runs.give('alerts.create', lines))
    const [{seen}, open] = [readRuns(folder, {target}), findOpenRun(folder)]
    const other = openDatabase(runPath(folder, first))
    other.exec('PRAGMA user_version=0')
    other.close()

    expect(failure.message).toContain('1 more run cannot be read either.')
    expect([[...seen], open]).toEqual([[first, second], first])
    expect(() => findOpenRun(folder)).toThrow(expect.objectContaining({exit: 'storage'}))
    chmodSync(runPath(folder, first), 0o644) // that is no damage, and nothing of it is believed
    expect(() => readRuns(folder, {target})).toThrow(expect.objectContaining({exit: 'unsafe'}))
    expect(() => findOpenRun(folder)).toThrow(expect.objectContaining({exit: 'unsafe'}))
  })
})

test('a plan that changes a record by a number waits for the doubt of another run about that record', async () => {
  const adjust = (id: number) => ['selectionId,delta', `${id},1`]
  stockUp(runs.sandbox, 20_001, 20_002)
  await runs.give('selections.adjust', adjust(20_001), {diesAt: {set: 1, when: 'before'}})
  const [first = ''] = runs.ids()
  await runs.give('selections.adjust', adjust(20_002), {fresh: true})
  const [same, other] = [first, runs.ids().at(-1) ?? ''].map((id) => runs.journal(id, loadRun).plan)
  const earlier = earlierOf(first)

  expect(() => same && refuseOpenDoubt(same, earlier)).toThrow(expect.objectContaining({code: 'EARLIER_IN_DOUBT'}))
  expect(() => same && refuseOpenDoubt(same, {...earlier, self: first})).not.toThrow()
  expect(() => other && refuseOpenDoubt(other, earlier)).not.toThrow()
})
