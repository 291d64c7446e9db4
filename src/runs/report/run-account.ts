import {writeOperation} from '../../contract/index.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import type {Evidence, JournalEvent, PartState, RunOutcome} from '../journal/journal-entries.js'
import {type LoadedPart, type LoadedRun, noAnswer} from '../journal/load-run.js'
import type {PlannedRow, PlannedSet} from '../rows/cut-sets.js'
import type {Batch} from '../rows/phases.js'

/** What the journal holds about one set, or about a part of one that was sent again. */
export type SetAccount = {
  set: number
  part: NonNullable<PlannedSet['part']>['kind'] | null
  rows: number
  /** Lines of its first and last row. */
  lines: [number, number]
  state: PartState
  /** Who says so. */
  how: Evidence | null
  /** How often it left. */
  attempts: number
  /** When it left last, and when its state was last changed; milliseconds since 1970. */
  sentAt: number | null
  changedAt: number | null
  /** The reason of its last change. */
  why: string
  /** Of a set in doubt: why it is, and what every look has shown so far. */
  doubts: string[]
}

export function accountOfSets({plan, parts}: LoadedRun, events: readonly JournalEvent[]): SetAccount[] {
  const byPart = Map.groupBy(events, ({part}) => part)
  return parts.map((loaded) => accountOfSet(plan, loaded, byPart.get(loaded.part.seq) ?? []))
}

function accountOfSet(plan: Batch, {part, set}: LoadedPart, events: readonly JournalEvent[]): SetAccount {
  const [first = plan.rows.length, final = first] = [set.places[0], set.places.at(-1)]
  const last = events.at(-1)
  return {
    set: set.number,
    part: set.part?.kind ?? null,
    rows: set.places.length,
    lines: [lineAt(plan, first), lineAt(plan, final)],
    state: part.state,
    how: part.how,
    attempts: part.attempts,
    sentAt: events.findLast(({to}) => to === 'sent')?.at ?? null,
    changedAt: last?.at ?? null,
    why: part.state === 'sent' ? noAnswer : (last?.why ?? ''),
    doubts: isInDoubt(part) ? doubtsOf(part.state, events) : [],
  }
}

function lineAt({rows}: Batch, place: number): number {
  return rows.at(place)?.line ?? 0
}

function doubtsOf(state: PartState, events: readonly JournalEvent[]): string[] {
  const reasons = events.flatMap(({to, why}) => (to === 'inDoubt' ? [why] : []))
  return [...new Set(state === 'sent' ? [...reasons, noAnswer] : reasons)]
}

/** Requests of a run until now; of one that did not live to count them, at least so many. */
export function requestsSoFar({facts, parts}: Pick<LoadedRun, 'facts' | 'parts'>, outcome?: RunOutcome): number {
  return outcome?.requests ?? facts.reads + parts.reduce((sum, {part}) => sum + part.attempts, 0)
}

/** Whether it is not known what became of a part. */
export function isInDoubt({state}: {state: PartState}): boolean {
  return state === 'sent' || state === 'inDoubt'
}

/** Rows of which it is not known whether they were applied, in the order of the file. */
export function rowsInDoubt({plan, parts}: LoadedRun): PlannedRow[] {
  const places = parts.filter(({part}) => isInDoubt(part)).flatMap(({set}) => set.places)
  return places.toSorted((one, other) => one - other).flatMap((place) => plan.rows.at(place) ?? [])
}

/** What names a row for whoever looks for its record: `accountId 201, name "New Wharf"`. */
export function describeRecord(operation: Batch['operation'], record: JsonRecord): string {
  const {identity} = writeOperation(operation)
  const names = identity.length > 0 ? identity : Object.keys(record).slice(0, 3)
  return names.map((name) => `${name} ${printJson(plainValue(record, name))}`).join(', ')
}

function plainValue(record: JsonRecord, name: string): JsonValue {
  const value = record[name] ?? null
  return isRecord(value) ? null : value
}
