import {checkRunFolder, isLocked, type RunFolder} from '../../core/run-id.js'
import type {Database, Row} from '../../core/sqlite.js'
import {isOutside, stateFailure} from '../../core/state-failure.js'
import {endedWords} from './journal.js'
import {type RunFacts, type RunOutcome, textOf} from './journal-entries.js'
import {openChecked} from './open-journal.js'
import {runPath} from './run-folder.js'

/**
 * `running` a process works on it · `inDoubt` a set may have been applied · `unfinished` sets were not sent · `done`
 * nothing is open here · `unreadable` for now · the others cannot be resumed.
 */
export type RunState = 'running' | 'inDoubt' | 'unfinished' | 'done' | 'unreadable' | 'damaged' | 'newer' | 'unsafe'

/** Facts of a run that need none of the records it sent. */
export type RunSummary = {
  id: string
  kind: 'write'
  state: RunState
  facts?: RunFacts
  /** The end of the run, if it is over. */
  outcome?: RunOutcome
  /** Rows of the parts by state, without parts that were cut into others. */
  parts: PartCounts
  /** The canary was refused: the unsent rows never will be sent. */
  isKeptBack?: true
  /** Write requests that were sent. */
  sent: number
  owner?: {pid: number; host: string; since: number}
  /** Why the journal cannot be used. */
  problem?: string | undefined
}

export type PartCounts = {confirmed: number; rejected: number; inDoubt: number; planned: number; closed: number}

const noParts: PartCounts = {confirmed: 0, rejected: 0, inDoubt: 0, planned: 0, closed: 0}

/** Undefined for a journal of a run that never began. Throws `unsafe` only for the folder itself. */
export function readSummary(folder: RunFolder, id: string): RunSummary | undefined {
  checkRunFolder(folder)
  try {
    const summary = summarizeChecked(folder, id, {isChecked: false})
    return summary && summary.state !== 'done' ? summarizeChecked(folder, id, {isChecked: true}) : summary
  } catch (error) {
    const {exit, code, message} = stateFailure(error, `The journal of run ${id}`, runPath(folder, id))
    if (code === 'STATE_NEWER') return toProblem(id, 'newer', message)
    return toProblem(id, exit === 'unsafe' ? 'unsafe' : stateOfFailure(error), message)
  }
}

function summarizeChecked(folder: RunFolder, id: string, {isChecked}: {isChecked: boolean}) {
  const database = openChecked(folder, id, {isChecked, cacheKibibytes: 512})
  try {
    return database && summarize(database, folder, id)
  } finally {
    database?.close()
  }
}

/** A failure of the disk or of another process is not damage. */
export function stateOfFailure(error: unknown): 'unreadable' | 'damaged' {
  return isOutside(error) ? 'unreadable' : 'damaged'
}

/** A run of which no more is known than why its journal cannot be used. */
export function toProblem(id: string, state: RunState, problem?: string): RunSummary {
  return {id, kind: 'write', state, problem, parts: noParts, sent: 0}
}

function summarize(database: Database, folder: RunFolder, id: string): RunSummary | undefined {
  const run = database.get('SELECT facts, outcome FROM run')
  if (!run) return undefined
  const facts = JSON.parse(textOf(run, 'facts')) as RunFacts
  const outcome = typeof run['outcome'] === 'string' ? (JSON.parse(run['outcome']) as RunOutcome) : undefined
  const last = database.get(lastOfWork)?.['why']
  const {parts, sent} = countParts(database.all(countByState))
  const state = stateOf(facts, parts)
  const isKeptBack = state === 'unfinished' && database.get(refusedCanary) !== undefined
  const isRunning = isLocked(folder, id)
  const owner = isRunning ? database.get('SELECT * FROM owner') : undefined
  return {
    id,
    kind: 'write',
    facts,
    ...(outcome && last === endedWords && {outcome}),
    state: isRunning ? 'running' : state,
    parts,
    sent,
    ...(isKeptBack && {isKeptBack}),
    ...(owner && {owner: {pid: Number(owner['pid']), host: textOf(owner, 'host'), since: Number(owner['since'])}}),
  }
}

/** Version 0.1 noted that it handed a run to another machine, which does not change the outcome. */
const lastOfWork = `
SELECT why FROM event WHERE to_state NOT IN ('exported', 'kept', 'imported') ORDER BY seq DESC LIMIT 1`

/** One that was too large for the service was sent in halves, and those tell. */
const refusedCanary = `
SELECT seq FROM part WHERE state = 'rejected' AND origin ->> '$.canary'
AND NOT EXISTS (SELECT 1 FROM part AS child WHERE child.parent = part.seq) LIMIT 1`

/** Rows of each part by its state, less those that are counted for parts of the part. */
const countByState = `
SELECT state, sum(json_array_length(places) - (
  SELECT coalesce(sum(json_array_length(child.places)), 0) FROM part AS child WHERE child.parent = part.seq
)) AS rows, sum(attempts) AS sent
FROM part GROUP BY state`

function countParts(rows: readonly Row[]): Pick<RunSummary, 'parts' | 'sent'> {
  const parts = {...noParts}
  let sent = 0
  for (const row of rows) {
    const state = textOf(row, 'state')
    parts[state === 'sent' ? 'inDoubt' : (state as keyof PartCounts)] += Number(row['rows'])
    sent += Number(row['sent'])
  }
  return {parts, sent}
}

function stateOf({exported}: RunFacts, {inDoubt, planned}: PartCounts): RunState {
  if (inDoubt + planned === 0 || exported !== undefined) return 'done'
  return inDoubt > 0 ? 'inDoubt' : 'unfinished'
}

/** When a run was made, by its id; never for an id of another kind. */
export function madeAt(id: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/.exec(id) ?? []
  if (second === undefined) return Number.POSITIVE_INFINITY
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
