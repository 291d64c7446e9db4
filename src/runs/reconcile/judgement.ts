import type {Client} from '../../client/types.js'
import type {ExitName, Write} from '../../contract/index.js'
import type {BootMoment, Clock} from '../../core/clock.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {Evidence} from '../journal/journal-entries.js'
import type {LoadedRun} from '../journal/load-run.js'
import type {RunReport} from '../report/report.js'

export type ReconcileOptions = {
  client: Pick<Client, 'readPages' | 'write'>
  /** Its `now` is for dates only; waits are measured by `moment`. */
  clock: Pick<Clock, 'now' | 'sleep'>
  moment: () => BootMoment
  /** Time since the doubt began after which a missing record proves that nothing was applied; 120 s unless given. */
  settleMilliseconds?: number | undefined
  /** Send records again that were not found, although a first copy that arrives even later would double them. */
  resendAfterSettle?: boolean | undefined
  /** Records that may be sent again. Deletions must not, unless given: their number is confirmed first. */
  sends?: 'all' | 'noDeletions' | 'nothing' | undefined
  /** The statement of a person about every set in doubt; nothing is read or sent. */
  assume?: 'applied' | 'notApplied' | undefined
  /** Probe once, report what would be done, and change nothing. */
  dryRun?: boolean | undefined
  /** Once aborted, waiting ends and nothing further is read or sent. */
  signal?: AbortSignal | undefined
  onProgress: (progress: ReconcileProgress) => void
}

/** Which probe comes next, and in how many milliseconds; 0 while it runs. */
export type ReconcileProgress = {set: number; probe: number; probes: number; milliseconds: number}

/**
 * The fate of a set in doubt. `notApplied`: proven, and its rows may be sent, which `runs resume` does. `inDoubt`: only
 * a person can decide.
 */
export type ReconciledFate = 'applied' | 'refused' | 'notApplied' | 'inDoubt'

/** A field of a record that is neither as it was sent nor, where that is known, as it was before. */
export type Difference = FieldFinding & {line: number; id: JsonValue}

export type ReconciledSet = {
  /** Number of the part in the journal. */
  part: number
  /** Number of the set in the plan. */
  set: number
  rows: number
  /** Lines of the first and the last row. */
  lines: [number, number]
  fate: ReconciledFate
  how: Evidence | null
  /** Probes that proved something, and probes that failed. */
  probes: {good: number; void: number}
  /** Times the set, or the rest of it, was sent again. */
  sent: number
  /** Records that a set waiting for a confirmation would delete. */
  deletions?: number
  /** Findings and what they prove, in sentences. */
  evidence: string[]
  /** The rows that a person must look at; the id of the record that was sent or found, where there is one. */
  unclear: {line: number; id: JsonValue}[]
  differences: Difference[]
  /** A command that shows the records in question. */
  look?: string
}

/** Result of reconciling a run. */
export type ReconcileReport = {
  /** One for each set that was in doubt, in the order of the run. */
  sets: ReconciledSet[]
  /** Whether nothing is in doubt now. */
  solved: boolean
  /** The reason of the signal, when that ended it. */
  stopped: boolean
  /** The run after reconciling. */
  loaded: LoadedRun
  report: RunReport
  exit: ExitName
}

/** A field that is not as it was sent; without `before` where that is not known. */
export type FieldFinding = {field: string; expected: JsonValue; before?: JsonValue | undefined; found: JsonValue}

/** A row that a person must look at: its place in the set, the record found for it, and its differing fields. */
export type RowFinding = {index: number; id?: JsonValue | undefined; fields?: FieldFinding[]}

/**
 * Proof of one probe about a set.
 * `applied`: all of it; with the ids of created records in the order of the set.
 * `none`: nothing of it so far; `final` when a first copy that arrives late would be refused; `overwrites` when sending it
 * again would overwrite what others changed since in fields that its rows do not give.
 * `open`: records that have not reached their end state, by their places in the set; `seen` when all of them were found.
 * `unclear`: someone else changed some of the records.
 */
export type Judgement =
  | {kind: 'applied'; ids: JsonValue[]; evidence: string}
  | {kind: 'none'; final: boolean; overwrites?: true; evidence: string}
  | {kind: 'open'; open: number[]; seen: boolean; evidence: string}
  | {kind: 'unclear'; rows: RowFinding[]; evidence: string}

/** The records of one set as they were sent, and the known records before. */
export type SentSet = {
  write: Write
  records: readonly JsonRecord[]
  /** Fields given by their rows, where the records have more. */
  given: readonly (JsonRecord | undefined)[]
  /** For changes: the record before, by the digits of its id. */
  before: ReadonlyMap<string, JsonRecord>
  /** For creates: ids of records that were there before or belong to other sets, as digits. */
  known: ReadonlySet<string>
  /** Whether `known` has every record that could be taken for one of the set. */
  knowsAll: boolean
}

/**
 * `done`: as it was sent. `before`: as it was before. `either`: both, because the row changes nothing. `absent`: not there,
 * and it would be. `theirs`: there before the run. `unknown`: not as it was sent, and how it was before is not known.
 * `other`: changed by someone else. `missing`: not found, though it was there. `close`: done about when it was sent.
 */
type State = 'done' | 'before' | 'either' | 'absent' | 'theirs' | 'unknown' | 'other' | 'missing' | 'close'

/** A row with what became of it. */
export type Judged = RowFinding & {state: State}

/** Words for rows in each state; a kind of probe may have its own. */
const stateWords: Readonly<Record<State, string>> = {
  done: 'as sent',
  before: 'as before',
  either: 'that the set leaves as they were',
  absent: 'not found',
  theirs: 'that were there before',
  unknown: 'not as sent, and how they were before is not known',
  other: 'neither as sent nor as before: changed by someone else',
  missing: 'not found',
  close: 'too close to the request',
}

/** A set is applied completely or not at all: its rows prove something where they agree. */
export function judgeRows(
  {write}: Pick<SentSet, 'write'>,
  rows: readonly Judged[],
  words: Partial<Record<State, string>> = {},
): Judgement {
  const count = (...states: State[]) => rows.filter(({state}) => states.includes(state)).length
  const known = {...stateWords, ...words}
  const counts = Object.entries(known).map(([state, text]) => [count(state as State), text] as const)
  const evidence = `${countRecords(rows.length, write)}: ${listCounts(counts)}`
  const [done, left, final] = [count('done'), count('before', 'absent', 'theirs'), count('theirs') > 0]
  if (done + count('either') === rows.length) return {kind: 'applied', ids: rows.map(({id = null}) => id), evidence}
  if (left > 0 && left + count('either', 'unknown') === rows.length) return {kind: 'none', final, evidence}
  const isTorn = (done > 0 && left > 0) || count('other') > 0
  const notDone = rows.filter(({state}) => state !== 'done' && state !== 'either')
  const strange = notDone.filter(({state}) => state !== 'before' && state !== 'unknown')
  const unclear = strange.length > 0 ? strange : notDone
  return {
    kind: 'unclear',
    rows: unclear.map(({state: _, ...row}) => row),
    evidence: isTorn ? `${evidence}; ${someoneElse}` : evidence,
  }
}

/** Numbers of rows of each kind, without kinds that have none: `3 done, 1 not found`. */
export function listCounts(counts: readonly (readonly [number, string])[]): string {
  return counts.flatMap(([count, text]) => (count > 0 ? [`${count} ${text}`] : [])).join(', ')
}

/** `7 alerts` */
export function countRecords(count: number, {words: {noun}}: Write): string {
  return counted(count, noun)
}

/** The judgement that all created records of a set were found. */
export function foundAsSent({records, write}: SentSet, ids: JsonValue[]): Judgement {
  const how = records.length === 1 ? 'new and as it was sent' : 'all of them new and as they were sent'
  return {kind: 'applied', ids, evidence: `${countRecords(records.length, write)} found, ${how}`}
}

export function noneFound({records, write}: SentSet): Judgement {
  return {kind: 'none', final: false, evidence: `none of ${countRecords(records.length, write)} found`}
}

/** Why a set of which only a part is there proves nothing. */
export const someoneElse = 'a set is applied completely or not at all, so someone else changed some of them'
