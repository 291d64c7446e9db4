import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {test as base, describe, expect} from 'vitest'
import {chooseRuns} from '../../../src/activities/remove-runs.js'
import type {ExportFlags} from '../../../src/cli/reports/export-flags.js'
import {CliFailure} from '../../../src/core/errors.js'
import {stateNameOf} from '../../../src/reports/export/export-identity.js'
import {openExportRegister} from '../../../src/reports/register/export-register.js'
import {listNamed} from '../../../src/reports/register/list-named.js'
import {refuseUnrecorded} from '../../../src/reports/register/move-marks.js'
import type {SharedMarks} from '../../../src/reports/register/shared-marks.js'
import {arrivedBy, day, first, hour, named, type Sale, sorted, startNights, takeAway} from '../nights.js'

type Fixtures = {start: (...given: Parameters<typeof startNights>) => ReturnType<typeof startNights>}

const test = base.extend<Fixtures>({
  start: async ({onTestFinished}, use) => {
    await use((...given) => {
      const nights = startNights(...given)
      onTestFinished(nights.remove)
      return nights
    })
  },
})

/** One sale every two hours, known at once. */
const steady: Sale[] = Array.from({length: 150}, (_, index) => {
  const local = Date.UTC(2024, 1, 20) + index * 2 * hour
  return {id: index + 1, sold: local, local, arrived: local}
})

/** The ids of the files of the first night and the next one. */
const idsOfBoth = ({idsOf}: ReturnType<typeof startNights>) =>
  sorted(['28', '29'].flatMap((name) => idsOf(`tx-2024-02-${name}.ndjson`)))

describe('night after night', () => {
  test('two in one second are two files', async ({start: begin}) => {
    const nights = begin(steady)

    for (let run = 0; run < 2; run++) await nights.run({at: first, flags: named('tx-{date}-{time}.ndjson')})

    const files = readdirSync(nights.folder).filter((name) => name.endsWith('.ndjson'))
    expect(files).toHaveLength(2)
    expect(sorted(files.flatMap(nights.idsOf))).toEqual(arrivedBy(steady, first))
  })

  test('one that comes later than that needs --late, from the first run on', async ({start: begin}) => {
    const late = {id: 900, sold: first - 4 * day, local: first - 4 * day, arrived: first + 6 * hour}
    const [short, long] = [begin([...steady, late]), begin([...steady, late])]

    for (const at of [first, first + day]) {
      await short.run({at, flags: named('all.ndjson', {append: true})})
      await long.run({at, flags: named('all.ndjson', {append: true, late: '7d'})})
    }

    expect(short.idsOf('all.ndjson')).not.toContain(900)
    expect(sorted(long.idsOf('all.ndjson'))).toEqual(arrivedBy([...steady, late], first + day))
  })

  test('--late that is given only later takes nothing twice', async ({start: begin}) => {
    const nights = begin(steady)
    for (let night = 0; night < 5; night++) {
      const more = night < 2 ? {} : {late: '7d'}
      await nights.run({at: first + night * day, flags: named('all.ndjson', {append: true, ...more})})
    }

    expect(sorted(nights.idsOf('all.ndjson'))).toEqual(arrivedBy(steady, first + 4 * day))
  })

  test('the next run does not go back before the first --start', async ({start: begin}) => {
    const nights = begin(steady)
    const flags = named('all.ndjson', {append: true, start: '2024-02-28'})

    for (const at of [first, first + hour]) await nights.run({at, flags})

    expect(nights.idsOf('all.ndjson')).toEqual([97, 98])
  })

  test('with other filters or columns than before, the name begins anew and says so', async ({start: begin}) => {
    const nights = begin(steady)
    await nights.run({at: first, flags: named('a.ndjson')})

    await nights.run({at: first, flags: named('b.ndjson', {'time-basis': 'utc'})})
    const {start: _start, ...open} = named('c.ndjson', {'time-basis': 'utc', late: '1d'})

    expect(nights.notices).toEqual([expect.stringContaining('with these it begins at 2024-02-20T00:00:00')])
    expect(nights.idsOf('b.ndjson')).toEqual(nights.idsOf('a.ndjson'))
    await nights.run({at: first, flags: open})
    expect(nights.idsOf('c.ndjson')).toEqual([])
  })

  test('an earlier --end does not move the mark back', async ({start: begin}) => {
    const nights = begin(steady)
    const flags = (more: ExportFlags) => named('all.ndjson', {append: true, ...more})
    await nights.run({at: first, flags: flags({})})

    await nights.run({at: first + hour, flags: flags({end: '2024-02-27'})})
    await nights.run({at: first + day, flags: flags({})})

    expect(sorted(nights.idsOf('all.ndjson'))).toEqual(arrivedBy(steady, first + day))
  })

  test('a service that does not tell its time is read again each night, no record twice', async ({start: begin}) => {
    const nights = begin(steady, {hasClock: false})

    for (const at of [first, first + day]) await nights.run({at, flags: named('all.ndjson', {append: true})})

    expect(sorted(nights.idsOf('all.ndjson'))).toEqual(arrivedBy(steady, first + day))
    expect(nights.notices).toEqual(Array(2).fill(expect.stringContaining('does not send its time')))
  })
})

describe('a run that was killed', () => {
  test('keeps its name, with {time}, while others of its day get theirs', async ({start: begin}) => {
    const nights = begin(steady)
    const flags = named('tx-{date}-{time}.ndjson')
    await nights.run({at: first, flags, kill: {at: 'request', request: 3}})

    for (const at of [first + hour, first + 4 * hour, first + day]) await nights.run({at, flags})

    const files = readdirSync(nights.folder).filter((name) => name.endsWith('.ndjson'))
    const times = ['28-020000', '28-030000', '28-060000', '29-020000']
    expect(files.sort()).toEqual(times.map((time) => `tx-2024-02-${time}.ndjson`))
    expect(sorted(files.flatMap(nights.idsOf))).toEqual(arrivedBy(steady, first + day))
  })

  test('that is complete but for its record is neither moved nor removed before it is finished', async ({
    start: begin,
  }) => {
    const nights = begin(steady)
    const flags = named('tx-{date}.ndjson')
    await nights.run({at: first, flags, kill: {at: 'before recording'}})
    const [known] = listNamed(nights.folder)
    const {path = ''} = known?.file ?? {}
    const register = openExportRegister(join(nights.folder, 'exports.db'))
    const facts = {command: 'reports transactions', file: path, path, resume: 'reports transactions --again'}
    const {id} = register.beginActivity({kind: 'export', name: stateNameOf(path), facts, createdAt: first, isNew: true})
    register.close()
    const remove = () => chooseRuns({path: join(nights.folder, 'runs')}, {ids: [id], all: false, before: undefined})
    const refused = expect.objectContaining({code: 'RESET_REFUSED', message: expect.stringContaining(path)})

    expect(() => known && refuseUnrecorded(known, 'vendorctl reports transactions')).toThrow(refused)
    expect(remove).toThrow(refused)
    await nights.run({at: first + day, flags})
    expect(remove().runs).toHaveLength(1)
  })

  test('between manifest and watermark, whose file was taken away, is not written again', async ({start: begin}) => {
    const nights = begin(steady)
    const flags = named('tx-{date}.ndjson')
    await nights.run({at: first, flags, kill: {at: 'before recording'}})
    const taken = takeAway(nights.path('tx-2024-02-28.ndjson')) ?? []

    await nights.run({at: first + day, flags})

    expect(sorted([...taken, ...nights.idsOf('tx-2024-02-29.ndjson')])).toEqual(arrivedBy(steady, first + day))
    expect(nights.notices).toEqual([expect.stringContaining('has been moved since')])
    expect(existsSync(nights.path('tx-2024-02-28.ndjson.manifest.json'))).toBe(false)
  })

  test('whose file would be replaced by the next one leaves it until it was taken', async ({start: begin}) => {
    const nights = begin(steady)
    const flags = named('tx.ndjson', {overwrite: true})
    await nights.run({at: first, flags, kill: {at: 'before recording'}})

    await nights.run({at: first + day, flags})
    const earlier = nights.idsOf('tx.ndjson')
    await nights.run({at: first + 2 * day, flags})

    expect(sorted([...earlier, ...nights.idsOf('tx.ndjson')])).toEqual(arrivedBy(steady, first + 2 * day))
  })

  test('with other flags than the next one is told of, and what it had read is read again', async ({start: begin}) => {
    const nights = begin(steady)
    await nights.run({at: first, flags: named('tx-{date}.ndjson'), kill: {at: 'request', request: 3}})

    await nights.run({at: first + day, flags: named('tx-{date}.ndjson', {end: 'yesterday'})})

    expect(nights.notices).toEqual([expect.stringContaining('tx-2024-02-28.ndjson unfinished')])
    expect(sorted(nights.idsOf('tx-2024-02-29.ndjson'))).toEqual(arrivedBy(steady, Date.UTC(2024, 1, 29) - 1))
  })

  test('a second run of the same day that is refused leaves nothing to be finished', async ({start: begin}) => {
    const nights = begin(steady)
    const flags = named('tx-{date}.ndjson')
    await nights.run({at: first, flags})

    const refused = nights.run({at: first + hour, flags})
    await expect(refused).rejects.toMatchObject({code: 'FILE_EXISTS', hints: [expect.stringContaining('--append')]})
    await nights.run({at: first + day, flags})

    expect(idsOfBoth(nights)).toEqual(arrivedBy(steady, first + day))
  })
})

test.for([
  ['is covered for all machines that share their marks', undefined, []],
  ['is told of where they cannot see it', 'DATABASE_LOST', [expect.stringContaining('Other machines do not see yet')]],
] as const)('what was exported without a name %s', async ([, away, told], {start: begin}) => {
  const shown: unknown[] = []
  const cover = async (_: string, covered: unknown) => {
    if (away) throw new CliFailure('away', {code: away})
    shown.push(covered)
  }
  const nights = begin(steady, {hasClock: true, shared: {cover} as unknown as SharedMarks})

  await nights.run({at: first, flags: {start: '2024-02-20', end: '2024-02-21', 'output-file': 'a.ndjson'}})

  expect(shown).toEqual(away ? [] : [[expect.objectContaining({from: '2024-02-20T00:00:00'})]])
  expect(nights.notices).toEqual(told)
})

describe('--append', () => {
  const plain = (start: string, end: string): ExportFlags => ({start, end, 'output-file': 'all.ndjson', append: true})

  test('adds a range that is not in the file, and says of each day whether it was read', async ({start: begin}) => {
    const nights = begin(steady)
    await nights.run({at: first + 5 * day, flags: plain('2024-02-20', '2024-02-21')})

    const added = await nights.run({at: first + 5 * day, flags: plain('2024-02-24', '2024-02-24')})

    expect(nights.idsOf('all.ndjson')).toHaveLength(3 * 12)
    expect(added).toMatchObject({outcome: {manifest: {rows: 36, range: {parts: [{}, {}]}}}})
    expect(nights.covered()).toEqual([
      ['2024-02-20T00:00:00', '2024-02-21T23:59:59.999', 'C'],
      ['2024-02-24T00:00:00', '2024-02-24T23:59:59.999', 'C'],
    ])
  })

  test('does not make proven what was read too early', async ({start: begin}) => {
    const nights = begin(steady)
    const noon = Date.UTC(2024, 1, 22, 12)
    await nights.run({at: noon, flags: plain('2024-02-22', '2024-02-22')})

    await nights.run({at: noon + 5 * day, flags: plain('2024-02-23', '2024-02-23')})

    expect(nights.covered().map(([from, , grade]) => [from, grade])).toEqual([
      ['2024-02-22T00:00:00', 'E'],
      ['2024-02-23T00:00:00', 'C'],
    ])
  })

  test.for([
    [
      'what it holds',
      {flags: plain('2024-02-21', '2024-02-22')},
      'contains 2024-02-20T00:00:00 … 2024-02-21T23:59:59.999',
    ],
    ['another name', {flags: named('all.ndjson', {append: true, start: '2024-02-21'})}, 'contains 2024-02-20'],
    ['another time basis', {flags: {...plain('2024-02-24', '2024-02-24'), 'time-basis': 'utc'}}, 'another time basis'],
  ] as const)('refuses %s', async ([, night, words], {start: begin}) => {
    const nights = begin(steady)
    await nights.run({at: first, flags: plain('2024-02-20', '2024-02-21')})

    await expect(nights.run({at: first, ...night})).rejects.toThrow(words)

    expect(nights.idsOf('all.ndjson')).toHaveLength(24)
  })

  test('refuses a file that others added to or that is gone; begins anew with --fresh only', async ({start: begin}) => {
    const nights = begin(steady)
    const path = nights.path('all.ndjson')
    await nights.run({at: first, flags: plain('2024-02-20', '2024-02-21')})
    const bytes = readFileSync(path)
    mkdirSync(`${path}.part`)
    await expect(nights.run({at: first, flags: plain('2024-02-24', '2024-02-24')})).rejects.not.toThrow('was changed')
    rmdirSync(`${path}.part`)
    writeFileSync(path, Buffer.from(bytes).fill('x', 0, 9))
    await expect(nights.run({at: first, flags: plain('2024-02-24', '2024-02-24')})).rejects.toThrow('was changed')
    writeFileSync(path, bytes)
    appendFileSync(path, '{"id":"B900"}\n')

    await expect(nights.run({at: first, flags: plain('2024-02-24', '2024-02-24')})).rejects.toThrow('was changed')
    rmSync(path)
    await expect(nights.run({at: first, flags: plain('2024-02-24', '2024-02-24')})).rejects.toThrow('the file is gone')
    rmSync(`${path}.manifest.json`)
    await expect(nights.run({at: first, flags: plain('2024-02-24', '2024-02-24')})).rejects.toMatchObject({
      message: expect.stringMatching(/ended on 2024-02-28T02:00:00Z with 24 rows$/),
      exit: 'usage',
      hints: expect.arrayContaining([expect.stringContaining('--fresh')]),
    })
    await nights.run({at: first, flags: {...plain('2024-02-24', '2024-02-24'), fresh: true}})

    expect(nights.idsOf('all.ndjson')).toHaveLength(12)
  })

  test.for([
    ['with its manifest', (path: string) => takeAway(path)],
    ['and its manifest is there', (path: string) => rmSync(path)],
  ] as const)('--fresh begins a file that is gone %s from --start on', async ([, remove], {start: begin}) => {
    const nights = begin(steady)
    const flags = named('all.ndjson', {append: true})
    await nights.run({at: first, flags})
    remove(nights.path('all.ndjson'))
    const later = first + day

    await expect(nights.run({at: later, flags})).rejects.toMatchObject({
      exit: 'usage',
      hints: expect.arrayContaining([expect.stringMatching(/vendorctl .*--fresh$/)]),
    })
    const killed = await nights.run({at: later, flags: {...flags, fresh: true}, kill: {at: 'request', request: 2}})
    await nights.run({at: later, flags})
    await nights.run({at: later + day, flags})

    expect(killed).toBe('killed')
    expect(sorted(nights.idsOf('all.ndjson'))).toEqual(arrivedBy(steady, later + day))
  })

  test('--fresh without --start begins it where the next night reads, with all there is', async ({start: begin}) => {
    const nights = begin(steady)
    const {start: _start, ...flags} = named('all.ndjson', {append: true})
    await nights.run({at: first, flags: {...flags, start: '2024-02-20'}})
    takeAway(nights.path('all.ndjson'))

    await nights.run({at: first + hour, flags: {...flags, fresh: true}})

    expect(nights.idsOf('all.ndjson').length).toBeGreaterThan(10)
  })

  test('night after night refuses a file that vanished long ago, not one that never was', async ({start: begin}) => {
    const nights = begin(steady)
    await nights.run({at: first, flags: named('tx-{date}.ndjson')})
    await nights.run({at: first + day, flags: named('all.ndjson', {append: true})})
    takeAway(nights.path('all.ndjson'))
    const later = first + 90 * day
    await nights.run({at: later, flags: named('other.ndjson', {'since-last': 'other'})})

    const refused = nights.run({at: later, flags: named('all.ndjson', {append: true})})

    await expect(refused).rejects.toThrow('the file and its manifest are gone')
    expect(existsSync(nights.path('all.ndjson'))).toBe(false)
  })
})
