import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {openPostgres} from '../../../src/core/postgres.js'
import {openExportRegister} from '../../../src/reports/register/export-register.js'
import {listShared} from '../../../src/reports/register/list-named.js'
import {shareMark, toResetMark} from '../../../src/reports/register/move-marks.js'
import type {SharedFinish} from '../../../src/reports/register/shared-turn.js'
import {marksOf as marksFor, takeTurn} from '../../../src/reports/register/take-turn.js'
import {toPostgresAddress} from '../../../src/values/database-address.js'
import {failureOf} from '../../support/failure-of-call.js'
import {makeFolder} from '../../support/folder.js'
import {sharedPostgres} from '../../support/postgres.js'
import {marksDatabase, marksOf} from '../../support/shared-marks.js'

const named = {name: 'nightly', scope: 'all'}

function night(host: string, day: number): SharedFinish {
  const [from, to] = [`2024-03-0${day}T00:00:00`, `2024-03-0${day + 1}T00:00:00`]
  const watermark = {at: to, nextStart: from, keys: [host], manifest: `sha256:${host}${day}`}
  const last = {from, to, rows: day, file: null, at: 1_700_000_000_000 + day}
  return {id: `${host} ${day}`, watermark, last, coverage: 'all', covered: []}
}

/** A machine with a register of its own that reads the nights of a name. */
function machine(url: string, host: string) {
  const folder = makeFolder()
  const register = openExportRegister(join(folder, 'register.db'))
  onTestFinished(() => register.close())
  const notices: string[] = []
  const shared = marksOf(url, host)
  const take = () => takeTurn(named, {shared, register, onNotice: (text) => notices.push(text)})
  return {
    notices,
    async read(day: number) {
      const {turn} = await take()
      const finish = night(host, day)
      const moved = await turn.record(finish)
      register.finish({
        ...{scope: 'all', covered: [], last: finish.last, at: finish.last.at, shared: moved},
        watermark: {...named, value: finish.watermark},
      })
      await turn.release()
    },
    /** As `exports reset` to where this machine was. */
    async reset() {
      const turn = await shared.take(named)
      const seen = register.findSeen(named)
      register.see(named, await turn.put(toResetMark(turn.mark.value, seen?.at ?? ''), seen?.version))
      await turn.release()
    },
    async marks() {
      const {turn} = await take()
      await turn.release()
      return {shared: (await shared.read(named)).value?.at, seen: register.findSeen(named)?.at}
    },
    async begin() {
      const begun = await take()
      await begun.turn.release()
      return begun
    },
    /** A night that was read when this machine shared nothing. */
    readAlone: (day: number) => register.reset({...named, value: night(host, day).watermark}),
    async share() {
      const turn = await shared.take(named)
      try {
        await shareMark(named, turn, register)
      } finally {
        await turn.release()
      }
    },
    own: () => register.findWatermark(named)?.at,
    register,
  }
}

test('what this machine has not delivered is told beside the mark that all share', async () => {
  const url = await marksDatabase()
  const one = machine(url, 'web-1')
  await one.read(1)
  const waiting = {
    path: '/tx.csv',
    digest: '',
    bytes: 1,
    rows: 1,
    writtenAt: 0,
    state: 'outstanding',
    tries: 3,
  } as const
  const session = await openPostgres(toPostgresAddress(url), {name: 'list'})
  onTestFinished(() => session.close())

  const other = marksOf(url, 'web-2', 7)
  await other.take({name: 'begun', scope: 'all'})
  const [begun, listed] = await listShared(session, [
    {...named, facts: {run: 'tx'}, state: 'done', undelivered: [waiting]},
  ])

  expect(begun).toEqual({
    ...{key: 'ab12cd34-1', name: 'begun', scope: 'all', undelivered: [], facts: {}, state: 'running'},
    holder: expect.stringContaining('web-2 (pid 7, '),
  })
  expect(listed).toMatchObject({undelivered: [waiting], host: 'web-1', facts: {run: 'tx'}})
  expect(listed?.mark).toEqual({at: '2024-03-02T00:00:00', nextStart: '2024-03-01T00:00:00'})
})

const back = 'DELETE FROM vendorctl.mark; INSERT INTO vendorctl.mark SELECT * FROM backup'

test('a store that was restored from an older copy delivers nothing twice, and says what to do', async () => {
  const url = await marksDatabase()
  const {sql} = await sharedPostgres()
  const lone = machine(url, 'web-1')
  await lone.read(1)
  await sql('CREATE TABLE public.backup AS SELECT * FROM vendorctl.mark', url)
  await lone.read(2)
  await sql(back, url)

  const failure = await failureOf(lone.read(3))
  const again = await failureOf(lone.marks())

  expect(failure).toMatchObject({code: 'MARK_SET_BACK', exit: 'storage'})
  expect(failure.message).toContain('records from 2024-03-02T00:00:00 to 2024-03-03T00:00:00 would come a second time')
  expect(failure.hints).toEqual([
    expect.stringContaining('vendorctl exports reset nightly --to 2024-03-03T00:00:00'),
    expect.stringContaining('vendorctl exports reset nightly --to 2024-03-02T00:00:00'),
  ])
  expect(again.message).toBe(failure.message)
})

test('one reset after a store was restored is enough for all machines', async () => {
  const url = await marksDatabase()
  const {sql} = await sharedPostgres()
  const [one, other] = [machine(url, 'web-1'), machine(url, 'web-2')]
  await one.read(1)
  await sql('CREATE TABLE public.backup AS SELECT * FROM vendorctl.mark', url)
  await other.read(2)
  await one.read(3)
  await sql(back, url)

  await one.reset()
  const marks = await other.marks()

  expect(marks).toEqual({shared: '2024-03-04T00:00:00', seen: '2024-03-04T00:00:00'})
  expect(other.notices).toEqual([])
})

test('what another machine read a second time after a backup was restored is told by the one that knows', async () => {
  const url = await marksDatabase()
  const {sql} = await sharedPostgres()
  const [one, other] = [machine(url, 'web-1'), machine(url, 'web-2')]
  await one.read(1)
  await sql('CREATE TABLE public.backup AS SELECT * FROM vendorctl.mark', url)
  await other.read(2)
  await other.read(3)
  await sql(back, url)
  await one.read(4)

  const failure = await failureOf(other.marks())

  expect(failure).toMatchObject({code: 'MARK_SET_BACK', exit: 'storage'})
  expect(failure.message).toContain('web-1 has read again what lies before that')
  expect(failure.hints[0]).toContain('vendorctl exports reset nightly --to 2024-03-05T00:00:00')
})

test('a mark of this machine alone is neither used nor lost until it is moved, once', async () => {
  const url = await marksDatabase()
  const [one, other] = [machine(url, 'web-1'), machine(url, 'web-2')]
  one.readAlone(1)

  const unshared = await failureOf(one.marks())
  await one.share()
  const marks = await other.marks()
  const own = one.own()
  const again = await failureOf(one.share())

  expect(unshared).toMatchObject({
    code: 'MARK_LOCAL',
    exit: 'invalid',
    hints: [expect.stringContaining('exports share nightly')],
  })
  expect(marks.shared).toBe('2024-03-02T00:00:00')
  expect(own).toBeUndefined()
  expect(again).toMatchObject({code: 'NO_WATERMARK', exit: 'usage'})
})

test('a kill between the store and the register is repeated, and what was unfinished still begins there', async () => {
  const url = await marksDatabase()
  const one = machine(url, 'web-1')
  one.readAlone(1)
  const register = Object.create(one.register, {see: {value: () => expect.unreachable('killed')}})
  const turn = await marksOf(url, 'web-1', 2).take(named)
  await expect(shareMark(named, turn, register)).rejects.toThrow('killed')
  await turn.release()

  await one.share()
  const {isCurrent} = await one.begin()

  expect(one.own()).toBeUndefined()
  expect(isCurrent).toBe(true)
})

test('of two marks of a name, both are shown, and neither is used where this machine has read further', async () => {
  const url = await marksDatabase()
  const [one, other] = [machine(url, 'web-1'), machine(url, 'web-2')]
  await one.read(1)
  other.readAlone(3)

  const shared = await failureOf(other.share())
  const read = await failureOf(other.marks())

  for (const failure of [shared, read]) {
    expect(failure).toMatchObject({code: 'MARK_LOCAL', exit: 'invalid'})
    expect(failure.message).toContain('this machine is complete up to 2024-03-04T00:00:00')
    expect(failure.message).toContain('of web-1, up to 2024-03-02T00:00:00')
    expect(failure.hints).toHaveLength(2)
  }
  const third = machine(url, 'web-3')
  third.readAlone(1)
  expect(await failureOf(third.share())).toMatchObject({code: 'MARK_LOCAL', hints: [expect.stringContaining('web-1')]})
})

test('a shared mark is not read without its store', async () => {
  const url = await marksDatabase()
  const one = machine(url, 'web-1')
  await one.read(1)

  expect(() => marksFor(one.register, undefined).findWatermark(named)).toThrow(
    'its mark is in the store that machines share',
  )
})

test('what a machine has begun to read is current until another one has read on', async () => {
  const url = await marksDatabase()
  const [one, other, late] = [machine(url, 'web-1'), machine(url, 'web-2'), machine(url, 'web-3')]
  const isCurrent = async ({begin}: typeof one) => (await begin()).isCurrent

  const unread = await isCurrent(one)
  one.register.beginFrom(named, 0)
  const begun = await isCurrent(one)
  await other.read(1)

  expect([unread, begun, await isCurrent(one), await isCurrent(late)]).toEqual([true, true, false, false])
})

test('another store, which knows less than this machine has seen, is taken for an older copy', async () => {
  const [url, anew] = [await marksDatabase(), await marksDatabase()]
  const [one, other] = [machine(url, 'web-1'), machine(anew, 'web-2')]
  await one.read(2)
  const take = () =>
    takeTurn(named, {shared: marksOf(anew, 'web-1'), register: one.register, onNotice: () => undefined})

  const empty = await failureOf(take())
  await other.read(1)
  const behind = await failureOf(take())
  await other.read(3)

  expect([empty.code, behind.code]).toEqual(['MARK_SET_BACK', 'MARK_SET_BACK'])
  await expect(take()).resolves.toMatchObject({isCurrent: false})
})
