import {hash} from 'node:crypto'
import {appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {test as base, describe, expect} from 'vitest'
import type {ExportFlags} from '../../../src/cli/reports/export-flags.js'
import {type ExportRegister, openExportRegister} from '../../../src/reports/register/export-register.js'
import {arrivedBy, day, first, hour, type Kill, named, type Sale, sorted, startNights} from '../../cli/nights.js'

type Nights = ReturnType<typeof startNights>

const test = base.extend<{nights: Nights}>({
  nights: async ({onTestFinished}, use) => {
    const nights = startNights(steady)
    onTestFinished(nights.remove)
    await use(nights)
  },
})

const steady: Sale[] = Array.from({length: 60}, (_, index) => {
  const local = Date.UTC(2024, 1, 26) + index * 2 * hour
  return {id: index + 1, sold: local, local, arrived: local}
})
const flags = named('tx-{date}.ndjson', {deliver: 'copy {file}'})
const file = (date: string) => `tx-2024-${date}.ndjson`
const idsDelivered = ({delivered}: Nights) => sorted([...delivered.values()].flat())

function stateOf({folder, path}: Nights, name: string) {
  const register = openExportRegister(join(folder, 'exports.db'))
  const found = register.findDelivery(path(name))
  register.close()
  return found
}

describe('a night with deliveries', () => {
  test('delivers what it wrote, and records it', async ({nights}) => {
    await nights.run({at: first, flags})

    expect(idsDelivered(nights)).toEqual(arrivedBy(steady, first))
    expect(stateOf(nights, file('02-28'))).toMatchObject({state: 'delivered', tries: 1, triedAt: first})
    expect(nights.errors).toEqual([])
  })

  test('is complete without its delivery, which the next one makes up for', async ({nights}) => {
    await nights.run({at: first, flags, failures: 1})
    const left = stateOf(nights, file('02-28'))
    const failure = nights.errors.splice(0)
    await nights.run({at: first + day, flags})

    expect(left).toMatchObject({state: 'outstanding', tries: 3, why: 'copy failed'})
    expect(failure).toMatchObject([{code: 'DELIVERY_FAILED', exit: 75}])
    expect(failure[0]?.message).toContain('is complete and recorded for --since-last nightly')
    expect([...nights.delivered.keys()]).toEqual([nights.path(file('02-28')), nights.path(file('02-29'))])
    expect(idsDelivered(nights)).toEqual(arrivedBy(steady, first + day))
    expect(nights.errors).toEqual([])
  })

  test.for([
    [{start: '-2d', end: '2024-02-27'}, 'Deliver it by hand: the range of this command moves with the clock'],
    [{start: '2024-02-26', end: '2024-02-27'}, 'Run the same command again: it delivers the file first.'],
  ] as const)('without a name and with the range %o tells what delivers the file', async ([range, hint], {nights}) => {
    await nights.run({at: first, flags: {...range, 'output-file': 'tx.ndjson', deliver: 'copy {file}'}, failures: 1})

    expect(nights.errors).toMatchObject([{code: 'DELIVERY_FAILED', hint: expect.stringContaining(hint)}])
  })

  test('delivers what is left, also where it cannot read', async ({nights}) => {
    await nights.run({at: first, flags, failures: 1})
    await nights.run({at: first + day, flags, kill: {at: 'request', request: 0}})

    expect(idsDelivered(nights)).toEqual(arrivedBy(steady, first))
  })

  test('gives up a file that was removed or changed, once and not silently', async ({nights}) => {
    await nights.run({at: first, flags, failures: 1})
    await nights.run({at: first + day, flags, failures: 2})
    rmSync(nights.path(file('02-28')))
    appendFileSync(nights.path(file('02-29')), '\n')
    nights.errors.splice(0)

    await nights.run({at: first + 2 * day, flags})
    const given = nights.errors.splice(0)
    await nights.run({at: first + 3 * day, flags})

    expect(given).toMatchObject([
      {code: 'OUTPUT_CHANGED', exit: 12, message: expect.stringContaining('02-28.ndjson was removed before')},
      {code: 'OUTPUT_CHANGED', exit: 12, message: expect.stringContaining('02-29.ndjson was changed before')},
    ])
    expect(given[0]?.hint).toMatch(/All that was given up: vendorctl exports show nightly$/)
    expect([stateOf(nights, file('02-28'))?.state, stateOf(nights, file('02-29'))?.state]).toEqual(['gone', 'changed'])
    expect(nights.errors).toEqual([])
    expect([...nights.delivered.keys()]).toEqual([nights.path(file('03-01')), nights.path(file('03-02'))])
  })

  test('gives up a file that somebody changes between two tries', async ({nights}) => {
    await nights.run({at: first, flags, failures: 1, meddle: () => appendFileSync(nights.path(file('02-28')), '\n')})
    const given = nights.errors.splice(0)
    await nights.run({at: first + day, flags})

    expect(given).toMatchObject([
      {code: 'OUTPUT_CHANGED', exit: 12, message: expect.stringContaining('02-28.ndjson was changed before')},
    ])
    expect(stateOf(nights, file('02-28'))).toMatchObject({state: 'changed', tries: 1})
    expect([...nights.delivered.keys()]).toEqual([nights.path(file('02-29'))])
    expect(nights.errors).toEqual([])
  })

  test('tries a file on that another run has replaced meanwhile', async ({nights}) => {
    const path = nights.path(file('02-28'))
    const replace = (register: ExportRegister) => {
      appendFileSync(path, '\n')
      const digest = `sha256:${hash('sha256', readFileSync(path))}`
      const manifest = {digest, bytes: 1, rows: 1, finishedAt: '2024-02-28T12:00:00Z'}
      register.expectDelivery({path, owner: undefined, manifest, at: first})
    }
    await nights.run({at: first, flags, failures: 1, meddle: replace})

    expect(nights.errors).toMatchObject([{code: 'DELIVERY_FAILED'}])
    expect(stateOf(nights, file('02-28'))).toMatchObject({state: 'outstanding'})
  })

  test('gives up no file that grew in a run which did not record it', async ({nights}) => {
    const growing: ExportFlags = named('all.ndjson', {append: true, deliver: 'copy {file}'})
    await nights.run({at: first, flags: growing, failures: 1})
    await nights.run({at: first + day, flags: growing, failures: 1, kill: {at: 'before recording'}})
    nights.errors.splice(0)

    await nights.run({at: first + 2 * day, flags: growing})

    expect(nights.errors).toEqual([])
    expect(idsDelivered(nights)).toEqual(arrivedBy(steady, first + 2 * day))
    expect(stateOf(nights, 'all.ndjson')).toMatchObject({state: 'delivered'})
  })

  test('delivers a file that grows each time', async ({nights}) => {
    const growing: ExportFlags = named('all.ndjson', {append: true, deliver: 'copy {file}'})

    for (let night = 0; night < 3; night++)
      await nights.run({at: first + night * day, flags: growing, failures: night === 1 ? 1 : 0})

    expect(idsDelivered(nights)).toEqual(arrivedBy(steady, first + 2 * day))
    expect(stateOf(nights, 'all.ndjson')).toMatchObject({state: 'delivered'})
  })

  test('delivers nothing without the flag, and leaves what waits', async ({nights}) => {
    await nights.run({at: first, flags, failures: 1})
    await nights.run({at: first + day, flags: named('tx-{date}.ndjson')})

    expect(nights.delivered.size).toBe(0)
    expect(stateOf(nights, file('02-28'))).toMatchObject({state: 'outstanding'})
    expect(stateOf(nights, file('02-29'))).toBeUndefined()
    expect(nights.notices).toEqual([expect.stringContaining('02-28.ndjson of --since-last nightly is not delivered')])
  })

  test('says once that a run with other filters does not deliver what waits', async ({nights}) => {
    const other = named('other-{date}.ndjson', {deliver: 'copy {file}', 'time-basis': 'utc', start: '-5d'})
    await nights.run({at: first, flags, failures: 1})
    await nights.run({at: first + day, flags: other})
    await nights.run({at: first + 2 * day, flags: other})

    expect(stateOf(nights, file('02-28'))).toMatchObject({state: 'outstanding'})
    expect(nights.notices.filter((text) => text.includes('02-28.ndjson'))).toHaveLength(1)
  })

  test('does not replace a file that waits, and delivers every record', async ({nights}) => {
    const fixed: ExportFlags = named('tx.ndjson', {deliver: 'copy {file}', overwrite: true})
    await nights.run({at: first, flags: fixed, failures: 1})

    await expect(nights.run({at: first + day, flags: fixed, failures: 1})).rejects.toMatchObject({
      code: 'DELIVERY_FAILED',
      exit: 'unavailable',
    })
    const kept = nights.idsOf('tx.ndjson')
    await nights.run({at: first + 2 * day, flags: fixed})

    expect(sorted([...kept, ...nights.idsOf('tx.ndjson')])).toEqual(arrivedBy(steady, first + 2 * day))
  })
})

describe('--keep-for', () => {
  const keeping = {...flags, 'keep-for': '2d'}

  test('removes what was delivered longer ago, with its manifest, and nothing else', async ({nights}) => {
    await nights.run({at: first, flags: keeping})
    await nights.run({at: first + day, flags: keeping, failures: 1})
    await nights.run({at: first + 2 * day, flags: keeping, failures: 2})

    await nights.run({at: first + 3 * day, flags: keeping, failures: 1})

    const files = readdirSync(nights.folder).filter((name) => name.startsWith('tx-'))
    expect(files).toEqual(['02-29', '03-01', '03-02'].flatMap((date) => [file(date), `${file(date)}.manifest.json`]))
    expect(stateOf(nights, file('02-28'))).toBeUndefined()
    expect(nights.losses()).toEqual([])
    expect(nights.notices).toEqual([])
  })

  test('keeps a file that is no longer what was delivered, and reports it once', async ({nights}) => {
    await nights.run({at: first, flags: keeping})
    await nights.run({at: first + day, flags: keeping})
    appendFileSync(nights.path(file('02-28')), '{}\n')
    renameSync(nights.path(file('02-29')), nights.path('moved'))
    symlinkSync(nights.path('moved'), nights.path(file('02-29')))

    for (const night of [4, 5]) await nights.run({at: first + night * day, flags: keeping})

    expect(['02-28', '02-29'].map((date) => existsSync(nights.path(file(date))))).toEqual([true, true])
    expect(nights.notices).toEqual(
      ['02-28', '02-29'].map((date) => `${nights.path(file(date))} was changed since it was delivered, so it is kept.`),
    )
  })

  test('takes the manifest of a file that somebody else removed', async ({nights}) => {
    await nights.run({at: first, flags: keeping})
    rmSync(nights.path(file('02-28')))

    await nights.run({at: first + 4 * day, flags: keeping})

    expect(existsSync(nights.path(`${file('02-28')}.manifest.json`))).toBe(false)
    expect([nights.notices, nights.losses()]).toEqual([[], []])
  })
})

describe('--skip-empty', () => {
  const skipping = {...flags, 'skip-empty': true}
  const after = Date.UTC(2024, 2, 3, 2)
  const covered = (nights: Nights) => nights.covered().map(([from, to]) => [from, to])

  test('writes and delivers nothing on a night without rows, and reads on from there', async ({nights}) => {
    await nights.run({at: after, flags: skipping})
    const before = covered(nights)
    const kinds: unknown[] = []
    for (const night of [1, 2]) {
      const ran = await nights.run({at: after + night * day, flags: skipping})
      kinds.push(typeof ran === 'object' && ran.outcome.kind)
    }

    expect(kinds).toEqual(['skipped', 'skipped'])
    expect(readdirSync(nights.folder).filter((name) => name.startsWith('tx-'))).toEqual([
      file('03-03'),
      `${file('03-03')}.manifest.json`,
    ])
    expect(nights.delivered.size).toBe(1)
    expect(covered(nights).length).toBeGreaterThan(before.length)
    expect(nights.losses()).toEqual([])
  })

  test('begins and leaves a file that grows when there is something to add', async ({nights}) => {
    const growing: ExportFlags = named('all.ndjson', {append: true, deliver: 'copy {file}', 'skip-empty': true})
    const early = Date.UTC(2024, 1, 22, 2)

    await nights.run({at: early, flags: growing})
    const isThere = existsSync(nights.path('all.ndjson'))
    for (const at of [early + day, first, after]) await nights.run({at, flags: growing})
    const bytes = readFileSync(nights.path('all.ndjson'))
    nights.delivered.clear()
    await nights.run({at: after + day, flags: growing})

    expect(isThere).toBe(false)
    expect(nights.idsOf('all.ndjson')).toEqual(arrivedBy(steady, after))
    expect(readFileSync(nights.path('all.ndjson'))).toEqual(bytes)
    expect(nights.delivered.size).toBe(0)
    expect(existsSync(nights.path('all.ndjson.part'))).toBe(false)
  })

  test.for<Kill>(['before recording', 'after recording'])(
    'killed %s is skipped the next night',
    async (at, {nights}) => {
      await nights.run({at: after, flags: skipping})
      await nights.run({at: after + day, flags: skipping, kill: {at}})
      await nights.run({at: after + 2 * day, flags: skipping})

      const left = readdirSync(nights.folder).filter((name) => name.startsWith('tx-') && !name.includes('03-03'))
      expect(left).toEqual([])
      expect(readdirSync(join(nights.folder, 'exports')).filter((name) => name.endsWith('.db'))).toEqual([])
    },
  )
})
