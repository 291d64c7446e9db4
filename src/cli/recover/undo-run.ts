import {type WriteId, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, usage} from '../../core/errors.js'
import type {RunFacts} from '../../runs/journal/journal-entries.js'
import {loadRun} from '../../runs/journal/load-run.js'
import {withJournalIfSound} from '../../runs/journal/open-journal.js'
import {listRunIds, type RunFolder} from '../../runs/journal/run-folder.js'
import {joinReports} from '../../runs/report/report.js'
import type {AppliedRun, Undo} from '../../runs/undo/plan-undo.js'
import {appliedKeys, appliedOf, planUndoOf, undoableParts, withUnknown} from '../../runs/undo/undo.js'
import type {Person} from '../../runs/write/needs.js'
import {type RowSource, write} from '../../runs/write/write.js'
import {counted, thousands} from '../../values/counted.js'
import {lineText, placeIn} from '../../values/place.js'
import type {CommandContext} from '../app/command-context.js'
import type {Environment} from '../app/environment.js'
import {systemTimes} from '../write/find-run.js'
import {renderFirstChanges} from '../write/notes.js'
import {type OpenedRun, openRun} from '../write/open-run.js'
import {runWrite, toAsked} from '../write/run-write.js'
import {toSending} from '../write/sending-flags.js'
import {applyPlanFile} from '../write/write-from-file.js'
import type {UndoFlags} from './recover-flags.js'

/** Undoes a run: the fields that it changed, where nobody changed them since. */
export async function undoRun(text: string, given: UndoFlags, context: CommandContext): Promise<void> {
  const {run, applied} = openApplied(context.environment, text)
  const {facts, operation} = applied
  const flags = {...given, profile: given.profile ?? facts.profile, stage: given.stage ?? facts.stage}
  const undone = findUndone(run.folder, {facts, operation})
  const [first, then] = undoableParts(applied)
  try {
    const request = {operation: undoerOf(first.operation), flags, context, undoes: run}
    if (flags['apply-plan'] !== undefined) return await applyPlanFile(request, flags['apply-plan'])
    if (flags['plan-out'] !== undefined && then) throw twoPlans(facts.id)
    await runWrite(request, async ({needsOf}) => {
      const undoPart = async (part: AppliedRun) => {
        let undo: Undo | undefined
        const rows: RowSource = async ({service, person}) => {
          const how = {sending: toSending(flags), skipChanged: flags['skip-changed'], undone}
          undo = await planUndoOf(part, run.journal, {client: service.client, ...how})
          await showUndo(undo, facts, {person, dryRun: flags['dry-run'] ?? false})
          return undo.plan
        }
        const report = await write(toAsked(flags, rows), needsOf(undoerOf(part.operation)))
        return undo ? withUnknown(report, undo, facts) : report
      }
      const report = await undoPart(first)
      if (!then || (report.exit !== 'ok' && !report.dryRun)) return report
      return joinReports(report, await undoPart(then))
    })
  } finally {
    run.close()
  }
}

function twoPlans(id: string): CliFailure {
  return usage(
    `Run ${id} made records and changed others: to undo it takes two writes, and a plan is of one.`,
    `Look at them first with: ${commandLine('runs undo', [id], {'dry-run': true})}`,
  )
}

function undoerOf(operation: WriteId): WriteId {
  const {undo} = writeOperation(operation)
  return 'by' in undo ? undo.by : operation
}

type Opened = {run: Omit<OpenedRun, 'loaded'>; applied: AppliedRun}

/** Keeps only the applied rows of the run in memory. */
function openApplied(environment: Environment, text: string): Opened {
  const {loaded, ...run} = openRun(environment, text)
  try {
    return {run, applied: appliedOf(loaded)}
  } catch (error) {
    run.close()
    throw error
  }
}

type Showing = {person: Person; dryRun: boolean}

/** Shows what is undone and what is not, before the question; a dry run prints the changes as its output. */
async function showUndo(undo: Undo, {id, undoes}: RunFacts, {person, dryRun}: Showing): Promise<void> {
  person.progress(undefined)
  if (undoes !== undefined)
    person.warn(`run ${id} undid run ${undoes}: undoing it makes the changes of ${undoes} again`)
  for (const text of describeUndo(undo)) person.warn(text)
  const {comparison, sets} = undo.plan
  if (dryRun || !comparison || sets.length === 0 || person.willAnswer(undo.plan)) return
  for (const text of await renderFirstChanges(comparison.changes, '--dry-run shows all')) person.note(text)
}

/**
 * The rows of a run that later runs undid. A number that was undone leaves no sign in its record: where such a run cannot
 * be read, or was stopped before this one knew of it, nothing else would keep it from being undone twice.
 */
function findUndone(folder: RunFolder, {facts, operation}: Pick<AppliedRun, 'facts' | 'operation'>) {
  if (!writeOperation(operation).difference) return findUndoers(folder, facts)
  const {id, undoneBy = []} = facts
  const isUndoer = (other: string) =>
    withJournalIfSound(folder, other, systemTimes, (journal) => journal.facts().undoes === id) === true
  const known = [...new Set([...undoneBy, ...listRunIds(folder).filter(isUndoer)])]
  const lost = known.find((other) => readUndoer(folder, other) === undefined)
  if (lost !== undefined) throw undoneUnread(id, lost)
  return findUndoers(folder, {undoneBy: known})
}

function undoneUnread(id: string, lost: string): CliFailure {
  const message = `Run ${id} was undone by run ${lost}, which was removed or cannot be read: it may be undone already.`
  return new CliFailure(`${message} Nothing was sent.`, {
    code: 'NOTHING_TO_UNDO',
    hints: [
      'Look at the changes of stock with: vendorctl reports inventory',
      'Send what is missing as a file of its own.',
    ],
  })
}

type Undoer = {keys: Set<string>; undoneBy: string[]}

/** The runs that undid a run, oldest first, with the natural keys of the rows that they keep undone. */
export function findUndoers(folder: RunFolder, {undoneBy = []}: Pick<RunFacts, 'undoneBy'>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const id of undoneBy) {
    const undoer = readUndoer(folder, id)
    if (!undoer) continue
    for (const again of findUndoers(folder, undoer).values()) for (const key of again) undoer.keys.delete(key)
    if (undoer.keys.size > 0) found.set(id, undoer.keys)
  }

  return found
}

/** Undefined for a run that was removed or cannot be read; then only the records of the service show it. */
function readUndoer(folder: RunFolder, id: string): Undoer | undefined {
  return withJournalIfSound(folder, id, systemTimes, (journal) => {
    const loaded = loadRun(journal)
    return {keys: appliedKeys(loaded), undoneBy: loaded.facts.undoneBy ?? []}
  })
}

/** Sentences about the rows of a run that are not undone, and why. */
export function describeUndo({conflicts, notUndone, stayCleared, left = [], plan}: Undo): string[] {
  const {neverApplied, unknown, final, before, deleted} = notUndone
  const {done = '', never = ''} = writeOperation(plan.operation).endState ?? {}
  const changed = conflicts.map(({line, fields}) => {
    const names = fields.map(({field}) => field).join(', ')
    return `${lineText(placeIn(plan, line))} (${names === '' ? 'no longer found' : names})`
  })
  return [
    countRows(neverApplied, 'was not applied by this run', 'were not applied by this run'),
    countRows(
      unknown,
      'is not undone: how it was before is not known',
      'are not undone: how they were before is not known',
    ),
    countRows(final, `is not undone: ${never}`, `are not undone: ${never}`),
    countRows(
      deleted,
      'is not undone: it deleted its record, which no update brings back',
      'are not undone: they deleted their records, which no update brings back',
    ),
    countRows(before, 'was undone already and changed again since', 'were undone already and changed again since'),
    countRows(stayCleared, `is undone and stays ${done}`, `are undone and stay ${done}`),
    ...(changed.length > 0 ? [`skipped, because someone changed them since ${plan.file}: ${shorten(changed)}`] : []),
    ...left.slice(0, linesNamed).map(({line, why}) => `${lineText(placeIn(plan, line))} is not undone: ${why}`),
    left.length > linesNamed ? `${counted(left.length - linesNamed, 'more row')} not undone` : undefined,
  ].filter((text) => text !== undefined)
}

const linesNamed = 20

function shorten(lines: readonly string[]): string {
  const more = lines.length - linesNamed
  return [...lines.slice(0, linesNamed), ...(more > 0 ? [`and ${thousands(more)} more`] : [])].join(', ')
}

function countRows(count: number, one: string, many: string): string | undefined {
  if (count === 0) return undefined
  return `${counted(count, 'row')} ${count === 1 ? one : many}`
}
