import {resolve} from 'node:path'
import {writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {InputSource} from '../../runs/check/input-source.js'
import type {ClockReader} from '../../runs/differences/quiet-time.js'
import {changedAgo, quietMilliseconds} from '../../runs/differences/quiet-time.js'
import {endTold, handOver} from '../../runs/earlier-runs/hand-over.js'
import {type MatchedPlan, matchPlan} from '../../runs/earlier-runs/match-plan.js'
import {type EarlierRun, readRuns, refuseUnreadable, withoutUndone} from '../../runs/earlier-runs/read-runs.js'
import {leaveOutDeleted, refuseAnother, refuseOpenDoubt} from '../../runs/earlier-runs/related-runs.js'
import {
  describeAgain,
  findOverlap,
  findRepeated,
  isRefused,
  refuseUnfinished,
  repeats,
} from '../../runs/earlier-runs/repeated.js'
import type {Journal} from '../../runs/journal/journal.js'
import type {RunFacts} from '../../runs/journal/journal-entries.js'
import {lockBeginning} from '../../runs/journal/run-folder.js'
import {readOnlyOne} from '../../runs/reconcile/judge-likeness.js'
import {placesOf} from '../../runs/rows/cut-sets.js'
import type {Agreed, Batch} from '../../runs/rows/phases.js'
import {digestOfRows, writesAgain} from '../../runs/rows/row-content.js'
import type {Store} from '../../runs/write/needs.js'
import {createEarlierRuns, type EarlierRunsOptions} from './earlier-runs.js'
import {createSharedChanges} from './shared-changes.js'
import {type HeldRecord, type Reported, startRecord} from './start-record.js'

export type RunKeeperOptions = Omit<EarlierRunsOptions, 'onApplied'> & {
  command: string
  source: Pick<InputSource, 'digest'>
  serviceClock: Pick<ClockReader, 'last'>
  /** Shows a warning. */
  warn: (text: string) => void
  /** The run that is resumed: what was applied before it, it was allowed to repeat. */
  resumed: RunFacts | undefined
  /** The run that is undone. */
  undoes: Journal | undefined
}

/** The runs that a write deals with: earlier ones, whose applied rows it leaves out, and its own. */
export type RunKeeper = Store & {
  /** Name of the run, once there is one. */
  readonly runId: string | undefined
  /** Whether rows in doubt of an earlier run were sent again and applied. */
  readonly sentEarlier: boolean
  /** Unlocks the runs; `reported`: what was reported to the user, if it was. */
  close(reported?: Reported): void
}

export function createRunKeeper(given: RunKeeperOptions): RunKeeper {
  const {command, source, serviceClock, resumed, undoes, warn, ...options} = given
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
  /** Earlier runs applied every row. */
  let isApplied = false

  return {
    async match(checked) {
      if (fresh) return {...checked, phase: 'matched'}
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
    async refuseRepeated(plan, asks) {
      const ignores = fresh && plan.origin.kind !== 'undo' // an undo is no file that is given again
      if (!ignores) refuseOpenDoubt(plan, {folder, times, target, self: resumed?.id})
      if (fresh || !writesAgain(plan)) return null
      const content = digestOfRows(plan) // an open run of the same rows was allowed to send them once more
      if (matched.held?.some(({journal}) => journal.facts().content === content)) return null
      const keyFingerprint = await earlier.fingerprint()
      const found = readRuns(folder, times, {target: {...target, keyFingerprint}})
      const runs = withoutUndone(found.runs, {folder, times})
      const takesOpen = flags['apply-plan'] !== undefined
      if (takesOpen) refuseUnfinished(plan, runs)
      const same = findRepeated(plan, runs, times.now() - earlier.keptMilliseconds, resumed)
      const repeated = same ?? (resumed ? undefined : findOverlap(plan, runs.filter(isOther), {earlier, takesOpen}))
      if (!repeated || (await isRefusedTwice(plan))) return null
      if (!asks && isRefused(repeated)) throw repeats(plan, repeated)
      warn(describeAgain(repeated))
      return isRefused(repeated) ? repeated : null
    },
    async quietTime(plan) {
      if (!writeOperation(operation).difference) return 0
      const ago = changedAgo(plan, {folder, times, target, self: resumed?.id})
      return quietMilliseconds - Math.min(quietMilliseconds, ago, await changes.ago(plan))
    },
    tellChanges: changes.tell,
    record(agreed, before) {
      const {held = [], keys = []} = matched
      const beginning = lockBeginning(folder)
      try {
        if (matched.seen) refuseAnother(agreed, {earlier, path, seen: matched.seen})
        else if (!fresh) seeRuns()
        record = startRecord(agreed, before, {
          ...{command, environment, flags, opened: lazy.require(), clock: serviceClock.last},
          inputDigest: digestOf(agreed),
          continues: held.map(({id}) => id),
        })
      } finally {
        beginning.release()
      }

      for (const run of held) handOver(run, record.id, keys, times.now())
      undoes?.learn({undoneBy: [...(undoes.facts().undoneBy ?? []), record.id]})
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

  /** Ids of the runs that are there. Throws `storage` for those that cannot be read. */
  function seeRuns(): ReadonlySet<string> {
    const {unreadable, seen} = readRuns(folder, times, {target})
    refuseUnreadable(unreadable, {takesFresh: true})
    return seen
  }

  /** Whether the service itself refuses each of the records when it comes a second time. */
  async function isRefusedTwice({rows}: Batch): Promise<boolean> {
    const {client} = await lazy.open()
    const isRefused = await readOnlyOne(client, operation)
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
