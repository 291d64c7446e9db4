import type {WriteId} from '../../contract/index.js'
import type {Environment} from '../../core/environment.js'
import {readPlanDocument} from '../../runs/plan/read-plan-document.js'
import {type AppliedRun, describeUndo, type Undo, undoneBefore} from '../../runs/undo/plan-undo.js'
import {appliedOf, findUndone, planUndoOf} from '../../runs/undo/undo.js'
import {checkAll, choosePlanned, undoerOf, undoParts} from '../../runs/undo/undo-parts.js'
import type {CommandContext} from '../app/command-context.js'
import {applyPlanFile} from '../write/apply-plan-file.js'
import {renderFirstChanges} from '../write/notes.js'
import type {WriteSession} from '../write/open-write.js'
import {openNamed} from '../write/own-runs.js'
import {runWrite, toAsked} from '../write/run-write.js'
import type {UndoFlags} from './recover-flags.js'

/** Undoes a run: the fields that it changed, where nobody changed them since. */
export async function undoRun(text: string, given: UndoFlags, context: CommandContext): Promise<void> {
  const {run, applied} = openApplied(context.environment, text)
  const {facts, operation} = applied
  const flags = {...given, profile: given.profile ?? facts.profile, stage: given.stage ?? facts.stage}
  const undone = findUndone(run.folder, {facts, operation})
  const by = undoerOf(operation)
  try {
    if (text === 'latest' && facts.undoes !== undefined && !flags['dry-run']) throw undoneBefore(facts.id, facts.undoes)
    const request = {operation: by, flags, context, undoes: run}
    const {'apply-plan': planPath} = flags
    if (planPath !== undefined)
      return await applyPlanFile({...request, operation: await operationOf(planPath, by)}, planPath)
    await runWrite(request, async ({needs, needsOf}) => {
      const {service, person} = needs
      const asked = toAsked(flags)
      const {sending, dryRun} = asked
      const how = {client: service.client, sending, skipChanged: flags['skip-changed'], undone}
      const parts = await planUndoOf(applied, run.journal, how)
      for (const {undo} of parts) await showUndo(undo, facts, {person, dryRun})
      const isPlanned = flags['plan-out'] !== undefined
      const chosen = isPlanned ? choosePlanned(parts, {id: run.id, command: context.commandName, person}) : parts
      await checkAll(chosen, asked, needs)
      return undoParts(chosen, asked, needsOf)
    })
  } finally {
    run.close()
  }
}

/** The write of a plan that undoes a run, which may be either of two. */
async function operationOf(path: string, usual: WriteId): Promise<WriteId> {
  return path === '-' ? usual : (await readPlanDocument(path)).head.operation
}

/** Keeps only the applied rows of the run in memory. */
function openApplied(environment: Environment, text: string) {
  const {loaded, ...run} = openNamed(environment, text)
  try {
    return {run, applied: appliedOf(loaded)}
  } catch (error) {
    run.close()
    throw error
  }
}

type Showing = {person: WriteSession['needs']['person']; dryRun: boolean}

/** Shows what an undo changes and leaves out, before the question; a dry run prints the changes as its output. */
async function showUndo(undo: Undo, {id, undoes}: AppliedRun['facts'], {person, dryRun}: Showing): Promise<void> {
  person.progress(undefined)
  if (undoes !== undefined)
    person.warn(`run ${id} undid run ${undoes}: undoing it makes the changes of ${undoes} again`)
  for (const text of describeUndo(undo)) person.warn(text)
  const {comparison, sets} = undo.plan
  if (dryRun || !comparison || sets.length === 0 || person.willAnswer(undo.plan)) return
  for (const text of await renderFirstChanges(comparison.changes, '--dry-run shows all')) person.note(text)
}
