import {resolve} from 'node:path'
import type {Client} from '../../client/types.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {lockRun, makeRunId, type RunFolder} from '../../core/run-id.js'
import {defined} from '../../values/defined.js'
import {toFixedPath} from '../check/input-source.js'
import type {EarlierRuns} from '../earlier-runs/related-runs.js'
import type {Journal} from '../journal/journal.js'
import type {RunFacts, ServiceMoment} from '../journal/journal-entries.js'
import {removeRun} from '../journal/run-folder.js'
import {beginJournal} from '../journal/run-journal.js'
import {recordsRead} from '../plan/plan-document.js'
import {tidyRuns} from '../report/audit.js'
import type {Agreed, Before} from '../rows/phases.js'
import type {RunRecord} from './needs.js'

/** Who sends a run, and where to: what its plan does not say. */
export type Sender = Pick<
  RunFacts,
  'command' | 'user' | 'host' | 'profile' | 'stage' | 'baseUrl' | 'keyFingerprint' | 'toolVersion' | 'settle' | 'given'
> & {
  client: Pick<Client, 'nameRun' | 'requestsUsed'>
  /** The file of its rows and its encoding, as they were given. */
  file?: string | undefined
  encoding?: string | undefined
}

export type RecordOptions = {
  earlier: Pick<EarlierRuns, 'folder' | 'keptMilliseconds'>
  sender: Sender
  /** SHA-256 of the input in hex, where there is one. */
  inputDigest?: string | undefined
  /** The last time on the clock of the service. */
  clock?: ServiceMoment | undefined
  /** Runs whose open rows this run takes over. */
  continues: readonly string[]
  /** The run that is undone, by a plan or at once. */
  undoes?: string | undefined
}

export type Reported = {rejects?: string | undefined}

export type HeldRecord = RunRecord & {
  /** Unlocks the run; `reported`: what was reported to the user, if it was. Throws a `CliFailure` (storage). */
  close(reported?: Reported): void
}

/** Makes the journal of a run that is about to send. Throws a `CliFailure` (storage) before anything is sent. */
export function startRecord(plan: Agreed, before: Before | null, options: RecordOptions): HeldRecord {
  const {folder, keptMilliseconds} = options.earlier
  const {client} = options.sender
  const facts = toFacts(plan, before, options)
  tidyFinished(folder, facts.createdAt - keptMilliseconds)
  const lock = lockRun(folder, facts.id)
  try {
    const {journal, sets} = beginJournal(folder, {plan, before}, facts)
    client.nameRun(facts.id)
    let isEnded = false
    return {
      id: facts.id,
      sets,
      end({exit, rows}) {
        journal.end({exit, rows, requests: client.requestsUsed, endedAt: systemClock.now(), untold: true})
        isEnded = true
      },
      close(reported) {
        try {
          if (isEnded && reported) recordReported(journal, reported)
        } finally {
          journal.close()
          lock.release()
        }
      },
    }
  } catch (error) {
    removeRun(folder, facts.id)
    lock.remove()
    throw error
  }
}

/** A failure to remove old runs stops no new one. */
function tidyFinished(folder: RunFolder, before: number): void {
  try {
    tidyRuns(folder, before)
  } catch (error) {
    if (!(error instanceof CliFailure) || error.exit === 'unsafe') throw error
  }
}

/** Records that the user saw the outcome, and where the rejects file is; on a full disk it is reported once more later. */
export function recordReported(journal: Journal, {rejects}: Reported): void {
  try {
    journal.transaction(() => {
      journal.markReported()
      if (rejects !== undefined) journal.learn({rejects: resolve(rejects)})
    })
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
  }
}

function toFacts(
  plan: Agreed,
  before: Before | null,
  {sender, inputDigest, clock, continues, undoes}: RecordOptions,
): RunFacts {
  const {client: _, file: given, encoding: read, settle, ...facts} = sender
  const {operation, file, layout, reading, columns, merges, rows, reads, origin, sending} = plan
  const now = systemClock.now()
  const applies = origin.kind === 'plan' ? origin : undefined
  const encoding = applies?.encoding ?? read
  const path = applies ? (applies.path ?? undefined) : given
  return {
    id: makeRunId(now),
    ...facts,
    operation,
    file,
    ...defined({
      path: toFixedPath(path),
      inputDigest,
      input: reading ? {...reading, ...defined({encoding})} : undefined,
      layout: Object.keys(layout).length > 0 ? layout : undefined,
    }),
    columns: [...columns],
    options: {...sending},
    ...defined({
      settle,
      clocks: clock && [clock],
      planDigest: applies?.digest,
      approvedBy: applies?.approved?.by,
      undoes,
      continues: continues.length > 0 ? [...continues] : undefined,
    }),
    merges,
    rows: rows.length,
    reads,
    preimages: recordsRead(before),
    createdAt: now,
  }
}
