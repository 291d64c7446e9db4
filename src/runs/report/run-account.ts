import {writeOperation} from '../../contract/index.js'
import {toIso} from '../../core/clock.js'
import {keepMemoryFlatFor} from '../../core/flat-memory.js'
import type {RunFolder} from '../../core/run-id.js'
import {isRecord, type JsonRecord, type JsonValue, printJson} from '../../values/json.js'
import {endedWords, type Journal} from '../journal/journal.js'
import type {Evidence, JournalEvent, PartState, RunOutcome} from '../journal/journal-entries.js'
import {
  hasRefusedCanary,
  isInDoubt,
  keptPreimages,
  type LoadedPart,
  type LoadedRun,
  loadRun,
  noAnswer,
} from '../journal/load-run.js'
import {readJournal} from '../journal/open-journal.js'
import {runPath} from '../journal/run-folder.js'
import {type RunSummary, readSummary} from '../journal/run-summary.js'
import {changesSent} from '../plan/plan-document.js'
import type {PlannedRow, PlannedSet} from '../rows/cut-sets.js'
import type {Batch, RowChange} from '../rows/phases.js'
import {fatesOf} from './audit.js'
import {type NextStep, nextStepOf, nextStepText} from './next-step.js'
import type {RunReport} from './report.js'
import {reportOfRun} from './report-of-run.js'

/** Contents of a journal for readers. */
export type RunAccount = {
  summary: RunSummary
  loaded: LoadedRun
  events: readonly JournalEvent[]
  sets: readonly SetAccount[]
  report: RunReport
  /** Old and new values of what was applied, where the records were read before; of a page. */
  changes: readonly RowChange[]
}

/** Reads the complete journal of a run. Throws `storage` when it is damaged or of a later version. */
export function readAccount(folder: RunFolder, id: string, isPage: boolean): RunAccount {
  const summary = readSummary(folder, id)
  keepMemoryFlatFor(runPath(folder, id))
  const journal = readJournal(folder, id, {isChecked: true})
  try {
    const loaded = loadRun(journal)
    const events = journal.events()
    const report = reportOfRun(loaded)
    if (!summary) throw new TypeError('a journal without a run')
    const changes = isPage ? readChanges(journal, loaded, report) : []
    return {summary, loaded, events, sets: accountOfSets(loaded, events), report, changes}
  } finally {
    journal.close()
  }
}

function readChanges(journal: Journal, {plan}: LoadedRun, {outcomes}: RunReport): readonly RowChange[] {
  const {operation} = plan
  if (writeOperation(operation).preimage !== 'records') return []
  const rows = plan.rows.filter((_, place) => outcomes.at(place)?.fate === 'applied')
  return changesSent({operation, rows}, {records: new Map(keptPreimages(journal)), isComplete: true})
}

export function nextOf({summary: {state, id}, report, loaded}: RunAccount): NextStep {
  return nextStepOf(state, id, {...report.rows, isKeptBack: hasRefusedCanary(loaded), exit: report.exit})
}

export type TimelineEntry = {at: number; text: string}

const words: Readonly<Record<PartState, string>> = {
  planned: 'not sent',
  sent: 'sent',
  confirmed: 'applied',
  rejected: 'refused',
  inDoubt: 'in doubt',
  closed: 'closed',
}

/** Events with which a process begins to work on a run. */
const starts = ['planned', 'resumed', 'reconciled']

/** A kill leaves no event. */
const killed = 'no end was recorded: the program was killed, or the machine stopped'

/**
 * Starts, answers, kills and ends of a run in their order. Sets that were answered as applied one after the other share
 * an entry.
 */
export function toTimeline(account: Pick<RunAccount, 'summary' | 'loaded' | 'events'>): TimelineEntry[] {
  const {summary, loaded, events} = account
  const {user, host} = loaded.facts
  const numbers = new Map(loaded.parts.map(({part, set}) => [part.seq, set.number]))
  const entries: TimelineEntry[] = []
  let isOpen = false
  let last: {first: number; entry: TimelineEntry} | undefined
  const by = user === undefined ? '' : `, by ${user} on ${host}`
  for (const [index, event] of events.entries()) {
    const {at, part, to, why} = event
    const [before, after] = [events[index - 1], events[index + 1]]
    if (part === null) {
      const isEnd = why === endedWords
      if (isOpen && !isEnd) entries.push({at: before?.at ?? at, text: killed})
      isOpen = !isEnd && starts.includes(to)
      entries.push({at, text: isEnd ? `ended: ${to}` : to === 'planned' ? `started: ${why}${by}` : `${to} ${why}`})
      last = undefined
      continue
    }
    isOpen ||= to === 'sent'
    if (to === 'sent' && isAnswer(event, after)) continue
    const number = numbers.get(part) ?? 0
    if (!isAnswer(before, event)) {
      entries.push({at, text: `set ${number}: ${words[to as PartState] ?? to}${to === 'sent' ? '' : ` (${why})`}`})
      last = undefined
    } else if (last) {
      last.entry.text = `sets ${last.first}–${number}: sent and applied`
    } else {
      last = {first: number, entry: {at, text: `set ${number}: sent and applied`}}
      entries.push(last.entry)
    }
  }
  if (isOpen && summary.state !== 'running') entries.push({at: events.at(-1)?.at ?? 0, text: killed})
  return entries
}

/** Whether a set was answered as applied right after it was sent. */
function isAnswer(sent: JournalEvent | undefined, answer: JournalEvent | undefined): boolean {
  return sent?.to === 'sent' && answer?.to === 'confirmed' && sent.part === answer.part
}

/** One set in the journal, or a part of one that was sent again. */
export type SetAccount = {
  set: number
  part: NonNullable<PlannedSet['part']>['kind'] | null
  rows: number
  /** Lines of its first and last row. */
  lines: [number, number]
  state: PartState
  /** Who says so. */
  how: Evidence | null
  /** Times it left. */
  attempts: number
  /** When it left last, and when its state was last changed; milliseconds since 1970. */
  sentAt: number | null
  changedAt: number | null
  /** The reason of its last change. */
  why: string
  /** For a set in doubt: the reason, and the findings of every look so far. */
  doubts: string[]
}

function accountOfSets({plan, parts}: LoadedRun, events: readonly JournalEvent[]): SetAccount[] {
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

/** Requests of a run until now; for one killed before it counted them, a lower bound. */
export function requestsSoFar({facts, parts}: Pick<LoadedRun, 'facts' | 'parts'>, outcome?: RunOutcome): number {
  return outcome?.requests ?? facts.reads + parts.reduce((sum, {part}) => sum + part.attempts, 0)
}

/** Rows of which it is not known whether they were applied, in the order of the file. */
export function rowsInDoubt({plan, parts}: LoadedRun): PlannedRow[] {
  const places = parts.filter(({part}) => isInDoubt(part)).flatMap(({set}) => set.places)
  return places.toSorted((one, other) => one - other).flatMap((place) => plan.rows.at(place) ?? [])
}

/** The naming fields of a row for whoever looks for its record: `accountId 201, name "New Wharf"`. */
export function describeRecord(operation: Batch['operation'], record: JsonRecord): string {
  const {identity} = writeOperation(operation)
  const names = identity.length > 0 ? identity : Object.keys(record).slice(0, 3)
  return names.map((name) => `${name} ${printJson(plainValue(record, name))}`).join(', ')
}

function plainValue(record: JsonRecord, name: string): JsonValue {
  const value = record[name] ?? null
  return isRecord(value) ? null : value
}

/** The account of a run as data. */
export function toAccountData(account: RunAccount, folder: RunFolder): JsonValue {
  const {summary, loaded, sets, events} = account
  const {facts} = loaded
  const {id, state, outcome} = summary
  const timed = sets.map(({sentAt, changedAt, ...set}) => ({
    ...set,
    sentAt: toTime(sentAt),
    changedAt: toTime(changedAt),
  }))
  return {
    id,
    state,
    ...(facts as unknown as JsonRecord),
    rows: {...fatesOf(summary, folder)},
    createdAt: toIso(facts.createdAt),
    outcome: outcome ? {...(outcome as unknown as JsonRecord), endedAt: toIso(outcome.endedAt)} : null,
    owner: summary.owner ? {...summary.owner, since: toIso(summary.owner.since)} : null,
    sets: timed as unknown as JsonValue,
    events: events.map((event) => ({...event, at: toIso(event.at)})) as unknown as JsonValue,
    next: nextStepText(nextOf(account)),
  }
}

function toTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : toIso(milliseconds)
}
