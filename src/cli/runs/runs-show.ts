import {tmpdir} from 'node:os'
import {CliFailure, toEntries} from '../../core/errors.js'
import {openJournal, readJournal} from '../../runs/journal/journal.js'
import {isLocked, lockRun, type RunFolder} from '../../runs/journal/run-folder.js'
import {readSummary} from '../../runs/journal/run-summary.js'
import {salvage} from '../../runs/journal/salvage.js'
import {reportOfRun} from '../../runs/report/report-of-run.js'
import {accountOfSets} from '../../runs/report/run-account.js'
import {nextStepOf, sayNextStep} from '../../runs/report/run-next-step.js'
import {hasRefusedCanary} from '../../runs/resume/left-sets.js'
import {loadRun} from '../../runs/resume/load-run.js'
import {storeKeptElsewhere} from '../../runs/send/kept-elsewhere.js'
import type {JsonRecord, JsonValue} from '../../values/json.js'
import type {Presented} from '../app/base-command.js'
import {foldFor} from '../terminal/fold-text.js'
import {findRun} from './find-run.js'
import {type Account, renderRun} from './render-run.js'
import {renderSalvaged} from './render-salvaged.js'
import {systemTimes} from './run-record.js'
import {fatesOf, toIso} from './runs-list.js'

/** What a run did and what to do now. Throws `usage`, `unsafe`, or `storage` for a journal of a later version. */
export function showRun(folder: RunFolder, text: string, {verbose = false}: {verbose?: boolean}): Presented {
  const id = findRun(folder, text)
  try {
    const account = readAccount(folder, id, {verbose})
    return {data: toAccountData(account, folder), text: foldFor(process.stdout, renderRun(account)), runId: id}
  } catch (error) {
    if (!(error instanceof CliFailure) || error.code !== 'STATE_DAMAGED') throw error
    const salvaged = salvage(folder, id)
    const {facts, outcome = null, ...parts} = salvaged
    const data = {id, state: 'damaged', ...facts, outcome, ...parts} as unknown as JsonValue
    return {data, text: renderSalvaged(id, salvaged), exit: 'storage', errors: toEntries(error), runId: id}
  }
}

/** All that the journal of a run tells. Throws `storage` when it is damaged or of a later version. */
function readAccount(folder: RunFolder, id: string, {verbose}: {verbose: boolean}): Account {
  takeInEmergency(folder, id)
  const summary = readSummary(folder, id, tmpdir())
  const journal = readJournal(folder, id, systemTimes, {isChecked: true})
  try {
    const loaded = loadRun(journal)
    const events = journal.events()
    const report = reportOfRun(loaded)
    if (!summary) throw new TypeError('a journal without a run')
    return {summary, loaded, events, verbose, sets: accountOfSets(loaded, events), report}
  } finally {
    journal.close()
  }
}

/** What a full disk kept out of the journal goes in now, if nobody works on the run; else whoever does takes it in. */
function takeInEmergency(folder: RunFolder, id: string): void {
  const summary = readSummary(folder, id, tmpdir())
  if (summary?.problem === undefined || summary.facts === undefined || isLocked(folder, id)) return
  const lock = lockRun(folder, id)
  try {
    const journal = openJournal(folder, id, systemTimes)
    storeKeptElsewhere(journal)
    journal.close()
  } finally {
    lock.release()
  }
}

/** The same as data. */
function toAccountData({summary, loaded, sets, events, report}: Account, folder: RunFolder): JsonValue {
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
    rows: {...(state === 'running' ? fatesOf(summary, folder) : report.rows)},
    createdAt: toIso(facts.createdAt),
    outcome: outcome ? {...(outcome as unknown as JsonRecord), endedAt: toIso(outcome.endedAt)} : null,
    owner: summary.owner ? {...summary.owner, since: toIso(summary.owner.since)} : null,
    sets: timed as unknown as JsonValue,
    events: events.map((event) => ({...event, at: toIso(event.at)})) as unknown as JsonValue,
    next: sayNextStep(nextStepOf(state, id, {...report.rows, isKeptBack: hasRefusedCanary(loaded)})),
  }
}

function toTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : toIso(milliseconds)
}
