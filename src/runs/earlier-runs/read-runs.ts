import {type WriteId, writeOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {RunFolder} from '../../core/run-id.js'
import {counted} from '../../values/counted.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import {type JsonValue, printJson} from '../../values/json.js'
import {isSameService} from '../../values/service.js'
import type {Journal} from '../journal/journal.js'
import {fromAnswerText, type JournalPart, type RunFacts, type RunOutcome} from '../journal/journal-entries.js'
import {isInDoubt, isLeft, loadRun} from '../journal/load-run.js'
import {withJournal, withJournalIfSound} from '../journal/open-journal.js'
import {listRunIds, runPath} from '../journal/run-folder.js'
import {type RunTarget, readSentCounter} from '../journal/sent-counter.js'
import {reportOfRun} from '../report/report-of-run.js'
import {countPlaces} from '../rows/cut-sets.js'
import {digestText, type RowKey} from '../rows/row-content.js'

/** Facts and outcome of a run, read without its rows. */
export type EarlierRun = {facts: RunFacts; outcome: RunOutcome | undefined}

/** Operation, service and key that a run writes to. */
export type Target = RunTarget & {
  /** Undefined where it is not known: then every key will do. */
  keyFingerprint?: string | undefined
}

/** A run whose journal cannot be read, and why. */
export type Unreadable = {id: string; why: CliFailure}

export type FoundRuns = {
  runs: EarlierRun[]
  unreadable: Unreadable[]
  /** Ids of all runs that had begun, whatever they write to. */
  seen: Set<string>
}

/**
 * Reads the runs of this user that began and have a target, oldest first, without those of `known`. Journals of open
 * and of continued runs are checked completely; an unreadable run is reported unless it is known to have another
 * target. `operations`: all that count, where the one of the target is not the only one. Time: linear in the number of
 * journals and in the bytes of those; memory: facts of each run, and no row.
 */
export function readRuns(
  folder: RunFolder,
  {
    target,
    known = new Set(),
    operations = [target.operation],
  }: {target: Target; known?: ReadonlySet<string>; operations?: readonly string[]},
): FoundRuns {
  const targets = operations.map((operation) => ({...target, operation}))
  const found: FoundRuns = {runs: [], unreadable: [], seen: new Set()}
  for (const id of listRunIds(folder)) {
    if (known.has(id)) continue
    try {
      const run = readRun(folder, id)
      if (run) found.seen.add(id)
      if (!run || !targets.some((one) => hasTarget(run, one))) continue
      const isSource = isOpen(run) || run.facts.continuedBy !== undefined
      found.runs.push((isSource && readRun(folder, id, {isChecked: true})) || run)
    } catch (error) {
      if (!(error instanceof CliFailure) || error.exit !== 'storage') throw error
      found.seen.add(id)
      const facts = readSentCounter(runPath(folder, id))?.target
      if (!facts || targets.some((one) => isSameTarget(facts, one))) found.unreadable.push({id, why: error})
    }
  }

  const isThere = (id: string) => found.seen.has(id) || known.has(id)
  return {...found, runs: found.runs.map((run) => withoutLost(run, isThere))}
}

export function readRun(folder: RunFolder, id: string, {isChecked = false} = {}): EarlierRun | undefined {
  return withJournal(folder, id, (journal) => ({facts: journal.facts(), outcome: journal.outcome()}), {isChecked})
}

/** Without its continuation a run counts as not continued: nothing else says what both of them applied. */
function withoutLost(run: EarlierRun, isThere: (id: string) => boolean): EarlierRun {
  const {continuedBy, ...facts} = run.facts
  return continuedBy === undefined || isThere(continuedBy) ? run : {...run, facts}
}

/** Throws `storage` for runs that cannot be read: they may have applied rows that are about to be sent. */
export function refuseUnreadable(unreadable: readonly Unreadable[], {takesFresh}: {takesFresh: boolean}): void {
  const [first, ...more] = unreadable
  if (!first) return
  const ids = unreadable.map(({id}) => id)
  const others = more.length === 0 ? '' : ` ${counted(more.length, 'more run')} cannot be read either.`
  throw new CliFailure(
    `${first.why.message}.${others} Rows of this write may have been applied there; nothing was sent.`,
    {
      code: 'EARLIER_UNREADABLE',
      hints: [
        ...first.why.hints,
        `When you know what was applied, set it aside: ${commandLine('runs remove', ids, {damaged: true})}`,
        ...(takesFresh ? ['To ignore earlier runs, which may write rows twice: --fresh'] : []),
      ],
      cause: first.why,
    },
  )
}

export function hasTarget({facts}: EarlierRun, target: Target): boolean {
  return (
    isSameTarget(facts, target) &&
    (target.keyFingerprint === undefined || facts.keyFingerprint === target.keyFingerprint)
  )
}

export function isSameTarget(one: RunTarget, {operation, baseUrl, stage}: RunTarget): boolean {
  return one.operation === operation && isSameService(one.baseUrl, baseUrl) && one.stage === stage
}

/** Whether rows of a run may be left: it was not applied completely, or that was never reported. */
export function isOpen({facts, outcome}: EarlierRun): boolean {
  return facts.continuedBy === undefined && !isFinished(outcome)
}

/** Whether a run applied all of its rows, and that was reported: what nobody saw is given again. */
export function isFinished(outcome: RunOutcome | undefined): boolean {
  return outcome?.exit === 'ok' && outcome.untold === undefined
}

/** Rows that the runs of this user applied to a target since 00:00 UTC; an unreadable journal counts nothing. */
export function countAppliedToday(folder: RunFolder, target: RunTarget): number {
  const now = systemClock.now()
  const midnight = now - (now % millisecondsPerDay)
  const counts = listRunIds(folder).map((id) =>
    withJournalIfSound(folder, id, (journal) => {
      if (!isSameTarget(journal.facts(), target)) return 0
      const today = journal.events().filter(({at, to}) => to === 'confirmed' && at >= midnight)
      const applied = new Set(today.map(({part}) => part))
      return applied.size === 0 ? 0 : countPlaces(journal.parts().filter(({seq}) => applied.has(seq)))
    }),
  )
  return counts.reduce<number>((sum, count = 0) => sum + count, 0)
}

/** A row that a run applied. */
export type AppliedRow = RowKey & {
  run: string
  /** JSON of the id of the record that was created or changed. */
  id: string | null
  /** When that was known, in milliseconds since 1970. */
  at: number
}

/** The rows of a run by their fate. */
export type RowsOfRun = {
  run: string
  all: RowKey[]
  applied: AppliedRow[]
  /** Left out, because another run had applied them. */
  appliedElsewhere: AppliedRow[]
  inDoubt: RowKey[]
  planned: RowKey[]
  refused: RowKey[]
}

/** The rows of a run that it may still send. */
export function readPlanned(journal: Journal): RowKey[] {
  const places = new Set(journal.parts().flatMap((part) => (fateOf(part) === 'planned' ? part.places : [])))
  const planned: RowKey[] = []
  if (places.size === 0) return planned
  for (const {place, digest, naturalKey} of journal.rows())
    if (places.has(place)) planned.push({place, digest: digestText(digest), naturalKey})
  return planned
}

/** The rows of a run that may have been applied; those of a run without a doubt are not read. */
export function readDoubt(journal: Journal): Pick<RowsOfRun, 'inDoubt'> {
  const hasDoubt = journal.parts().some((part) => fateOf(part) === 'inDoubt')
  return hasDoubt ? readRows(journal) : {inDoubt: []}
}

/** Rows that a refusal blames are found in the records that were sent; nothing else counts rows by their records. */
export function hasRefusal(journal: Journal): boolean {
  return journal.parts().some(({answer}) => answer !== null && fromAnswerText(answer).fate === 'refused')
}

/** Digests of rows that the service refused. */
export function* readRefused(journal: Journal): Generator<string, void, void> {
  if (!hasRefusal(journal)) return
  const {outcomes} = reportOfRun(loadRun(journal))
  for (const {place, digest} of journal.rows()) if (outcomes.at(place)?.fate === 'refused') yield digestText(digest)
}

export type RowsOptions = {
  /** Rows that were applied before that, in milliseconds since 1970, are left out. */
  since?: number | undefined
  /** Read only what was applied, by the run or before it. */
  appliedOnly?: boolean
}

/** Sorts the rows of a run; linear in them. */
export function readRows(journal: Journal, {since, appliedOnly = false}: RowsOptions = {}): RowsOfRun {
  const {id: run, rows: count, createdAt} = journal.facts()
  const confirmed = confirmedTimes(journal)
  const findFate = createFates(journal.parts(), count)
  const found: RowsOfRun = {
    ...{run, all: [], applied: [], appliedElsewhere: [], inDoubt: [], planned: [], refused: []},
  }
  for (const {place, digest, naturalKey, id, skip, by} of journal.rows()) {
    const {fate, part, madeIdOf} = findFate(place)
    if (appliedOnly && fate !== 'applied' && skip !== 'appliedBefore') continue
    const key = {place, digest: digestText(digest), naturalKey}
    if (!appliedOnly) found.all.push(key)
    if (fate === 'applied') {
      const at = confirmed.get(part) ?? createdAt
      if (since === undefined || at >= since) found.applied.push({...key, run, id: madeIdOf(place) ?? id, at})
    } else if (fate !== 'refused' || skip === null) found[fate].push(key)
    else if (skip === 'appliedBefore' && by !== null) found.appliedElsewhere.push({...key, run: by, id, at: createdAt})
  }

  return found
}

type Fate = 'applied' | 'inDoubt' | 'planned'

type FateOfPart = {fate: Fate | 'refused'; part: number; madeIdOf(place: number): string | undefined}

/** The fate of the row of a place: that of the last part with a fate that contains it. */
function createFates(parts: readonly JournalPart[], rows: number): (place: number) => FateOfPart {
  const numbers = new Int32Array(rows)
  const refused: FateOfPart = {fate: 'refused', part: 0, madeIdOf: () => undefined}
  const fates = [refused]
  for (const part of parts) {
    const fate = fateOf(part)
    if (!fate) continue
    for (const place of part.places) numbers[place] = fates.length
    const ids = idsOf(part)
    fates.push({
      fate,
      part: part.seq,
      madeIdOf(place) {
        const id = ids.get(place)
        return id === undefined ? undefined : printJson(id)
      },
    })
  }

  return (place) => fates[numbers[place] ?? 0] ?? refused
}

function fateOf({state}: JournalPart): Fate | undefined {
  if (state === 'confirmed') return 'applied'
  if (state === 'planned') return 'planned'
  return isInDoubt({state}) ? 'inDoubt' : undefined
}

function idsOf({answer, places}: JournalPart): Map<number, JsonValue> {
  const known = answer === null ? undefined : fromAnswerText(answer)
  const ids = known?.fate === 'applied' && known.ids.length === places.length ? known.ids : []
  return new Map(ids.map((id, index) => [places[index] ?? 0, id]))
}

/** When the sets of a run were last known to be applied. */
function confirmedTimes(journal: Journal): Map<number | null, number> {
  const events = journal.events().filter(({to}) => to === 'confirmed')
  return new Map(events.map(({part, at}) => [part, at]))
}

/**
 * The newest run with rows to send or in doubt; undefined when there is none. Throws `storage` when only runs that cannot
 * be read may have such rows.
 */
export function findOpenRun(folder: RunFolder): string | undefined {
  let unreadable: CliFailure | undefined
  const found = listRunIds(folder).findLast((id) => {
    try {
      return withJournal(folder, id, (journal) => {
        const facts = journal.facts()
        if (facts.exported !== undefined || !isOpen({facts, outcome: journal.outcome()})) return false
        return journal.parts().some((part) => isLeft({part}))
      })
    } catch (error) {
      if (!(error instanceof CliFailure) || error.exit !== 'storage') throw error
      unreadable ??= error
      return false
    }
  })
  if (found === undefined && unreadable) throw unreadable
  return found
}

/**
 * Rows of runs without those whose record a run outside of these has written since: its values now are not those that
 * were applied. For a create, each record is made once, and changes by a number add up.
 */
export function withoutSuperseded(
  rows: readonly RowsOfRun[],
  {operation}: {operation: WriteId},
  {runs, folder}: {runs: readonly EarlierRun[]; folder: RunFolder},
): RowsOfRun[] {
  const {body, difference} = writeOperation(operation)
  if (body === 'create' || difference) return [...rows]
  const known = new Set(rows.map(({run}) => run))
  const applied = rows.flatMap((one) => [...one.applied, ...one.appliedElsewhere])
  const first = applied.reduce((earliest, {at}) => Math.min(earliest, at), Number.POSITIVE_INFINITY)
  const written = new Map<string, number>()
  for (const {facts, outcome} of runs) {
    if (known.has(facts.id) || (outcome?.endedAt ?? first) < first) continue
    withJournal(folder, facts.id, (journal) => {
      for (const {naturalKey, at} of readRows(journal, {since: first, appliedOnly: true}).applied)
        if (naturalKey !== null) written.set(naturalKey, Math.max(at, written.get(naturalKey) ?? at))
    })
  }
  const isLatest = ({naturalKey, at}: AppliedRow) => (written.get(naturalKey ?? '') ?? 0) <= at
  return rows.map((one) => {
    const [applied, appliedElsewhere] = [one.applied.filter(isLatest), one.appliedElsewhere.filter(isLatest)]
    return {...one, applied, appliedElsewhere}
  })
}
