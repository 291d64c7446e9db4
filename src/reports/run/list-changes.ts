import {hash} from 'node:crypto'
import {resolve} from 'node:path'
import type {Client, FilterValues} from '../../client/types.js'
import {type ReadId, readOperation} from '../../contract/index.js'
import type {Clock} from '../../core/clock.js'
import {type Match, satisfies} from '../../formats/conditions.js'
import {millisecondsPerDay, toDateTime} from '../../values/date-time.js'
import {type JsonRecord, type JsonValue, printJson, sortNames} from '../../values/json.js'
import {recordKey} from '../../values/record-key.js'
import type {ServiceSource} from '../../values/service.js'
import {identityDigest} from '../export/export-identity.js'
import {type ReportPage, readReport} from '../read/read-list.js'
import {latestLocalTime} from '../read/report-range.js'
import type {ExportRegister} from '../register/export-register.js'
import type {NamedFacts} from '../register/named-marks.js'
import type {SharedMarks} from '../register/shared-marks.js'
import {findBegin, lockName, type SinceLast, toWatermark} from '../register/since-last.js'
import {marksOf, takeTurn} from '../register/take-turn.js'
import {coverageScope} from './export-scopes.js'
import {describeOther} from './export-target.js'

/** A list of which a name reads new or changed records; `start` is for a name that has no mark yet. */
export type ListAsk = {
  id: ReadId
  name: string
  filters: FilterValues
  start: string | undefined
  where: readonly string[]
  match: Match
  pageSize: number | undefined
  facts: Omit<NamedFacts, 'isList'>
}

export type ListNeeds = {
  client: Client
  clock: Clock
  source: ServiceSource
  register: ExportRegister
  /** The folder of locks of names. */
  folder: string
  /** Undefined where machines share no marks. */
  openShared: () => Promise<SharedMarks | undefined>
  onNotice: (text: string) => void
}

/** A list that is being read by the only run of its name, until it is released. */
export type Listing = Awaited<ReturnType<typeof beginListing>>

/**
 * Takes the lock of the name and finds where to begin: all records of the days that the service serves in one request are
 * read each time. Throws `locked`, and `usage` for a new name without a start.
 */
export async function beginListing(ask: ListAsk, needs: ListNeeds) {
  const {id, name, where} = ask
  const {clock, register, folder, source} = needs
  const {range: {maximumDays, on} = {maximumDays: 1, on: ''}} = readOperation(id)
  const scope = identityDigest({list: id, scope: coverageScope(source, id, ask.filters), where: [...where]})
  const sinceLast: SinceLast = {name, scope, timeBasis: 'local', late: maximumDays * millisecondsPerDay}
  const lock = lockName(folder, sinceLast)
  let shared: SharedMarks | undefined
  const release = async () => {
    await shared?.close() // its locks end with its session
    lock.remove()
  }
  try {
    shared = await needs.openShared()
    const {onNotice} = needs
    const turn = shared && (await takeTurn(sinceLast, {shared, register, onNotice, isList: true})).turn
    const marks = marksOf(register, turn)
    const found = findBegin(marks, sinceLast, ask.start)
    const mark = marks.findWatermark(sinceLast)
    if (!mark && marks.knowsName(name)) onNotice(`warning: ${describeOther(name, found)}`)
    const facts = {...ask.facts, isList: true} as const
    register.describe(sinceLast, facts)
    await turn?.describe(facts)
    const range = {start: found.start, end: latestLocalTime(clock.now())}
    const {filters, pageSize} = ask
    const request = {operation: id, filters, range, maximumDays, split: true, ...(pageSize !== undefined && {pageSize})}
    const listed = createListedBefore(found.keys, on)
    const reading = readReport(needs.client, request)
    let startedAt: number | undefined
    return {
      ...{range, release},
      /** The mark of the last run. */
      since: mark?.at,
      /** Records that came twice, which shows that the data moved between two pages. */
      repeated: () => reading.repeated,
      /** The pages, with those of their records that match and were not listed before in the same state. */
      async *pages(): AsyncGenerator<ReportPage, void, void> {
        for await (const one of reading.pages) {
          startedAt ??= one.page.serverTime
          yield {...one, records: listed.pickNew(matching(one.records, ask.match))}
        }
        ask.match.names?.check()
      },
      /** To be called once the output is complete. */
      async moveMark({rows, file}: {rows: number; file: string | null}): Promise<void> {
        const asked: [string, string] = [range.start, range.end]
        const started = startedAt === undefined ? null : toDateTime(startedAt)
        const manifest = {range: {asked, served: asked, askedAs: asked}, startedAt: started, digest: 'list'}
        const value = toWatermark(sinceLast, manifest, listed.keysSince, mark)
        const last = {from: range.start, to: value.at, rows, file: file && resolve(file), at: clock.now()}
        const finish = {id: crypto.randomUUID(), watermark: value, last, coverage: scope, covered: []}
        const shared = await turn?.record(finish)
        register.finish({...{scope, covered: [], at: clock.now(), last, watermark: {...sinceLast, value}, shared}})
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

function* matching(records: Iterable<JsonRecord>, {conditions, names}: Match): Generator<JsonRecord, void, void> {
  for (const record of records) {
    names?.see(record)
    if (satisfies(record, conditions)) yield record
  }
}

const digestLength = 22

/** The records listed before; `known`: keys of an earlier run, `timeField`: by which the service finds records. */
export function createListedBefore(known: readonly string[], timeField: string) {
  const before = new Set(known)
  const keys: string[] = []
  return {
    /** Passes the records that were not listed before in the same state: new ones and changed ones. */
    *pickNew(records: Iterable<JsonRecord>): Generator<JsonRecord, void, void> {
      for (const record of records) {
        const key = toKey(record, timeField)
        keys.push(key)
        if (!before.has(key)) yield record
      }
    },
    /** The keys of all records that came, from a day on. */
    keysSince: (moment: string) => keys.filter((key) => key.slice(0, 10) >= moment.slice(0, 10)),
  }
}

/** Time, id and content; the order in which the service sends fields is no change. */
function toKey(record: JsonRecord, timeField: string): string {
  const digest = hash('sha256', printJson(sortNames<JsonValue>(record)), 'base64url').slice(0, digestLength)
  const time = record[timeField]
  return `${typeof time === 'string' ? time : ''} ${recordKey(record).slice(0, 80)} ${digest}`
}
