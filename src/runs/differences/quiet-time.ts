import {countedField, type WriteId, writeOperation, writesOfField} from '../../contract/index.js'
import {type BootMoment, bootMoment, systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {OpenPostgresOptions, Postgres} from '../../core/postgres.js'
import type {RunFolder} from '../../core/run-id.js'
import {parseJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {serviceOf} from '../../values/service.js'
import {type EarlierRun, readRows, readRuns, type Target} from '../earlier-runs/read-runs.js'
import type {Journal} from '../journal/journal.js'
import type {JournalPart, RunFacts, ServiceMoment} from '../journal/journal-entries.js'
import {withJournal} from '../journal/open-journal.js'
import type {Reader} from '../records/read-current.js'
import type {Batch} from '../rows/phases.js'
import {idOf} from '../rows/row-content.js'

export type ClockReader = ReturnType<typeof createClockReader>

/** Learns the clock of the service from the answers of reads: the clock of this machine may be wrong by hours. */
export function createClockReader(moment: () => BootMoment) {
  let last: ServiceMoment | undefined
  let delay = 0
  return {
    /** Fields of the last answer; undefined before the first. */
    get last() {
      return last
    },
    /** Milliseconds for which it may have been under way, as where this process was stopped meanwhile. */
    get delay() {
      return delay
    },
    /** The time of the service at this moment, or a little earlier; undefined when no answer said it. */
    now(): ServiceMoment | undefined {
      const at = moment()
      return last && (at.boot === last.at.boot ? {service: last.service + passed(last.at, at), at} : last)
    },
    /** A read that learns the clock from its answers. */
    watch: (readPages: Reader['readPages']): Reader['readPages'] =>
      async function* (id, request) {
        const asked = moment()
        for await (const page of readPages(id, request)) {
          if (page.serverTime !== undefined) {
            last = {service: page.serverTime, at: moment()}
            delay = last.at.milliseconds - asked.milliseconds
          }
          yield page
        }
      },
  }
}

/** A clock of a machine that is being set right runs at most this much too fast or too slow. */
const largestDrift = 1 / 2_000

/** Milliseconds that surely passed between two moments of one start of this machine. */
function passed(from: BootMoment, to: BootMoment): number {
  return (to.milliseconds - from.milliseconds) * (1 - largestDrift)
}

/** When a set was sent by the clock of the service: surely not before; `isClose` unless it may have been much later. */
export type SentByService = {notBefore: number; isClose: boolean}

/**
 * The clock of the service was read before the set was sent. Within one start of this machine its own count tells how
 * long before, and a sleep of the machine, which it does not count, makes the time only earlier. Else the set was sent
 * at any time after its run began. Undefined when the service never said its time.
 */
export function sentByService(
  {sent}: Pick<JournalPart, 'sent'>,
  {clocks = []}: Pick<RunFacts, 'clocks'>,
): SentByService | undefined {
  const [first] = clocks
  if (!first) return undefined
  const isBefore = ({at}: ServiceMoment) => at.boot === sent?.boot && at.milliseconds <= (sent?.milliseconds ?? 0)
  const read = sent?.boot === undefined ? undefined : clocks.findLast(isBefore)
  if (!read || !sent) return {notBefore: first.service, isClose: false}
  return {notBefore: read.service + passed(read.at, sent), isClose: true}
}

/** The clocks that tell the changes of two runs apart may both be of whole seconds. */
export const quietMilliseconds = 5_000

type Runs = {folder: RunFolder; target: Target; self?: string | undefined; quiet: number}

/**
 * Milliseconds since another run on this machine changed the field of the same records that a plan changes by a number,
 * by whatever operation: that change could be taken for one of the plan. Infinite where it is longer than `quiet`.
 */
export function changedAgo(plan: Batch, {folder, target, self = '', quiet}: Runs): number {
  const field = countedField(plan.operation)
  if (field === undefined || !writeOperation(plan.operation).difference) return Number.POSITIVE_INFINITY
  const ids = new Set(changedIds(plan))
  const {runs} = readRuns(folder, {target, known: new Set([self]), operations: writesOfField(field)})
  const ago = runs.flatMap((run) => {
    const since = sinceLast(run, folder)
    const shares = (journal: Journal) => idsOfRun(journal).some((id) => ids.has(id))
    return since < quiet && withJournal(folder, run.facts.id, shares) ? [since] : []
  })
  return Math.min(...ago)
}

/** The ids of the records that a plan changes; new records have none yet. */
function changedIds({operation, rows}: Pick<Batch, 'operation' | 'rows'>): string[] {
  const write = writeOperation(operation)
  return rows.map((row) => idText(idOf(row, write))).filter((id) => id !== '')
}

/** Milliseconds since a run ended or sent its last set, by the clock that says less: that of the wall may be set meanwhile. */
function sinceLast({facts, outcome}: EarlierRun, folder: RunFolder): number {
  const {boot, milliseconds} = bootMoment()
  const sent = (journal: Journal) =>
    journal.parts().flatMap(({sent}) => (sent?.boot === boot ? [sent?.milliseconds ?? 0] : []))
  const known = withJournal(folder, facts.id, (journal) => ({
    at: outcome?.endedAt ?? journal.events().at(-1)?.at,
    since: milliseconds - Math.max(...sent(journal)),
  }))
  return Math.min(
    Math.abs(systemClock.now() - (known?.at ?? facts.createdAt)),
    known?.since ?? Number.POSITIVE_INFINITY,
  )
}

/** Names of the records that a run changed or made: by their one naming field, and by the answers of the service. */
function idsOfRun(journal: Journal): string[] {
  const {operation} = journal.facts()
  const {identity, target} = writeOperation(operation as WriteId)
  const isNamedById = identity.length === 1 && identity[0] === target
  const {all, applied} = readRows(journal)
  const named = isNamedById ? all.flatMap(({naturalKey}) => naturalKey ?? []) : []
  return [...named, ...applied.flatMap(({id}) => id ?? [])].flatMap((text) => parseJson(text)).map(idText)
}

/** One statement takes milliseconds; a store that does not answer must not delay a write for long. */
const limits = {name: 'vendorctl changes', statementMilliseconds: 2_500}

type Changed = Pick<Batch, 'operation' | 'rows'>

/** Recent changes by machines that share a budget. */
export type SharedChanges = ReturnType<typeof createSharedChanges>

const lastChange = `SELECT extract(epoch FROM vendorctl.clock() - max(at)) * 1000 AS ago FROM vendorctl.changed
  WHERE service = $1 AND record IN (SELECT jsonb_array_elements_text($2::jsonb))`

const dropOld = `DELETE FROM vendorctl.changed WHERE at < vendorctl.clock() - interval '1 day'`
const addChanges = `INSERT INTO vendorctl.changed SELECT $1, record, vendorctl.clock()
  FROM (SELECT DISTINCT jsonb_array_elements_text($2::jsonb) AS record ORDER BY 1) AS records
  ON CONFLICT (service, record) DO UPDATE SET at = excluded.at`

/** Kept for as long as it could be used once more. */
const addApproval = `INSERT INTO vendorctl.changed VALUES ($1, $2, $3::timestamptz) ON CONFLICT DO NOTHING RETURNING record`

type Store = {open(options: OpenPostgresOptions): Promise<Postgres>}

/** Without a store that machines share nothing is told and nothing known. */
export function createSharedChanges(baseUrl: string, findStore: () => Promise<Store | undefined>) {
  const ask = async <Result>(work: (session: Postgres) => Promise<Result>, unknown: Result, failed = unknown) => {
    try {
      const store = await findStore()
      if (!store) return unknown
      const session = await store.open(limits)
      return await work(session).finally(session.close)
    } catch (error) {
      if (error instanceof CliFailure) return failed // the client reports a store that cannot be reached
      throw error
    }
  }
  const service = serviceOf(baseUrl)
  return {
    /** Milliseconds since the last change of these records, infinite without one; 0 where that cannot be known. */
    ago: async (plan: Changed): Promise<number> => {
      const records = countedRecords(plan)
      if (records.length === 0) return Number.POSITIVE_INFINITY
      return ask(
        async (session) => {
          const {ago = null} = (await session.get(lastChange, service, JSON.stringify(records))) ?? {}
          return ago === null ? Number.POSITIVE_INFINITY : Number(ago)
        },
        Number.POSITIVE_INFINITY,
        0,
      )
    },
    /** Tells the others, before these records are changed and after it. */
    tell: async (plan: Changed): Promise<void> => {
      const records = countedRecords(plan)
      if (records.length === 0) return
      await ask(async (session) => {
        await session.run(dropOld)
        await session.run(addChanges, service, JSON.stringify(records))
      }, undefined)
    },
    /** Whether no other machine used an approval, which counts as used from now on; true where that cannot be known. */
    useApproval: ({id, expires}: {id: string; expires: string}): Promise<boolean> =>
      ask(async (session) => (await session.get(addApproval, service, `approval ${id}`, expires)) !== undefined, true),
  }
}

/** Records of a plan that are announced to other machines. */
function countedRecords({operation, rows}: Changed): string[] {
  const field = countedField(operation)
  return field === undefined ? [] : changedIds({operation, rows}).map((id) => `${field} ${id}`)
}
