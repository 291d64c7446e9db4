import {allFieldsOf, changedResource, readOperation} from '../../contract/index.js'
import {toTimeText} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {type JsonRecord, type JsonValue, valueText} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import {toInteger, toSignedText} from '../differences/changes.js'
import {noTime, readTrace, type TraceProbe} from '../differences/live-values.js'
import {type SentByService, sentByService} from '../differences/quiet-time.js'
import type {LoadedPart, LoadedRun} from '../journal/load-run.js'
import type {Reader} from '../records/read-current.js'
import {spellRecord} from '../rows/merge-fields.js'
import type {Judgement, RowFinding, SentSet} from './judgement.js'

export type Probing = {
  client: Reader
  run: LoadedRun
  part: LoadedPart
  /** About the present, in milliseconds since 1970. */
  now: number
}

/** A set that was sent, its rows, and the records that they change as they were before, by the digits of their ids. */
export type TracedSet = Pick<SentSet, 'write' | 'records' | 'before'>

/** The clock that stamps a change may round to whole seconds, and the one of the answers may be another one's. */
const slackMilliseconds = 2_000

/** A set that was applied left its changes by then. */
const appliedMilliseconds = 3_600_000

/** Looks for the changes of a set since it was sent. Throws a `CliFailure` when the trace proves nothing. */
export async function probeAdjustments(
  probing: Probing,
  probe: TraceProbe,
  set: TracedSet,
  ofPart: (part: LoadedPart) => TracedSet,
): Promise<Judgement> {
  const {part, run} = probing
  const since = sinceOf(probing, part)
  const changes = await readChanges(probing, probe, set, {from: since.notBefore - slackMilliseconds})
  const control = await readControl(probing, probe, ofPart)
  const {isShown = true, self} = control ? findSelf(control) : {}
  const noun = readOperation(probe.read).resource
  const judgement = judgeAdjustments(changes, {self, since: toTimeText(since.notBefore), noun})
  if (judgement.kind === 'none' && !isShown)
    throw new CliFailure(
      `The report of changes does not show those of another set of run ${run.facts.id}, which the service answered.`,
      {code: 'TRACE_INCOMPLETE'},
    )
  return judgement
}

/** When a part was sent, by the clock of the service. Throws a `CliFailure` when that is not known. */
function sinceOf({run}: Pick<Probing, 'run'>, {part}: LoadedPart): SentByService {
  const since = sentByService(part, run.facts)
  if (since) return since
  throw noTime()
}

/** The changes of a set in the trace. */
async function readChanges(
  {client, now}: Pick<Probing, 'client' | 'now'>,
  probe: TraceProbe,
  {write, records, before}: TracedSet,
  range: {from: number; to?: number},
): Promise<Changes> {
  const fields = allFieldsOf(changedResource(write))
  const known = new Map([...before].map(([id, record]) => [id, spellRecord(record, fields)]))
  const trace = await readTrace(client, probe, {of: [...known.values()], ...range}, now)
  const time = readOperation(probe.trace).range?.on ?? ''
  const sent = records.map((record) => ({
    id: record[write.target] ?? null,
    key: keyInTrace(known.get(idText(record[write.target])), probe.traced),
    size: toInteger(record[write.difference?.by ?? '']),
  }))
  return {sent, found: toAdjustments(trace, probe.traced, time)}
}

/** The changes of the last set of the run that the service answered: they tell who made them, and that the trace shows them. */
async function readControl(
  probing: Probing,
  probe: TraceProbe,
  ofPart: (part: LoadedPart) => TracedSet,
): Promise<Changes | undefined> {
  const part = probing.run.parts.findLast(({part}) => part.state === 'confirmed' && part.how === 'answer')
  return part && readApplied({...probing, part}, probe, ofPart(part))
}

/** The changes of a set that was applied, soon after it was sent where that moment is known. */
function readApplied(probing: Probing, probe: TraceProbe, set: TracedSet): Promise<Changes> {
  const {notBefore, isClose} = sinceOf(probing, probing.part)
  const from = notBefore - slackMilliseconds
  return readChanges(probing, probe, set, {from, ...(isClose && {to: from + appliedMilliseconds})})
}

/** The ids of rows of an applied set whose change by a person the trace shows, of the size that was sent. */
export async function readShown(probing: Probing, set: TracedSet): Promise<JsonValue[]> {
  const {probe} = set.write
  if (probe.kind !== 'adjustments') return []
  const {sent, found} = await readApplied(probing, probe, set)
  const isShown = ({key, size}: SentChange) => found.some((one) => one.key === key && one.size === size)
  return sent.filter(isShown).map(({id}) => id)
}

/** A change by a person that is equal to that of a row: `index` is the place of the row. */
export type EqualChange = {index: number; size: bigint; person: string; at: string}

/** The first of them for each row of a set since a moment by the clock of the service. */
export async function findEqualChanges(
  probing: Pick<Probing, 'client' | 'now'>,
  probe: TraceProbe,
  set: TracedSet,
  since: number,
): Promise<EqualChange[]> {
  const {sent, found} = await readChanges(probing, probe, set, {from: since - slackMilliseconds})
  const byKey = Map.groupBy(found, ({key}) => key)
  return sent.flatMap(({key = '', size}, index): EqualChange[] => {
    const equal = byKey.get(key)?.find((one) => one.size === size)
    return equal && size !== undefined ? [{index, size, person: equal.person, at: equal.at}] : []
  })
}

/** A change of a record by a person, as the trace shows it. */
export type Adjustment = {
  /** Equal for the same record. */
  key: string
  size: bigint | undefined
  person: string
  at: string
}

/** A row that was sent: by how much it changes which record; without a key where that record was never read. */
export type SentChange = {id: JsonValue; key: string | undefined; size: bigint | undefined}

type Changes = {
  sent: readonly SentChange[]
  /** Since the set was sent. */
  found: readonly Adjustment[]
}

type About = {
  /** The user as whom this program changes records, where sets that were answered show it. */
  self?: string | undefined
  /** When the set was sent. */
  since: string
  noun: string
}

/** The name of the user of a change that names nobody, which is no sale for that. */
const unknownUser = 'unknown'

/** Doubt that no reading of the trace can exclude. */
const indistinct = 'an equal change by another person cannot be told apart'

/** Changes by persons in a trace; a change by nobody is a sale, and never ours. */
function toAdjustments(
  trace: readonly JsonRecord[],
  {of, size, person}: TraceProbe['traced'],
  time: string,
): Adjustment[] {
  const all = trace.map((record) => ({
    key: keyOf(Object.keys(of).map((name) => record[name])),
    size: toInteger(record[size]),
    person: idText(record[person]),
    at: valueText(record[time] ?? ''),
  }))
  return all.filter((one) => one.person !== '0')
}

/** Key of a record in a trace; undefined where one of its names is not known. */
function keyInTrace(record: JsonRecord | undefined, {of}: TraceProbe['traced']): string | undefined {
  const names = Object.values(of).map((name) => record?.[name])
  return names.every((name) => idText(name) !== '') ? keyOf(names) : undefined
}

/** A number and its text are the same; blanks, case and zeros in front are of the spelling only. */
function keyOf(names: readonly (JsonValue | undefined)[]): string {
  const plain = names.map((name) => idText(name).normalize('NFKC').toLowerCase().replaceAll(/\s/g, ''))
  return JSON.stringify(plain.map((name) => name.replace(/^0+(?=\d)/, '')))
}

type Row = {index: number; sent: SentChange; found: readonly Adjustment[]}

/**
 * Looks for what each row of a set left in the trace. A set is applied completely or not at all, and by one user: one
 * change of its size for every row is that set, no change for any row is none of it, and anything else proves nothing.
 */
export function judgeAdjustments({sent, found}: Changes, {self, since, noun}: About): Judgement {
  const unknown = sent.filter(({key}) => key === undefined).length
  const byKey = Map.groupBy(found, ({key}) => key)
  const all = sent.map((one, index): Row => ({index, sent: one, found: byKey.get(one.key ?? '') ?? []}))
  const isOwn = ({person}: Adjustment) => self === undefined || person === self
  const rows = all.map((row) => ({...row, found: row.found.filter(isOwn)}))
  const left = countFound(all) - countFound(rows)
  const users = [...new Set(rows.flatMap((row) => row.found.map(({person}) => person || unknownUser)))]
  const aside =
    left === 0 ? '' : `; ${counted(left, 'change')} by other users left aside, because this run is by user ${self}`
  const which = counted(rows.length, noun)
  const differing = rows.filter((row) => !isAsSent(row))
  if (unknown > 0) return toUnclear(rows, `${counted(unknown, noun)} of it never read, so no report can be searched`)
  if (users.length === 0)
    return {kind: 'none', final: false, evidence: `no change by a person of ${which} since ${since}${aside}`}
  if (differing.length === 0 && users.length === 1 && users[0] !== unknownUser) {
    const evidence = `exactly one change of ${which}, of the size that was sent, since ${since}, by user ${users[0]}`
    return {kind: 'applied', ids: [], evidence: `${evidence}${aside}; ${indistinct}`}
  }
  const what =
    differing.length === 0
      ? `since ${since} changes of the sizes that were sent, but by users ${users.join(' and ')}, and a set is by one user`
      : `since ${since} persons changed ${rows.length - differing.length} of ${which} exactly as it was sent, and others otherwise, but a set is applied completely or not at all`
  return toUnclear(differing.length === 0 ? rows : differing, `${what}${aside}; ${indistinct}`)
}

function isAsSent({sent, found: [one, ...more]}: Row): boolean {
  return one !== undefined && more.length === 0 && one.size !== undefined && one.size === sent.size
}

function countFound(rows: readonly Row[]): number {
  return rows.reduce((sum, {found}) => sum + found.length, 0)
}

function toUnclear(rows: readonly Row[], evidence: string): Judgement {
  const findings = rows.map(({index, sent: {id, size = 0n}, found}): RowFinding => {
    const changes = found.map((one) => `${toSignedText(one.size ?? 0n)} by user ${one.person} at ${one.at}`)
    const expected = `${toSignedText(size)} once`
    return {index, id, fields: [{field: 'changes by persons', expected, found: changes.join(', ') || 'none'}]}
  })
  return {kind: 'unclear', rows: findings, evidence}
}

/**
 * The user as whom a set was sent that the service answered: the one person who made exactly one change of its size for
 * each row. `isShown`: the trace shows such a change for every row at least.
 */
export function findSelf({sent, found}: Changes): {isShown: boolean; self?: string} {
  const byKey = Map.groupBy(found, ({key}) => key)
  const rows = sent.map(({key = '', size}) => (byKey.get(key) ?? []).filter((one) => one.size === size))
  const [user, ...others] = new Set(rows.flatMap((all) => all.map(({person}) => person)))
  const isClear = user !== undefined && user !== '' && others.length === 0 && rows.every(({length}) => length === 1)
  return {isShown: rows.every(({length}) => length > 0), ...(isClear && {self: user})}
}
