import type {FilterValues, WriteAnswer} from '../../client/types.js'
import {fateNames, type WriteId, writeOperation} from '../../contract/index.js'
import type {CliFailure} from '../../core/errors.js'
import type {Reading} from '../../formats/read/row.js'
import type {Problem} from '../../validate/problem.js'
import {thousands} from '../../values/counted.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {Layout} from '../../values/place.js'
import {type CutOptions, countPlaces, type PlannedSet, type RowList} from './cut-sets.js'
import type {FieldChange, FieldRule} from './merge-fields.js'
import type {OnError} from './on-error.js'

/**
 * `name`: what people call the record, where it is known. `selection`: of a machine, the one that would change. `place`:
 * where the record is, such as `site 12`.
 */
export type RowChange = FieldChange & {
  line: number
  id: JsonValue
  name?: string
  selection?: string
  place?: string
}
export type MissingRow = {line: number; id: JsonValue}

/** Changes in the selections of a machine by kind; those that do not change are `unchanged`. */
export type MachineCounts = {id: JsonValue; name?: string; changed: number; created: number; unchanged: number}

/** Changes of rows in the current records. */
export type Comparison = {
  changes: RowChange[]
  /** Rows whose record was not found. */
  missing: MissingRow[]
  /** Rows whose record is already as the row wants it. */
  unchanged: number
  /** Where the records are machines, and their selections change. */
  machines?: MachineCounts[]
}

/** A place by its id, and by its name where that could be read. */
export type Place = {id: JsonValue; name: string | null}

/** A record that a row moves from one place to another. */
export type Move = {line: number; id: JsonValue; from: Place; to: Place}

/** Changes at one site: the number of records, and the sum of a field before and after, exactly. */
export type SiteTotal = {site: Place; records: number; before: string; after: string; difference: string}

/** Options of sending sets. */
export type Sending = {
  setSize: number
  onError: OnError
  bisectBudget: number | null
  atomic: boolean
  canary: number | null
  /** Exactly what the file says is sent, and what it leaves out is set to null. */
  replace: boolean
}

/** A plan file while it is applied. */
export type AppliedPlan = {
  /** SHA-256 of the plan file in hex. */
  readonly digest: string
  /** SHA-256 of the input that it was made of, in hex. */
  readonly inputDigest: string | null
  readonly encoding: string | null
  /** Path of the input, when it is there and unchanged. */
  readonly path: string | null
  /** Who approved it until when (UTC, ISO 8601), and what names the approval, which is used once. */
  readonly approved: {readonly by: string; readonly id: string; readonly expires: string} | null
}

/** Why rows are written: somebody gave or chose them, they undo a run, or a plan file has them. */
export type Origin =
  | {readonly kind: 'given'}
  | {readonly kind: 'undo'; readonly run: string}
  | ({readonly kind: 'plan'} & AppliedPlan)

/** The rows of one write in whatever phase, and how people find them where they come from. */
export type Batch = {
  readonly operation: WriteId
  /** As messages name it. */
  readonly file: string
  /** Names of the places of its rows. */
  readonly layout: Layout
  /** Encoding and shape in which the file was read; null for rows of no file. */
  readonly reading: Reading | null
  /** Number of the column of each field, 1-based; of a CSV or TSV file. */
  readonly columns: ReadonlyMap<string, number>
  readonly rows: RowList
  /** Fields missing in a row come from the current record. */
  readonly merges: boolean
  /** Changes of fields of the current records: a mark in a row is replaced by the value. */
  readonly changes: readonly FieldRule[]
  readonly origin: Origin
  /** Requests that a run needs to read before it writes. */
  readonly reads: number
}

/** What people are told about rows that pass. */
export type Messages = {
  /** Problems that do not stop a row. */
  readonly warnings: readonly Problem[]
  /** Values read as something other than their literal text, in sentences. */
  readonly notices: readonly string[]
  /** Facts for the reader that are no warnings. */
  readonly remarks: readonly string[]
}

/** Records that were read to find what rows name, by the digits of their ids, and when, on the clock that never jumps. */
export type FoundRecords = {readonly records: ReadonlyMap<string, JsonRecord>; readonly readAt: number}

/** Rows that passed the check: nothing of the records that they are about is known, but what finding them showed. */
export type Checked = Batch &
  Messages & {
    readonly phase: 'checked'
    /** Problems of values that are none where the record has the value already. */
    readonly doubts: readonly Problem[]
    /** Fields whose damage by a spreadsheet is meant; null where no cell of a file was read. */
    readonly allowsDamage: ReadonlySet<string> | null
    /** No record takes more bytes than this in a request; infinite where that is not known. */
    readonly longestRecordBytes: number
    readonly found: FoundRecords | null
  }

/** Rows that were matched with earlier runs: those that one of them applied carry `skip`. */
export type Matched = Omit<Checked, 'phase'> & {
  readonly phase: 'matched'
  /** Places of rows that were refused unmerged: others do not wait behind them. */
  readonly last: ReadonlySet<number>
}

/** The records that are about to change as they were read, by natural key; of creates the ids that were there. */
export type Before = {
  readonly records: ReadonlyMap<string, JsonRecord>
  /** False when only a part of them was read. */
  readonly isComplete: boolean
}

/** Facts shown and reported about rows once they are cut into sets. */
export type Planned = Batch &
  Messages & {
    readonly sets: readonly PlannedSet[]
    readonly sending: Sending
    /** Changes; null where the records were not compared. */
    readonly comparison: Comparison | null
    /** Records that are moved from one place to another. */
    readonly moves: readonly Move[]
    /** The sums of what changes, by site. */
    readonly totals: readonly SiteTotal[]
    /** When the current records were read that the rows have, on the clock that never jumps; null where they have none. */
    readonly readAt: number | null
  }

/** Rows beside the current records, cut into sets. A dry run ends here. */
export type Compared = Planned & {
  readonly phase: 'compared'
  /** Problems of values that are none where the record has the value already. */
  readonly doubts: readonly Problem[]
  /** Problems of rows that only their current records show. */
  readonly problems: readonly Problem[]
  /** Null while they are not read, or cannot be. */
  readonly before: Before | null
  /** The dates that the records were searched by, outside of which they cannot be read again; null where they were named. */
  readonly dates: FilterValues | null
}

/** The rows to send: contents of a plan file and a journal. */
export type Agreed = Planned & {readonly phase: 'agreed'}

/** Rows of no file, of which nothing is known yet. */
export function batchOf(operation: WriteId, file: string, rows: RowList): Batch {
  return {
    ...{operation, file, rows, layout: {}, reading: null, columns: new Map(), merges: false, changes: []},
    ...{origin: {kind: 'given'}, reads: 0},
  }
}

export const noMessages: Messages = {warnings: [], notices: [], remarks: []}

/** Checked rows of no file. */
export function checkedRows(batch: Batch, found: FoundRecords | null = null): Checked {
  const longestRecordBytes = Number.POSITIVE_INFINITY
  return {...noMessages, ...batch, phase: 'checked', doubts: [], allowsDamage: null, longestRecordBytes, found}
}

/** Checked rows of which no earlier run is known to have applied any. */
export function unmatchedRows(checked: Checked): Matched {
  return {...checked, phase: 'matched', last: new Set()}
}

/** Rows agreed to before, as a plan file or a journal has them. */
export function agreedRows(batch: Batch & Pick<Planned, 'sets' | 'sending'>): Agreed {
  return {...noMessages, ...batch, phase: 'agreed', comparison: null, moves: [], totals: [], readAt: null}
}

/** Rows that are sent. */
export function countToSend({sets}: Pick<Planned, 'sets'>): number {
  return countPlaces(sets)
}

/** Limits for cutting the rows of a write. */
export function cutOf(operation: WriteId, {setSize, atomic, canary}: Sending): CutOptions {
  return {setSize, atomic, canary: canary ?? undefined, rule: writeOperation(operation).set}
}

/** The outcome of one row of the file. */
export type RowOutcome = {
  /** Line the row starts on. */
  line: number
  fate: Fate
  /** Id of the record that was sent, or that the service named. */
  id?: JsonValue | undefined
  /** Why the row was not applied. */
  code?: string | undefined
  message?: string | undefined
  column?: number | undefined
}

/** Why a set was not tried: the run had stopped before it, or the requests to look for the blamed rows were used up. */
export type NotTried = {fate: 'skipped'; why?: 'stopped' | 'canary' | 'budget'}

/** Rows that were sent with a value that was just read, and how old the oldest was. */
export type LiveSent = {rows: number; milliseconds: number}

/** The outcome of one set, or of a part of one. */
export type SetResult = {
  set: PlannedSet
  answer: WriteAnswer | NotTried
  /** Places of the rows whose fate is in a later result, because they are sent again. */
  again?: ReadonlySet<number>
  /** Rows of it that were sent with a value that was just read. */
  live?: LiveSent
  /** Why the journal could not take the answer, which is valid nevertheless. */
  unrecorded?: CliFailure
}

/** Rows beside the current records that are not cut into sets yet. */
export type Uncut = Omit<Compared, 'phase' | 'sets' | 'moves' | 'totals'>

/** Facts about rows from the current records; each replaces the former value. */
export type Shown = Partial<
  Pick<Matched, 'rows' | 'doubts' | 'warnings'> & {
    comparison: Comparison
    before: Before
    notices: readonly string[]
    remarks: readonly string[]
    problems: readonly Problem[]
    /** Requests that it took. */
    requests: number
    /** Places of rows that make new records. */
    fresh: ReadonlySet<number>
    /** When the records were read, on the clock that never jumps. */
    readAt: number
    /** No record takes more bytes than this in a request. */
    longestRecordBytes: number
  }
>

/** Records that no file lists; `reads`: requests that it took to find them. */
export function namedRows(operation: WriteId, records: readonly JsonRecord[], reads = 0): Batch {
  const rows = records.map((record, index) => ({line: index + 1, record}))
  return {...batchOf(operation, writeOperation(operation).words.nouns, rows), reads}
}

export type Fate = (typeof fateNames)[number]

/** Rows by fate; they add up to the rows of the file. */
export type Fates = Record<Fate, number>

/** The fates as headings. */
export const fateWords: Readonly<Record<Fate, string>> = {
  applied: 'Applied',
  refused: 'Refused',
  rolledBack: 'Rolled back',
  inDoubt: 'In doubt',
  unsent: 'Not sent',
  unchanged: 'Unchanged',
}

/** `applied 2 · refused 0 · …`, without one of them; rows that change nothing only where there are some. */
export function describeFates(rows: Fates, without?: Fate): string {
  return fateNames
    .filter((fate) => fate !== without && (fate !== 'unchanged' || rows.unchanged > 0))
    .map((fate) => `${fate} ${thousands(rows[fate])}`)
    .join(' · ')
}

export function countFates(rows: Iterable<{fate: Fate}>): Fates {
  const fates: Fates = {applied: 0, refused: 0, rolledBack: 0, inDoubt: 0, unsent: 0, unchanged: 0}
  for (const {fate} of rows) fates[fate]++
  return fates
}
