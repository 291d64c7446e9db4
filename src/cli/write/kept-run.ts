import {writeOperation} from '../../contract/index.js'
import {endedWords, type Journal} from '../../runs/journal/journal.js'
import type {JournalEvent, PartState} from '../../runs/journal/journal-entries.js'
import {hasRefusedCanary, keptPreimages, type LoadedRun, loadRun} from '../../runs/journal/load-run.js'
import {readJournal} from '../../runs/journal/open-journal.js'
import type {RunFolder} from '../../runs/journal/run-folder.js'
import {type RunSummary, readSummary} from '../../runs/journal/run-summary.js'
import {changesSent} from '../../runs/plan/plan-document.js'
import {type NextStep, nextStepOf} from '../../runs/report/next-step.js'
import type {RunReport} from '../../runs/report/report.js'
import {reportOfRun} from '../../runs/report/report-of-run.js'
import {accountOfSets, type SetAccount} from '../../runs/report/run-account.js'
import type {RowChange} from '../../runs/rows/phases.js'
import {systemTimes} from './find-run.js'

/** What a journal tells of its run. */
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
  const journal = readJournal(folder, id, systemTimes, {isChecked: true})
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

/** A kill leaves no event. */
const killed = 'no end was recorded: the program was killed, or the machine stopped'

/**
 * Starts, answers, kills and ends of a run in their order. Sets that were answered as applied one after the other share
 * an entry.
 */
export function toTimeline({
  summary,
  loaded,
  events,
}: Pick<RunAccount, 'summary' | 'loaded' | 'events'>): TimelineEntry[] {
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
      isOpen = !isEnd && isStart(to)
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

/** Whether a process begins to work on the run. */
function isStart(to: string): boolean {
  return to === 'planned' || to === 'resumed' || to === 'reconciled'
}

/** Whether a set was answered as applied right after it was sent. */
function isAnswer(sent: JournalEvent | undefined, answer: JournalEvent | undefined): boolean {
  return sent?.to === 'sent' && answer?.to === 'confirmed' && sent.part === answer.part
}
