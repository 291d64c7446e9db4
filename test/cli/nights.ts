import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {commandsOf, namedFactsOf, toExportRequest} from '../../src/cli/reports/export-commands.js'
import type {ExportFlags} from '../../src/cli/reports/export-flags.js'
import {toAsk, toExportRange} from '../../src/cli/reports/export-plan.js'
import type {Client} from '../../src/client/types.js'
import {transactionReport} from '../../src/contract/index.js'
import {toDuration} from '../../src/core/durations.js'
import type {ErrorEntry} from '../../src/core/errors.js'
import {columnsOf} from '../../src/formats/columns.js'
import {createDeliveries} from '../../src/jobs/deliver/deliver-after-export.js'
import {toDeliveryCommand} from '../../src/jobs/deliver/deliver-file.js'
import {follow} from '../../src/reports/export/follow-events.js'
import {manifestName} from '../../src/reports/export/manifest.js'
import {type ExportRegister, openExportRegister} from '../../src/reports/register/export-register.js'
import type {SharedMarks} from '../../src/reports/register/shared-marks.js'
import {coverageScope} from '../../src/reports/run/export-scopes.js'
import {toSinceLast} from '../../src/reports/run/export-target.js'
import type {Exported} from '../../src/reports/run/record-export.js'
import {exportAndDeliver} from '../../src/reports/run/write-export.js'
import {listDaysAndFiles} from '../../src/reports/verify/days-read.js'
import {resolveDate} from '../../src/values/relative-date.js'
import {createFakeClient, type FakeRow} from '../reports/fake-service.js'
import {recordsIn} from '../support/ndjson.js'

export const hour = 3_600_000
export const day = 24 * hour

/** 02:00 UTC of the last day but one of a February of 29 days. */
export const first = Date.UTC(2024, 1, 28, 2)

export const named = (file: string, more: ExportFlags = {}): ExportFlags => ({
  start: '2024-02-20',
  'since-last': 'nightly',
  'output-file': file,
  ...more,
})

export const sorted = (ids: number[]) => [...ids].sort((one, other) => one - other)

/** The ids of what the service had by then. */
export const arrivedBy = (sales: Sale[], at: number) =>
  sorted(sales.filter(({arrived}) => arrived <= at).map(({id}) => id))

/** A batch as the service has it: known from `arrived` on; times in milliseconds, `local` as the clock of its machine. */
export type Sale = {id: number; sold: number; local: number; arrived: number}

/** What kills a run, once. */
export type Kill = 'request' | 'before recording' | 'after recording' | 'in delivery' | 'after delivery'

export type Night = {
  at: number
  flags: ExportFlags
  kill?: {at: Kill; request?: number} | undefined
  /** Deliveries that fail before one succeeds. */
  failures?: number
  /** What somebody does in the pause after a delivery that failed. */
  meddle?: (register: ExportRegister) => void
}

const textOf = (time: number) => new Date(time).toISOString().slice(0, -1)

const source = {baseUrl: 'https://api.example.test', stage: 'v2.1', keyFingerprint: 'ab12cd34', profile: 'default'}

class Killed extends Error {}

/** One machine that exports the sales of a service every night, into files of a folder of its own. */
export function startNights(sales: Sale[], {hasClock = true, shared}: {hasClock?: boolean; shared?: SharedMarks} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-nights-'))
  const notices: string[] = []
  let now = 0
  let requestsLeft = Number.POSITIVE_INFINITY
  const delivered = new Map<string, number[]>()
  const errors: ErrorEntry[] = []
  const list = (): FakeRow[] =>
    sales
      .filter(({arrived}) => arrived <= now)
      .sort((one, other) => one.id - other.id)
      .map(({id, local, sold}) => ({id, at: textOf(local), recordedAtUtc: textOf(sold)}))
  const between = () => {
    if (requestsLeft-- <= 0) throw new Killed('killed')
  }
  const client = createFakeClient({list, between, wait: async () => undefined, ...(hasClock && {now: () => now})})

  return {
    folder,
    notices,
    /** The ids of each delivered file by its path, as it was delivered last; and what could not be delivered. */
    delivered,
    errors,
    remove: () => rmSync(folder, {recursive: true, force: true}),
    path: (name: string) => join(folder, name),
    /** What is known of it as read: from, to, grade. */
    covered() {
      const register = openExportRegister(join(folder, 'exports.db'))
      const covered = register.covered(coverageScope(source, transactionReport, {}))
      register.close()
      return covered.map(({from, to, grade}) => [from, to, grade])
    },
    /** Files of which coverage reports that they are gone or changed. */
    losses() {
      const register = openExportRegister(join(folder, 'exports.db'))
      const covered = register.covered(coverageScope(source, transactionReport, {}))
      register.close()
      return listDaysAndFiles(covered, Date.UTC(2024, 1, 20), now).lost
    },
    /** The ids in a file of the folder, in order. */
    idsOf: (name: string) => idsOf(join(folder, name)),
    async run({at, flags, kill, failures = 0, meddle}: Night): Promise<Exported | 'killed' | undefined> {
      now = at
      requestsLeft = kill?.at === 'request' ? (kill.request ?? 0) : Number.POSITIVE_INFINITY
      const register = openExportRegister(join(folder, 'exports.db'))
      try {
        const one = toOne({folder, client, now, flags, register: killing(register, kill?.at), shared})
        const owner = toSinceLast(one, source)
        const keep = flags['keep-for']
        const caution = (text: string) => void notices.push(text)
        const messages = {note: () => undefined, tell: () => undefined, detail: () => undefined}
        const deliveries = createDeliveries({
          ...{register, folder: one.engine.folder, clock: one.engine.clock},
          ...{command: toDeliveryCommand('copy {file}'), owner},
          ...{caution, keepMilliseconds: keep === undefined ? undefined : toDuration(keep, 'keep-for')},
          ...{signal: one.signal, messages, toLines: () => [], redact: (text: string) => text},
          async deliver([, path = ''], _isOnce, isUnchanged) {
            if (kill?.at === 'in delivery') throw new Killed('killed')
            if (failures-- > 0) {
              meddle?.(register)
              const tries = (await isUnchanged()) ? 3 : 1
              return {isDelivered: false, tries, why: 'copy failed', last: []}
            }
            delivered.set(path, idsOf(path))
            if (kill?.at === 'after delivery') throw new Killed('killed')
            return {isDelivered: true, tries: 1}
          },
        })
        const events = exportAndDeliver(one, flags.deliver === undefined ? undefined : deliveries)
        const all = await follow(events, (event) => {
          if (event.kind === 'notice') notices.push(event.text)
        })
        errors.push(...(deliveries.ending()?.errors ?? []))
        return all.at(-1)
      } catch (error) {
        if (error instanceof Killed) return 'killed'
        throw error
      } finally {
        register.close()
      }
    },
  }
}

function killing(register: ExportRegister, kill: Kill | undefined): ExportRegister {
  if (kill !== 'before recording' && kill !== 'after recording') return register
  return {
    ...register,
    finish(finished) {
      if (kill === 'after recording') register.finish(finished)
      throw new Killed('killed')
    },
  }
}

type Parts = {
  folder: string
  client: Pick<Client, 'readPages'>
  now: number
  flags: ExportFlags
  register: ExportRegister
  shared: SharedMarks | undefined
}

function toOne({folder, client, now, flags: given, register, shared}: Parts) {
  const flags = {...given, 'output-file': join(folder, given['output-file'] ?? '')}
  const edge = (name: 'start' | 'end') =>
    given[name] === undefined ? {} : {[name]: resolveDate(given[name], name, now)}
  const asked = {...edge('start'), ...edge('end')}
  let slept = 0
  const sleep = async (milliseconds: number) => {
    slept += milliseconds
  }
  const clock = {now: () => now + slept, monotonic: () => now + slept, sleep}
  const planned = {
    layout: {format: 'ndjson', gzip: false, rows: 'batches', columns: columnsOf({}), where: []},
    ask: toAsk(transactionReport, flags, {}, toExportRange(transactionReport, flags, {asked, range: asked}, now)),
  } as const
  const command = 'reports transactions'
  return {
    ...{request: toExportRequest(flags), planned, register, shared},
    record: {
      ...{command, keepDays: 30, nameRun: () => undefined},
      commandsOf: (path: string) => commandsOf({record: {command}, flags, planned}, path),
      named: namedFactsOf(transactionReport, command, flags, source),
    },
    engine: {
      source,
      ...{client, clock, folder: join(folder, 'exports'), tool: 'test', maximumDays: 31},
      ...{pagesInFlight: 1, pageSize: 5, probes: false},
    },
    signal: new AbortController().signal,
  } as const
}

function idsOf(path: string): number[] {
  return recordsIn<{id: string}>(path).map(({id}) => Number(id.slice(1)))
}

/** Reads a finished file and takes it away, as who loads it elsewhere does; undefined when there is none. */
export function takeAway(path: string): number[] | undefined {
  if (!existsSync(manifestName(path))) return undefined
  const ids = idsOf(path)
  rmSync(path)
  rmSync(manifestName(path))
  return ids
}
