import type {Client} from '../../client/types.js'
import {
  allFieldsOf,
  type FieldsOfFilters,
  type FilterKey,
  filterOf,
  readOperation,
  writeOperation,
} from '../../contract/index.js'
import {bootMoment, systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {counted} from '../../values/counted.js'
import {millisecondsPerDay, toDateTime} from '../../values/date-time.js'
import {isRecord, type JsonRecord, parseJson} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {Journal} from '../journal/journal.js'
import {isInDoubt, type LoadedPart, type LoadedRun, loadRun, recordsOf} from '../journal/load-run.js'
import {findRead} from '../records/read-current.js'
import {exitOfRun} from '../report/report.js'
import {reportOfRun} from '../report/report-of-run.js'
import {requestsSoFar} from '../report/run-account.js'
import {countPlaces} from '../rows/cut-sets.js'
import {spellRecord} from '../rows/merge-fields.js'
import {naturalKeyOf, operationOfSet} from '../rows/row-content.js'
import {readOnlyOne} from './judge-likeness.js'
import type {ReconciledSet, ReconcileOptions, ReconcileReport} from './judgement.js'
import {reconcileSet} from './reconcile-set.js'
import {confirm, leave, note, release, type SetInDoubt} from './set-in-doubt.js'

export type SettleOptions = Omit<ReconcileOptions, 'client' | 'clock' | 'moment'> & {
  /** Not needed where a person decides. */
  client: Pick<Client, 'forClass' | 'requestsUsed'> | undefined
  /** A step of another command, which does not report how the run ended. */
  isAside?: boolean
}

/** Finds out what became of the sets of a run that are in doubt, and renews how it ended. */
export async function settleRun(
  {journal, loaded}: {journal: Journal; loaded: LoadedRun},
  {client, isAside = false, ...options}: SettleOptions,
): Promise<ReconcileReport> {
  const before = journal.outcome()
  const requestsBefore = requestsSoFar(loaded, before) - (client?.requestsUsed ?? 0)
  if (!options.dryRun) journal.transaction(() => journal.own('reconciled'))
  const settled = await reconcileRun(journal, loaded, {
    ...options,
    client: client?.forClass('reconcile') ?? noClient,
    clock: systemClock,
    moment: bootMoment,
  })
  if (options.dryRun) return settled
  const {exit, report} = settled
  const requests = requestsBefore + (client?.requestsUsed ?? 0)
  const untold = isAside || before?.exit !== 'ok' || before.untold // then the same write, given again, is told that they were applied
  journal.end({exit, rows: report.rows, requests, endedAt: systemClock.now(), ...(untold && {untold})})
  return settled
}

const unreachable = (): never => {
  throw new TypeError('a decision needs no client')
}
const noClient: ReconcileOptions['client'] = {readPages: unreachable, write: unreachable}

/**
 * Finds out what became of every set in doubt, and finishes those that may be sent again. What it learns is durable
 * immediately. Never throws for what the service or the network does; throws a `CliFailure` (storage) when the journal
 * cannot keep what was learned.
 */
export async function reconcileRun(
  journal: Journal,
  loaded: LoadedRun,
  options: ReconcileOptions,
): Promise<ReconcileReport> {
  const open = openPartsOf(loaded)
  const preimages = open.length === 0 ? new Map<string, string>() : new Map(journal.preimages())
  const onlyOne = createOnlyOne(loaded, options)
  const sets: ReconciledSet[] = []
  const left = new Set(open)
  let stopped = false
  for (const entry of open) {
    left.delete(entry)
    const context = toContext({
      journal,
      loaded,
      options,
      entry,
      preimages,
      onlyOne,
      others: [...left, ...open.filter((_, index) => sets[index]?.fate === 'inDoubt')],
    })
    stopped = (await reconcileOne(context, stopped)) || stopped
    const look = context.report.fate === 'inDoubt' ? showRecords(context) : undefined
    if (look !== undefined) context.report.look = look
    sets.push(context.report)
  }

  const now = loadRun(journal)
  const report = reportOfRun(now)
  return {
    sets,
    solved: report.rows.inDoubt === 0,
    stopped,
    loaded: now,
    report,
    exit: exitOfRun({...report.ending, isReconciled: true}),
  }
}

/** The sets of a run of which it is not known whether they were applied. */
export function openPartsOf({parts}: LoadedRun): LoadedPart[] {
  return parts.filter(({part}) => isInDoubt(part))
}

/** Rows and sets that a person decides about. */
export function describeParts(parts: readonly LoadedPart[]): string {
  const rows = countPlaces(parts.map(({set}) => set))
  return `${counted(rows, 'row')} in ${parts.length === 1 ? 'one set' : `${parts.length} sets`}`
}

async function reconcileOne(context: SetInDoubt, stopped: boolean): Promise<boolean> {
  const {assume} = context.options
  if (assume) {
    assumeFate(context, assume)
    return false
  }
  if (!stopped && !context.options.signal?.aborted) return reconcileSet(context)
  note(context, 'not probed: stopped before')
  leave(context)
  return true
}

/** Takes the word of a person, unproven. */
function assumeFate(context: SetInDoubt, assume: 'applied' | 'notApplied'): void {
  note(context, assume === 'applied' ? 'assumed to be applied' : 'assumed not to be applied')
  if (assume === 'applied') confirm(context, [], 'person', 'recorded by hand as applied')
  else release(context, 'person', 'recorded by hand as not applied')
}

type Given = Pick<SetInDoubt, 'journal' | 'options' | 'entry' | 'preimages' | 'onlyOne' | 'others'> & {
  loaded: LoadedRun
}

function toContext({loaded, entry, ...given}: Given): SetInDoubt {
  const {rows} = loaded.plan
  const operation = operationOfSet(loaded.plan, entry.set)
  const {places, number} = entry.set
  const lines = places.map((place) => rows.at(place)?.line ?? 0)
  return {
    ...given,
    entry,
    run: loaded,
    operation,
    records: recordsOf(operation, given.journal.bodyOf(entry.part.seq)),
    report: {
      part: entry.part.seq,
      set: number,
      rows: places.length,
      lines: [lines.at(0) ?? 0, lines.at(-1) ?? 0],
      fate: 'inDoubt',
      how: null,
      probes: {good: 0, void: 0},
      sent: 0,
      evidence: [],
      unclear: [],
      differences: [],
    },
  }
}

/** Reads once which records the service keeps only one of. */
function createOnlyOne({plan}: LoadedRun, {client}: ReconcileOptions): SetInDoubt['onlyOne'] {
  let found: ReturnType<SetInDoubt['onlyOne']> | undefined
  return () => {
    found ??= readOnlyOne(client, plan.operation)
    return found
  }
}

const mostNamed = 50

/** A command that shows the records that a person must look at; none where no read shows them. */
function showRecords({operation, run, records, report, entry, preimages}: SetInDoubt): string | undefined {
  const {probe, identity, target} = writeOperation(operation)
  if (probe.kind === 'resend') return undefined
  const lines = new Set(report.unclear.map(({line}) => line))
  const differing = records.filter((_, index) =>
    lines.has(run.plan.rows.at(entry.set.places[index] ?? run.plan.rows.length)?.line ?? -1),
  )
  const some = (differing.length > 0 ? differing : records).slice(0, mostNamed)
  const {command} = readOperation(probe.read)
  const dayBefore = Math.floor(run.facts.createdAt / millisecondsPerDay - 1) * millisecondsPerDay
  const start = toDateTime(dayBefore).slice(0, 10)
  const {profile} = run.facts // that of whoever reconciles may be of another service
  if (probe.kind === 'adjustments') {
    const texts = some.flatMap((record) => preimages.get(naturalKeyOf(operation, record) ?? '') ?? [])
    const fields = allFieldsOf(readOperation(probe.read).resource)
    const all = texts.map((text) => parseJson(text)).filter((record) => isRecord(record))
    const before = all.map((record) => spellRecord(record, fields))
    return commandLine(readOperation(probe.trace).command, [], {
      ...toFlags(probe.traced.filters, before),
      start,
      profile,
    })
  }
  if (probe.kind !== 'identity' && probe.kind !== 'likeness')
    return commandLine(command, [], {...toFlags({[findRead(probe).filter]: target}, some), profile})
  const flags = toFlags(probe.filters, some)
  if (probe.kind === 'identity')
    return commandLine(command, [], {...flags, ...toCondition(identity, probe.filters, some), profile})
  return commandLine(command, [], {...flags, start, profile})
}

function toFlags(filters: FieldsOfFilters, records: readonly JsonRecord[]): Record<string, string> {
  const named = Object.entries(filters) as [FilterKey, string][]
  return Object.fromEntries(
    named.map(([key, field]) => [
      filterOf(key).flag,
      [...new Set(records.map((record) => idText(record[field])))].join(','),
    ]),
  )
}

/** The rest of the identity of a single record, which no filter takes. */
function toCondition(
  identity: readonly string[],
  filters: FieldsOfFilters,
  [first, ...more]: readonly JsonRecord[],
): {where?: string} {
  const filtered: readonly string[] = Object.values(filters)
  const [rest] = identity.filter((field) => !filtered.includes(field))
  return first && more.length === 0 && rest ? {where: `${rest}=${idText(first[rest])}`} : {}
}
