import {type WriteId, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {RunFolder} from '../../core/run-id.js'
import {withEarlierChange} from '../../runs/earlier-runs/related-runs.js'
import type {RunFacts} from '../../runs/journal/journal-entries.js'
import {loadRun} from '../../runs/journal/load-run.js'
import {withJournalIfSound} from '../../runs/journal/open-journal.js'
import {listRunIds} from '../../runs/journal/run-folder.js'
import {refuseTooMany} from '../../runs/plan/check-plan.js'
import {readPlanDocument} from '../../runs/plan/read-plan-document.js'
import {joinReports, type RunReport} from '../../runs/report/report.js'
import {reportUnsent} from '../../runs/report/report-of-run.js'
import {countToSend} from '../../runs/rows/phases.js'
import type {AppliedRun, Undo} from '../../runs/undo/plan-undo.js'
import {appliedKeys, appliedOf, type PartUndo, planUndoOf, type UndoParts, withUnknown} from '../../runs/undo/undo.js'
import type {Person} from '../../runs/write/needs.js'
import {write} from '../../runs/write/write.js'
import {counted, thousands} from '../../values/counted.js'
import {lineText, placeIn} from '../../values/place.js'
import type {CommandContext} from '../app/command-context.js'
import type {Environment} from '../app/environment.js'
import {applyPlanFile} from '../write/apply-plan-file.js'
import {renderFirstChanges} from '../write/notes.js'
import type {OpenedRun} from '../write/open-run.js'
import type {WriteSession} from '../write/open-write.js'
import {systemTimes} from '../write/own-runs.js'
import {runWrite, toAsked} from '../write/run-write.js'
import {toSending} from '../write/sending-flags.js'
import {openRun} from './open-named.js'
import type {UndoFlags} from './recover-flags.js'

/** Undoes a run: the fields that it changed, where nobody changed them since. */
export async function undoRun(text: string, given: UndoFlags, context: CommandContext): Promise<void> {
  const {run, applied} = openApplied(context.environment, text)
  const {facts, operation} = applied
  const flags = {...given, profile: given.profile ?? facts.profile, stage: given.stage ?? facts.stage}
  const undone = findUndone(run.folder, {facts, operation})
  const by = undoerOf(operation)
  try {
    const request = {operation: by, flags, context, undoes: run}
    const {'apply-plan': planPath} = flags
    if (planPath !== undefined)
      return await applyPlanFile({...request, operation: await operationOf(planPath, by)}, planPath)
    await runWrite(request, async (session) => {
      const {service, person} = session.needs
      const sending = toSending(flags)
      const how = {client: service.client, sending, skipChanged: flags['skip-changed'], undone}
      const parts = await planUndoOf(applied, run.journal, how)
      for (const {undo} of parts) await showUndo(undo, facts, {person, dryRun: flags['dry-run'] ?? false})
      const chosen: UndoParts = flags['plan-out'] === undefined ? parts : [choosePlanned(parts, session)]
      await allowAll(chosen, session)
      return undoParts(chosen, session)
    })
  } finally {
    run.close()
  }
}

/** Throws what would stop one write of an undo, before the other is sent: its limits, and questions that nobody answers. */
async function allowAll(parts: UndoParts, {flags, needs: {person, service}}: WriteSession): Promise<void> {
  const plans = parts.map(({undo}) => undo.plan).filter(({sets}) => sets.length > 0)
  const [first] = plans
  if (!first) return
  const together = {...first, sets: plans.flatMap(({sets}) => sets)}
  refuseTooMany(together, flags['max-records'])
  if (flags['dry-run']) return
  for (const plan of plans) person.checkConsent(plan)
  await service.checkFits(together)
}

/** Sends the parts of an undo one after the other; what became of the others is unsent after one that stopped. */
async function undoParts([first, ...others]: UndoParts, {flags, needsOf}: WriteSession): Promise<RunReport> {
  const send = async ({part, undo}: PartUndo) => {
    const report = await write(
      toAsked(flags, async () => undo.plan),
      needsOf(undoerOf(part.operation)),
    )
    return withUnknown(report, undo, part.facts)
  }
  let report = await send(first)
  for (const other of others) {
    const isOver = !report.dryRun && !isDone(report)
    const next = isOver
      ? reportUnsent(other.undo.plan)
      : await send(other).catch((error: unknown) => {
          throw report.rows.applied > 0 && error instanceof CliFailure ? withEarlierChange(error) : error
        })
    report = joinReports(report, next)
  }
  return report
}

/** Whether all that was to be sent was applied. */
function isDone({ending, rows: {refused, rolledBack, inDoubt, unsent}}: RunReport): boolean {
  return !ending.isCancelled && refused + rolledBack + inDoubt + unsent === 0
}

/** A plan is of one write: of the first part that has something to send. */
function choosePlanned(parts: UndoParts, {context, undoes, needs}: WriteSession): PartUndo {
  const [chosen = parts[0], then] = parts.filter(({undo}) => undo.plan.sets.length > 0)
  if (!then || !undoes) return chosen
  const rest = counted(countToSend(then.undo.plan), 'row')
  const again = commandLine(context.commandName, [undoes.id], {'dry-run': true, 'plan-out': 'FILE'})
  needs.person.warn(`the plan leaves ${rest} to another write; once it was applied, plan it with: ${again}`)
  return chosen
}

/** The write of a plan that undoes a run, which may be either of two. */
async function operationOf(path: string, usual: WriteId): Promise<WriteId> {
  return path === '-' ? usual : (await readPlanDocument(path)).head.operation
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
