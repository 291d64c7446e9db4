import {type WriteId, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {InputSource} from '../check/input-source.js'
import {type ClockReader, changedAgo, quietMilliseconds, type SharedChanges} from '../differences/quiet-time.js'
import {endTold, handOver} from '../earlier-runs/hand-over.js'
import {type MatchedPlan, matchPlan} from '../earlier-runs/match-plan.js'
import {countAppliedToday, type EarlierRun, readRuns, refuseUnreadable} from '../earlier-runs/read-runs.js'
import {findEnded, refuseAnother, refuseBeside, refuseOpenDoubt} from '../earlier-runs/refuse-others.js'
import {type EarlierRuns, leaveOutDeleted} from '../earlier-runs/related-runs.js'
import {
  describeAgain,
  findOverlap,
  findRepeated,
  isRefused,
  refuseUnfinished,
  repeats,
} from '../earlier-runs/repeated.js'
import {withoutUndone} from '../earlier-runs/undone.js'
import type {Journal} from '../journal/journal.js'
import type {RunFacts} from '../journal/journal-entries.js'
import {lockBeginning, useApproval} from '../journal/run-folder.js'
import {notApproved} from '../plan/approval.js'
import type {Reader} from '../records/read-current.js'
import {placesOf} from '../rows/cut-sets.js'
import {type Agreed, type Batch, unmatchedRows} from '../rows/phases.js'
import {digestOfRows, writesAgain} from '../rows/row-content.js'
import type {Store} from './needs.js'
import {type HeldRecord, type Reported, type Sender, startRecord} from './start-record.js'

export type RunKeeperOptions = {
  operation: WriteId
  asked: Asked
  earlier: EarlierRuns
  changes: SharedChanges
  /** Opened when it is first needed. */
  client(): Promise<Reader>
  /** To be called once the client is open. */
  sender(): Sender
  source: Pick<InputSource, 'digest'>
  serviceClock: Pick<ClockReader, 'now' | 'delay'>
  /** Shows a warning. */
  warn: (text: string) => void
  /** The run that is resumed: what was applied before it, it was allowed to repeat. */
  resumed: RunFacts | undefined
  /** The run that is undone. */
  undoes: Journal | undefined
}

/** Options of a write that decide about earlier runs. */
type Asked = {
  /** The file of its rows, absolute; undefined for standard input and for rows of no file. */
  path: string | undefined
  /** Earlier runs are ignored. */
  fresh: boolean
  dryRun: boolean
  skipsApplied: boolean
  /** Its rows come from a plan file, and are not matched. */
  takesPlan: boolean
}

/** The runs that a write deals with: earlier ones, whose applied rows it leaves out, and its own. */
export type RunKeeper = Store & {
  /** Name of the run, once there is one. */
  readonly runId: string | undefined
  /** Whether rows in doubt of an earlier run were sent again and applied. */
  readonly sentEarlier: boolean
  /** Rows that runs of this user applied since 00:00 UTC, where the service has a daily limit for the operation itself. */
  appliedToday(): number | undefined
  /** Unlocks the runs; `reported`: what was reported to the user, if it was. */
  close(reported?: Reported): void
}

export function createRunKeeper(options: RunKeeperOptions): RunKeeper {
  const {operation, asked, changes, source, serviceClock, resumed, undoes, warn} = options
  const {path, fresh, dryRun, skipsApplied, takesPlan} = asked
  let sentEarlier = false
  const earlier: EarlierRuns = {
    ...options.earlier,
    async reconcile(run, sends) {
      const isApplied = await options.earlier.reconcile(run, sends)
      sentEarlier ||= isApplied
      return isApplied
    },
  }
  const {folder, target} = earlier
  let matched: Partial<Omit<MatchedPlan, 'plan'>> = {}
  // a plan file is not matched by its rows: runs that begin while its records are read are another's
  if (takesPlan && !fresh && !dryRun) matched = {seen: seeRuns()}
  const ended = findEnded(folder)
  /** Runs that this process has locked itself. */
  const own = () => new Set([resumed?.id, undoes?.facts().id, ...(matched.lockedRuns ?? []).map(({id}) => id)])
  let record: HeldRecord | undefined
  /** Earlier runs applied every row. */
  let isApplied = false

  return {
    async match(checked) {
      if (fresh) return unmatchedRows(checked)
      const inputDigest = checked.reading ? source.digest() : undefined
      const found = await matchPlan(checked, {earlier, path, inputDigest, dryRun, skipsApplied})
      matched = found
      const {rows} = found.plan
      isApplied = placesOf(rows, (skip) => skip === 'appliedBefore').length === rows.length
      return found.plan
    },
    leaveOut: async (uncut) => (fresh ? uncut : leaveOutDeleted(uncut, earlier)),
    get runId() {
      return record?.id
    },
    get sentEarlier() {
      return sentEarlier
    },
    appliedToday: () => (writeOperation(operation).set.ownLimit ? countAppliedToday(folder, target) : undefined),
    async refuseRepeated(plan, asks) {
      refuseBeside(plan, earlier, {ended, own: own()})
      const ignores = fresh && plan.origin.kind !== 'undo' // an undo is no file that is given again
      if (!ignores) refuseOpenDoubt(plan, {folder, target, self: resumed?.id})
      if (fresh || !writesAgain(plan)) return null
      const content = digestOfRows(plan) // an open run of the same rows was allowed to send them once more
      if (matched.lockedRuns?.some(({journal}) => journal.facts().content === content)) return null
      const keyFingerprint = await earlier.fingerprint()
      const found = readRuns(folder, {target: {...target, keyFingerprint}})
      const runs = withoutUndone(found.runs, folder)
      if (takesPlan) refuseUnfinished(plan, runs)
      const same = findRepeated(plan, runs, systemClock.now() - earlier.keptMilliseconds, resumed)
      const repeated =
        same ?? (resumed ? undefined : findOverlap(plan, runs.filter(isOther), {earlier, takesOpen: takesPlan}))
      if (!repeated || (await isRefusedTwice(plan))) return null
      if (!asks && isRefused(repeated)) throw repeats(plan, repeated)
      warn(describeAgain(repeated))
      return isRefused(repeated) ? repeated : null
    },
    async quietTime(plan) {
      if (!writeOperation(operation).difference) return 0
      const quiet = quietMilliseconds + serviceClock.delay // the clock may have been read that much earlier
      const ago = changedAgo(plan, {folder, target, self: resumed?.id, quiet})
      return Math.max(0, quiet - Math.min(ago, await changes.ago(plan)))
    },
    tellChanges: changes.tell,
    async useApproval({origin}) {
      if (origin.kind !== 'plan' || !origin.approved) return
      useApproval(folder, origin.approved.id)
      if (!(await changes.useApproval(origin.approved)))
        throw notApproved('the approval was used already, on another machine')
    },
    record(agreed, before) {
      const {lockedRuns = [], keys = []} = matched
      const beginning = lockBeginning(folder)
      try {
        refuseBeside(agreed, earlier, {ended, own: own()})
        if (matched.seen) refuseAnother(agreed, {earlier, path, seen: matched.seen})
        else if (!fresh) seeRuns()
        record = startRecord(agreed, before, {
          ...{earlier, sender: options.sender(), clock: serviceClock.now()},
          inputDigest: digestOf(agreed),
          continues: lockedRuns.map(({id}) => id),
          undoes: undoes?.facts().id,
        })
      } finally {
        beginning.release()
      }

      for (const run of lockedRuns) handOver(run, record.id, keys)
      const {id} = record
      undoes?.transaction(() => undoes.learn({undoneBy: [...(undoes.facts().undoneBy ?? []), id]}))
      return record
    },
    close(reported) {
      for (const run of matched.lockedRuns ?? []) {
        if (reported && isApplied) quietly(() => endTold(run))
        run.close()
      }
      matched = {}
      quietly(() => record?.close(reported))
    },
  }

  /** Whether its applied rows are not matched with those of the plan already. */
  function isOther({facts}: EarlierRun): boolean {
    return matched.lockedRuns?.every(({id}) => id !== facts.id) ?? true
  }

  /** Ids of the runs that are there. Throws `storage` for those that cannot be read. */
  function seeRuns(): ReadonlySet<string> {
    const {unreadable, seen} = readRuns(folder, {target})
    refuseUnreadable(unreadable, {takesFresh: true})
    return seen
  }

  /** Whether the service itself refuses each of the records when it comes a second time. */
  async function isRefusedTwice({rows}: Batch): Promise<boolean> {
    const {readOnlyOne} = await import('../reconcile/judge-likeness.js')
    const isRefused = await readOnlyOne(await options.client(), operation)
    return rows.every(({record}) => isRefused(record))
  }

  function digestOf({origin, reading}: Agreed): string | undefined {
    if (origin.kind === 'plan') return origin.inputDigest ?? undefined
    return reading ? source.digest() : undefined
  }
}

/** The user saw the outcome already: a disk that does not take it only lets the run count as open. */
function quietly(step: () => void): void {
  try {
    step()
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
  }
}
