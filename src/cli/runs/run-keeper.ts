import {resolve} from 'node:path'
import {writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {InputSource} from '../../runs/check/input-source.js'
import {endTold, handOver} from '../../runs/earlier-runs/hand-over.js'
import {type MatchedPlan, matchPlan} from '../../runs/earlier-runs/match-plan.js'
import {refuseOpenDoubt} from '../../runs/earlier-runs/open-doubt.js'
import {changedAgo, quietMilliseconds} from '../../runs/earlier-runs/quiet-time.js'
import {type EarlierRun, readRuns, refuseUnreadable} from '../../runs/earlier-runs/read-runs.js'
import {findOverlap} from '../../runs/earlier-runs/recent-rows.js'
import {type EarlierRuns, refuseAnother} from '../../runs/earlier-runs/related-runs.js'
import {
  describeAgain,
  digestOfRows,
  findRepeated,
  isRefused,
  type Repeated,
  refuseUnfinished,
  repeats,
  writesAgain,
} from '../../runs/earlier-runs/repeated.js'
import type {RunFacts} from '../../runs/journal/run-facts.js'
import {lockBeginning} from '../../runs/journal/run-folder.js'
import {placesOf} from '../../runs/plan/cut-sets.js'
import type {Plan} from '../../runs/plan/plan.js'
import {readOnlyOne} from '../../runs/reconcile/only-one.js'
import type {ClockReader} from '../../runs/send/clock-readings.js'
import {createEarlierRuns, type EarlierRunsOptions} from './earlier-runs.js'
import {createSharedChanges, type SharedChanges} from './shared-changes.js'
import {type HeldRecord, type Reported, startRecord} from './start-record.js'

export type RunKeeperOptions = Omit<EarlierRunsOptions, 'onApplied'> & {
  command: string
  source: Pick<InputSource, 'digest'>
  serviceClock: Pick<ClockReader, 'last'>
  /** The run that is resumed: what was applied before it, it was allowed to repeat. */
  resumed?: RunFacts | undefined
}

/** The runs that a write deals with: earlier ones, whose applied rows it leaves out, and its own. */
export type RunKeeper = {
  /** The plan without the rows that earlier runs applied; undefined with `--fresh`: then earlier runs are ignored. */
  match: ((plan: Plan) => Promise<Plan>) | undefined
  /** The earlier runs; undefined with `--fresh`. */
  earlier: EarlierRuns | undefined
  /** Makes the durable record of the run, right before the first set is sent. */
  record(plan: Plan): HeldRecord
  /** Name of the run, once there is one. */
  readonly runId: string | undefined
  /** Whether rows in doubt of an earlier run were sent again and applied. */
  readonly sentEarlier: boolean
  /** What the user is asked about, because the plan would apply it a second time. */
  readonly repeated: Repeated | undefined
  /** Throws `invalid` for rows that a finished run applied, unless the user is asked: then that run is named. */
  refuseRepeated(plan: Plan, options: {asks: boolean; tell: (text: string) => void}): Promise<void>
  /** Milliseconds to wait before a plan is sent, so that what it does is told apart from what another run just did. */
  quietTime(plan: Plan): Promise<number>
  /** Tells machines that share a budget what is about to be changed, and what was. */
  tellChanges: SharedChanges['tell']
  /** Unlocks the runs; `reported`: what was reported to the user, if it was. */
  close(reported?: Reported): void
}

export function createRunKeeper({command, source, serviceClock, resumed, ...options}: RunKeeperOptions): RunKeeper {
  const {operation, flags, environment, lazy} = options
  const {fresh = false, file, 'dry-run': dryRun = false, 'skip-applied': skipsApplied = false} = flags
  let sentEarlier = false
  const onApplied = () => {
    sentEarlier = true
  }
  const earlier = createEarlierRuns({...options, onApplied})
  const {folder, times, target} = earlier
  const changes = createSharedChanges(options.resolved, environment)
  const path = file !== undefined && file !== '-' ? resolve(file) : undefined
  let matched: Partial<Omit<MatchedPlan, 'plan'>> = {}
  // a plan file is not matched by its rows: runs that begin while its records are read are another's
  if (flags['apply-plan'] !== undefined && !fresh && !dryRun) matched = {seen: seeRuns()}
  let record: HeldRecord | undefined
  let asked: Repeated | undefined
  /** Earlier runs applied every row. */
  let isApplied = false

  return {
    match: fresh ? undefined : match,
    earlier: fresh ? undefined : earlier,
    get runId() {
      return record?.id
    },
    get sentEarlier() {
      return sentEarlier
    },
    get repeated() {
      return asked
    },
    async refuseRepeated(plan, {asks, tell}) {
      const ignores = fresh && plan.undoes === undefined // an undo is no file that is given again
      if (!ignores) refuseOpenDoubt(plan, {folder, times, target, self: resumed?.id})
      if (fresh || !writesAgain(plan)) return
      const content = digestOfRows(plan) // an open run of the same rows was allowed to send them once more
      if (matched.held?.some(({journal}) => journal.facts().content === content)) return
      const keyFingerprint = await earlier.fingerprint()
      const {runs} = readRuns(folder, times, {target: {...target, keyFingerprint}})
      const takesOpen = flags['apply-plan'] !== undefined
      if (takesOpen) refuseUnfinished(plan, runs)
      const same = findRepeated(plan, runs, times.now() - earlier.keptMilliseconds, resumed)
      const repeated = same ?? (resumed ? undefined : findOverlap(plan, runs.filter(isOther), {earlier, takesOpen}))
      if (!repeated || (await isRefusedTwice(plan))) return
      if (!asks && isRefused(repeated)) throw repeats(plan, repeated)
      if (isRefused(repeated)) asked = repeated
      tell(describeAgain(repeated))
    },
    async quietTime(plan) {
      if (!writeOperation(operation).difference) return 0
      const ago = changedAgo(plan, {folder, times, target, self: resumed?.id})
      return quietMilliseconds - Math.min(quietMilliseconds, ago, await changes.ago(plan))
    },
    tellChanges: changes.tell,
    record(plan) {
      const {held = [], keys = []} = matched
      const beginning = lockBeginning(folder)
      try {
        if (matched.seen) refuseAnother(plan, {earlier, path, seen: matched.seen})
        else if (!fresh) seeRuns()
        record = start(
          plan,
          held.map(({id}) => id),
        )
      } finally {
        beginning.release()
      }

      for (const run of held) handOver(run, record.id, keys, times.now())
      return record
    },
    close(reported) {
      for (const run of matched.held ?? []) {
        if (reported && isApplied) quietly(() => endTold(run, times.now()))
        run.close()
      }
      matched = {}
      quietly(() => record?.close(reported))
    },
  }

  /** Whether its applied rows are not matched with those of the plan already. */
  function isOther({facts}: EarlierRun): boolean {
    return matched.held?.every(({id}) => id !== facts.id) ?? true
  }

  async function match(plan: Plan): Promise<Plan> {
    const inputDigest = plan.format && source.digest()
    const found = await matchPlan(plan, {earlier, path, inputDigest, dryRun, skipsApplied})
    matched = found
    const {rows} = found.plan
    isApplied = placesOf(rows, (skip) => skip === 'appliedBefore').length === rows.length
    return found.plan
  }

  /** Ids of the runs that are there. Throws `storage` for those that cannot be read. */
  function seeRuns(): ReadonlySet<string> {
    const {unreadable, seen} = readRuns(folder, times, {target})
    refuseUnreadable(unreadable, {takesFresh: true})
    return seen
  }

  /** Whether the service itself refuses each of the records when it comes a second time. */
  async function isRefusedTwice({rows}: Plan): Promise<boolean> {
    const {client} = await lazy.open()
    const isRefused = await readOnlyOne(client, operation)
    return rows.every(({record}) => isRefused(record))
  }

  function start(plan: Plan, continues: readonly string[]): HeldRecord {
    const inputDigest = plan.applies ? plan.applies.inputDigest : plan.format && source.digest()
    return startRecord(plan, {
      command,
      environment,
      flags,
      opened: lazy.require(),
      inputDigest,
      continues,
      clock: serviceClock.last,
    })
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
