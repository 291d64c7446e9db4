import {resolve} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {makeRunId} from '../../core/run-id.js'
import {version} from '../../http/version.js'
import type {Journal} from '../../runs/journal/journal.js'
import type {RunFacts, ServiceMoment} from '../../runs/journal/journal-entries.js'
import {lockRun, type RunFolder, removeRun} from '../../runs/journal/run-folder.js'
import {beginJournal} from '../../runs/journal/run-journal.js'
import {tidyRuns} from '../../runs/journal/run-summary.js'
import {recordsRead} from '../../runs/plan/plan-document.js'
import type {Agreed, Before} from '../../runs/rows/phases.js'
import type {RunRecord} from '../../runs/write/needs.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import type {Environment} from '../app/environment.js'
import type {OpenedClient} from '../client/open-client.js'
import {fingerprint} from '../settings/fingerprint.js'
import type {WriteFlags} from '../write/write-flags.js'
import {runFolderOf, systemTimes} from './run-folder.js'

export type RecordOptions = {
  command: string
  environment: Environment
  flags: WriteFlags
  opened: OpenedClient
  /** SHA-256 of the input in hex, where there is one. */
  inputDigest?: string | undefined
  /** What the clock of the service showed last. */
  clock?: ServiceMoment | undefined
  /** Runs whose open rows this run takes over. */
  continues?: readonly string[]
}

export type Reported = {rejects?: string | undefined}

export type HeldRecord = RunRecord & {
  /** Unlocks the run; `reported`: what was reported to the user, if it was. Throws a `CliFailure` (storage). */
  close(reported?: Reported): void
}

/** Makes the journal of a run that is about to send. Throws a `CliFailure` (storage) before anything is sent. */
export function startRecord(plan: Agreed, before: Before | null, options: RecordOptions): HeldRecord {
  const folder = runFolderOf(options.environment)
  const facts = toFacts(plan, before, options)
  tidyFinished(folder, facts.createdAt, options.opened)
  const lock = lockRun(folder, facts.id)
  try {
    const {journal, sets} = beginJournal(folder, {plan, before}, facts, systemTimes)
    options.opened.client.nameRun(facts.id)
    let isEnded = false
    return {
      id: facts.id,
      sets,
      end({exit, rows}) {
        const requests = options.opened.client.requestsUsed
        journal.end({exit, rows, requests, endedAt: systemTimes.now(), untold: true})
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
    lock.release()
    throw error
  }
}

/** A failure to remove old runs stops no new one. */
function tidyFinished(folder: RunFolder, now: number, {resolved}: OpenedClient): void {
  try {
    tidyRuns(folder, now - Number(resolved.values.keepRuns.value) * millisecondsPerDay)
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
  {command, flags, opened, inputDigest, clock, continues = []}: RecordOptions,
): RunFacts {
  const {profile, values} = opened.resolved
  const {operation, file, layout, reading, columns, merges, rows, reads, origin, sending} = plan
  const now = systemTimes.now()
  const applies = origin.kind === 'plan' ? origin : undefined
  const encoding = applies?.encoding ?? flags.encoding
  const path = applies ? (applies.path ?? undefined) : flags.file
  return {
    id: makeRunId(now),
    command,
    operation,
    profile,
    stage: values.stage.value ?? '',
    baseUrl: values.baseUrl.value ?? '',
    keyFingerprint: fingerprint(opened.found.credentials?.apiKey ?? ''),
    file,
    ...(path !== undefined && path !== '-' && {path: resolve(path)}),
    ...(inputDigest !== undefined && {inputDigest}),
    ...(reading && {
      input: {...reading, ...(encoding !== undefined && {encoding})},
    }),
    ...(Object.keys(layout).length > 0 && {layout}),
    columns: [...columns],
    options: {...sending},
    ...(flags.settle !== undefined && {settle: flags.settle}),
    ...(clock && {clocks: [clock]}),
    ...(applies && {planDigest: applies.digest}),
    ...(origin.kind === 'undo' && {undoes: origin.run}),
    merges,
    rows: rows.length,
    reads,
    preimages: recordsRead(before),
    ...(continues.length > 0 && {continues: [...continues]}),
    toolVersion: version(),
    createdAt: now,
  }
}
