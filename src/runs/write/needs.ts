import type {Client} from '../../client/types.js'
import type {Clock} from '../../core/clock.js'
import {checkFits, type QuotaLeft, reconcileRequestsPerSet} from '../../quota/quota.js'
import type {Problem} from '../../validate/problem.js'
import type {Repeated} from '../earlier-runs/repeated.js'
import type {SetJournal} from '../journal/run-journal.js'
import {requestsForPreimages} from '../plan/preimages.js'
import type {RunReport} from '../report/report.js'
import {
  type Agreed,
  type Batch,
  type Before,
  type Checked,
  type Compared,
  countToSend,
  type Matched,
  type Messages,
  type Planned,
  type SetResult,
  type Uncut,
} from '../rows/phases.js'
import {mostLiveReads} from '../rows/row-content.js'

/** The service that is written to. */
export type Service = {
  client: Pick<Client, 'readPages' | 'write'>
  /** Throws `limited` when the requests of a plan do not fit within the rest of the day. */
  checkFits(plan: Planned & {before: Before | null}): Promise<void>
}

/** The runs of this user: the earlier ones, and the record of this one. */
export type Store = {
  /** Leaves out rows that earlier runs applied. */
  match(checked: Checked): Promise<Matched>
  /** Leaves out rows that delete what an earlier run deleted. */
  leaveOut(uncut: Uncut): Promise<Uncut>
  /**
   * Throws `invalid` for rows that a finished run applied, unless the user is asked: then what would be applied a second
   * time is given back.
   */
  refuseRepeated(plan: Planned, asks: boolean): Promise<Repeated | null>
  /** Milliseconds to wait before a plan is sent, so that what it does is told apart from what another run just did. */
  quietTime(plan: Batch): Promise<number>
  /** Announces past and coming changes to machines that share a budget. */
  tellChanges(plan: Pick<Batch, 'operation' | 'rows'>): Promise<void>
  /** Uses the approval of a plan, where there is one. Throws `unsafe` for one that was used, also by others who share a budget. */
  useApproval(plan: Batch): Promise<void>
  /** Makes the durable record of the run, right before the first set is sent. */
  record(agreed: Agreed, before: Before | null): RunRecord
}

/** Content of a question: the rows to send, and those that would be applied a second time. */
export type Question = Planned & {
  dates: Compared['dates']
  repeated: Repeated | null
  /** Read only where the question is asked. */
  before(): Before | null
}

/** Who is told what happens, and asked. */
export type Person = {
  /** Shows warnings, notices and remarks about rows, each once. */
  tell(messages: Messages): void
  warn(text: string): void
  /** Shows a line once; `safe`: text that needs no escaping for a terminal. */
  note(text: string | {safe: string}): void
  /** Shows how far long work is; `undefined`: it rests. */
  progress(text: string | undefined): void
  showPlaces(plan: Planned): Promise<void>
  /** Shows the records that a dry run would make. */
  showNew(plan: Compared): Promise<void>
  /** Whether a person answers for a plan before it is sent. */
  willAnswer(plan: Planned): boolean
  /** Throws `usage` for a plan that may not be sent without an answer, where nobody can be asked. */
  checkConsent(plan: Planned): void
  /** Asks whether to send a plan, where that needs a question. */
  agrees(question: Question): Promise<boolean>
  /** Shows how far sending is, while it lasts. */
  watch(sets: Planned['sets']): {answered(result: SetResult): void; end(): void}
}

/** The files that a write leaves beside its report. */
export type Files = {
  /** Sees the bytes of the input when it is read first. */
  through(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer>
  /** Writes what a dry run found; null where no file was asked for. */
  keepPlan: ((plan: Compared) => Promise<void>) | null
  /** Advice on problems of the rows, in sentences. */
  remedies(problems: readonly Problem[]): string[]
}

/** All that a write needs. */
export type Needs = {
  service: Service
  store: Store
  person: Person
  files: Files
  clock: Pick<Clock, 'monotonic' | 'sleep'>
  /** Once aborted nothing further is sent; the set in flight is waited for. */
  signal: AbortSignal | undefined
}

/** The durable record of a run while it is sent. */
export type RunRecord = {
  /** Names the run from now on. */
  id: string
  sets: SetJournal
  /** To be called once, with what will be reported to the user. Throws a `CliFailure` (storage) when it cannot be kept. */
  end(report: Pick<RunReport, 'exit' | 'rows'>): void
}

const waysOfFile = [
  'Spread it over days: send a part of the file each day.',
  'Need fewer requests: raise --set-size, or send fewer rows.',
]

/**
 * Throws a `CliFailure` (limited) when the sets, the reads before them, and finding out about the one in flight do not
 * fit within the rest of the day. `isCut`: the sets are those of a run or of a plan.
 */
export function checkWrite(
  plan: Planned & {before: Before | null},
  quota: QuotaLeft,
  {untilQuota, isCut}: {untilQuota: boolean | undefined; isCut: boolean},
): void {
  const reads = plan.before ? 0 : requestsForPreimages(plan.operation, countToSend(plan))
  checkFits({
    what: plan.file,
    requests: reads + plan.sets.length + mostLiveReads(plan.operation, plan.sets) + reconcileRequestsPerSet,
    quota,
    untilQuota,
    ways: ['Send what is left for: add --until-quota', ...(isCut ? [] : waysOfFile)],
  })
}
