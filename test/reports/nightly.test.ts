import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect} from 'vitest'
import {latestLocalTime} from '../../src/reports/read/report-range.js'
import {openExportRegister} from '../../src/reports/register/export-register.js'
import {findBegin, type SinceLast, toWatermark} from '../../src/reports/register/since-last.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import {toLocalTime} from '../../src/values/zones.js'
import {exportHere} from '../support/export.js'
import {test} from '../support/export-folder.js'
import {recordsIn} from '../support/ndjson.js'

const machine = 9_001
const sinceLast: SinceLast = {name: 'nightly', scope: 'all', timeBasis: 'local', late: 0}
const text = (time: number) => new Date(time).toISOString().slice(0, 19)

type Nights = {sandbox: Sandbox; setTime: (time: number) => void; record: (zone: string, time: number) => void}

/** A service whose clock is set by hand, with one machine. */
async function startNights(zone: string): Promise<Nights> {
  let time = 0
  const clock = {now: () => time, monotonic: () => time, sleep: async () => undefined}
  const sandbox = await startSandbox({limits: false, batches: 0, machines: 1, clock})
  sandbox.add('site', {id: machine, orgId: 101, accountId: 201, name: zone, timeZone: zone})
  sandbox.add('machine', {id: machine, organizationId: 101, siteId: machine, prose: 'NIGHTS'})
  let next = 9_000_000
  return {
    sandbox,
    setTime(to) {
      time = to
      sandbox.faults.set([`hdr(date,${new Date(to).toUTCString()})@reports.transactions`])
    },
    record(zoneThen, at) {
      const id = next++
      const batch = {id: `B${id}`, machineId: machine, siteId: machine, recordedAtUtc: text(at), lineItems: []}
      sandbox.add('batch', batch)
      moveTo(sandbox, id, toLocalTime(at, zoneThen))
    },
  }
}

/** The local time of a batch, as the service compares it. */
function moveTo({store}: Sandbox, id: number, local: number): void {
  store.database.run('UPDATE batch SET local_at = ? WHERE id = ?', local, id)
}

type Night = {
  folder: string
  /** The time by the clock of the machine that exports. */
  at: number
  /** `--start` of the first night, and `--end`. */
  first: string
  end?: string
}

/** One run of an export of a name, as a scheduler gives it; returns the moments of the records that are in its file. */
async function runNight({sandbox}: Nights, {folder, at, first, end = latestLocalTime(at)}: Night): Promise<string[]> {
  mkdirSync(folder, {recursive: true})
  const register = openExportRegister(join(folder, 'exports.db'))
  const {start, ...before} = findBegin(register, sinceLast, first)
  const path = join(folder, `${at}.ndjson`)
  try {
    await exportHere({
      ...{sandbox, start, path, end},
      options: {before, isNamed: true},
      on: (event) => {
        if (event.kind !== 'written') return
        const {manifest, keysSince} = event
        const {name, scope} = sinceLast
        const value = toWatermark(sinceLast, manifest, keysSince, register.findWatermark(sinceLast))
        register.finish({scope: 'all', covered: [], at, watermark: {name, scope, value}})
      },
    })
  } finally {
    register.close()
  }
  return recordsIn<{recordedAtUtc: string}>(path).map(({recordedAtUtc}) => recordedAtUtc)
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe('a record of every half hour is exported once, night after night', () => {
  test.for([
    ['clocks go forward', '2024-03-09T07:30:00Z', [0, 23, 48]],
    ['clocks go back', '2024-11-02T06:30:00Z', [0, 23, 24, 49]],
  ] as const)('at 02:30 local when %s', async ([_, begin, hours], {folder, onTestFinished}) => {
    const zone = 'Eastern Standard Time'
    const nights = await startNights(zone)
    onTestFinished(() => nights.sandbox.close())
    const from = Date.parse(begin)
    const expected: string[] = []
    const found: string[] = []
    let recorded = from - day

    for (const after of hours) {
      for (; recorded <= from + after * hour; recorded += 30 * minute) {
        nights.record(zone, recorded)
        expected.push(text(recorded))
      }
      nights.setTime(from + after * hour + minute)
      const night = {folder, at: from + after * hour + minute, first: text(from - 2 * day)}
      found.push(...(await runNight(nights, night)))
    }

    expect(found.sort()).toEqual(expected)
  })

  test.for([
    ['Etc/GMT+12', 'Pacific/Kiritimati'],
    ['Asia/Kathmandu', 'Australia/Lord_Howe'],
  ] as const)('of a site that moves from %s to %s between runs', async ([before, after], {folder, onTestFinished}) => {
    const nights = await startNights(before)
    onTestFinished(() => nights.sandbox.close())
    const from = Date.parse('2024-06-30T02:30:00Z')
    const expected: string[] = []
    const found: string[] = []
    let recorded = from - 2 * day

    for (const [night, zone] of [before, after, after].entries()) {
      for (; recorded <= from + night * day; recorded += 30 * minute) {
        nights.record(zone, recorded)
        expected.push(text(recorded))
      }
      if (night === 1)
        for (const {id, recordedAtUtc} of nights.sandbox.store.read('batch')) {
          moveTo(nights.sandbox, Number(String(id).slice(1)), toLocalTime(Date.parse(`${recordedAtUtc}Z`), zone))
        }
      const at = from + night * day + minute
      nights.setTime(at)
      const end = night < 2 ? {end: text(at)} : {}
      found.push(...(await runNight(nights, {folder, at, first: text(from - 4 * day), ...end})))
    }

    expect(found.sort()).toEqual(expected)
  })
})
