import {isStop, pickUp, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, entryOfExit} from '../../core/errors.js'
import type {JsonValue} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {RunState} from '../journal/run-summary.js'
import {type Reader, readNamedBy} from '../records/read-current.js'
import type {Planned, RowOutcome} from '../rows/phases.js'
import {valueAt} from '../rows/pointers.js'
import type {PickUp, RunReport} from './report.js'
import {keptBack} from './set-fates.js'

export type NextStep = {
  /** The advice, in one sentence. */
  text: string
  /** The command that does it, where there is one. */
  command?: string
}

export type StepFacts = {
  /** Rows that were refused. */
  refused?: number
  /** The canary was refused: resuming sends none of the other rows. */
  isKeptBack?: boolean | undefined
  /** Exit name of the run, where that is known. */
  exit?: string | undefined
}

/** Advice for a run in some state. */
export function nextStepOf(state: RunState, id: string, {refused = 0, isKeptBack, exit}: StepFacts = {}): NextStep {
  switch (state) {
    case 'inDoubt':
      return {text: 'Find out what became of the rows in doubt', command: commandLine('runs reconcile', [id])}
    case 'unfinished':
      if (isKeptBack) return {text: fixCanary, command: commandLine('runs results', [id])}
      return {text: 'Send what is left', command: commandLine('runs resume', [id])}
    case 'running':
      return {text: 'Wait: another process is working on it.'}
    case 'unreadable':
      return {text: 'See why it cannot be read', command: commandLine('runs show', [id])}
    case 'damaged':
    case 'newer':
    case 'unsafe':
      return {text: 'See what is known of it', command: commandLine('runs show', [id])}
    case 'done':
      if (refused > 0 && (exit === 'denied' || exit === 'unsafe'))
        return {text: sendPermitted, command: commandLine('runs results', [id])}
      return refused > 0
        ? {text: 'Fix the refused rows and send them', command: commandLine('runs results', [id])}
        : {text: 'Nothing is left to do.'}
  }
}

const sendPermitted = 'No row is at fault; send them again when the service permits it'
const fixCanary = 'Fix its first rows (--canary), which were refused, and run the same command again'

export function nextStepText({text, command}: NextStep): string {
  return command === undefined ? text : `${text}: ${command}`
}

/** Advice for a run that has just ended; undefined when no row is left to send and none is in doubt. */
export function nextStepOfReport(report: Pick<RunReport, 'runId' | 'rows' | 'outcomes'>): NextStep | undefined {
  const {runId, rows} = report
  if (runId === undefined) return undefined
  if (rows.inDoubt > 0) return nextStepOf('inDoubt', runId)
  return hasRowsLeft(report) ? nextStepOf('unfinished', runId) : undefined
}

/** A run that was stopped before anything was sent has no journal. */
export function stepOfStopped({runId, exit}: Pick<RunReport, 'runId' | 'exit'>): NextStep | undefined {
  return isStop(exit) && runId === undefined ? {text: 'Run the same command again.'} : undefined
}

type Entries = Pick<RunReport, 'runId' | 'rows' | 'outcomes' | 'entries' | 'exit' | 'sentEarlier'>

/** The entries of a report; of a run without any, such as a stopped one, what it changed and how to continue it. */
export function entriesOf(report: Entries): ErrorEntry[] {
  const {exit, entries, rows, sentEarlier} = report
  const next = nextStepOfReport(report) ?? stepOfStopped(report)
  if (entries.length > 0 || exit === 'ok' || !next) return entries
  const changed = rows.inDoubt > 0 ? 'unknown' : rows.applied > 0 || sentEarlier ? 'some' : 'none'
  const retry = rows.inDoubt > 0 ? 'reconcile-first' : 'safe'
  return [{...entryOfExit(exit), changed, retry, hint: nextStepText(next)}]
}

/** Whether a row is unsent that was meant to be sent: one that changes nothing is not. */
export function hasRowsLeft({outcomes}: Pick<RunReport, 'outcomes'>): boolean {
  return outcomes.some(isLeft)
}

const notMeant = ['CHANGED_SINCE', 'APPLIED_BEFORE', 'CONTINUED']

/** Rows behind a refused canary are not sent by resuming; an unsent canary is. */
function isLeft({fate, code, message}: RowOutcome): boolean {
  return fate === 'unsent' && !notMeant.includes(code ?? '') && message !== keptBack
}

/** The ids of the machines that must pick up what was applied; none where nothing of it concerns a machine. */
function machinesToPickUp(
  {operation, rows, comparison}: Pick<Planned, 'operation' | 'rows' | 'comparison'>,
  {outcomes}: Pick<RunReport, 'outcomes'>,
): JsonValue[] {
  const {pickedUpBy, live} = writeOperation(operation)
  if (pickedUpBy === null) return []
  const changes = comparison?.changes.filter(({field}) => !live.includes(field))
  const lines = changes && new Set(changes.map(({line}) => line))
  const machines = new Map<string, JsonValue>()
  let place = 0
  for (const {line, skip, record} of rows) {
    const isApplied = outcomes.at(place++)?.fate === 'applied' && skip === undefined
    const machine = record[pickedUpBy] ?? null
    if (isApplied && machine !== null && (lines?.has(line) ?? true)) machines.set(idText(machine), machine)
  }

  return [...machines.values()]
}

/** Reads how far a change has reached some machines. Throws a `CliFailure` when they cannot be read. */
async function readPickUp(client: Reader, machines: readonly JsonValue[]): Promise<PickUp> {
  const {read, filter, flag} = pickUp
  const {records: found} = await readNamedBy(client, read, filter, machines)
  const waiting = found.filter((machine) => machine[flag] === true)
  const seen = waiting
    .map((machine) => valueAt(machine, pickUp.heartbeat))
    .filter((at) => typeof at === 'string')
    .sort()
  return {machines: found.length, waiting: waiting.length, oldest: seen.at(0) ?? null, newest: seen.at(-1) ?? null}
}

type Around = {service: {client: Reader}; person: {progress(text: string): void}; signal: AbortSignal | undefined}

/** The report with how far the change has reached the machines; what cannot be read changes nothing else of it. */
export async function withPickUp(
  report: RunReport,
  plan: Pick<Planned, 'operation' | 'rows' | 'comparison'>,
  {service, person, signal}: Around,
): Promise<RunReport> {
  const machines = report.rows.applied === 0 || signal?.aborted ? [] : machinesToPickUp(plan, report)
  if (machines.length === 0) return report
  person.progress('Reading the machines …')
  try {
    return {...report, pickUp: await readPickUp(service.client, machines)}
  } catch (error) {
    if (!(error instanceof CliFailure) && !signal?.aborted) throw error
    const why = `how many machines have picked up the change is not known: ${(error as Error).message}`
    return {...report, notices: [...report.notices, why]}
  }
}
