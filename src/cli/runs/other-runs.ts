import {dirname} from 'node:path'
import {toTimeText} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {isHeld} from '../../core/lock.js'
import {runLockPath} from '../../core/run-id.js'
import {toSafeText} from '../../formats/safe-text.js'
import {splitWords} from '../../jobs/words.js'
import {dropUnfinished} from '../../reports/export/output-lock.js'
import {type Activity, findActivity, listActivities, resumeCommand} from '../../reports/register/activities.js'
import {openExportRegister} from '../../reports/register/export-register.js'
import {exportsFolder, registerPath} from '../../reports/register/register-tables.js'
import {lockActivity} from '../../reports/register/start-activity.js'
import {findRunId, type RunFolder} from '../../runs/journal/run-folder.js'
import {nextStepOf, nextStepText} from '../../runs/report/next-step.js'
import {counted} from '../../values/counted.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext, Presented} from '../app/command-context.js'
import {stateFolder} from '../app/folders.js'
import {runOwn} from '../jobs/run-own.js'
import {toIso} from '../read/own-columns.js'
import {runFolderOf} from '../write/own-runs.js'

/** All exports, syncs and jobs, newest first. Where they cannot be read, that is reported, and the writes are still shown. */
export function listOthers(
  stateFolder: string,
  {open = false}: {open?: boolean},
  onProblem: (text: string) => void,
): JsonRecord[] {
  try {
    return listActivities(stateFolder)
      .filter(({state}) => !open || (state !== 'done' && state !== 'failed'))
      .map(toActivityRecord)
  } catch (error) {
    const {exit, message, hints} = error as CliFailure
    if (exit !== 'storage' && exit !== 'locked') throw error
    onProblem([`Exports cannot be listed. ${message}`, ...hints].join('. '))
    return []
  }
}

function toActivityRecord(run: Activity): JsonRecord {
  const {id, kind, state, facts, createdAt, rows = null, requests = null} = run
  const {command, file, profile = null, stage = null} = facts
  return {
    ...{id, state: state === 'lost' ? 'unfinished' : state},
    ...{command, file, profile, stage},
    ...{started: toIso(createdAt), rows, requests},
    ...{next: nextOf(run), kind},
  }
}

function nextOf({id, state, facts, exit}: Activity): string {
  switch (state) {
    case 'unfinished':
      return `Resume it: ${resumeCommand(facts)}`
    case 'failed':
      return `It ended with exit code ${exit}; run it again: ${resumeCommand(facts)}`
    case 'lost':
      return `The service sent fields that have no column; name them with --columns and start over: ${startOver(facts)}`
    case 'damaged':
      return `Its checkpoint cannot be read; start over: ${startOver(facts)}`
    case 'newer':
      return 'Resume it with the version of vendorctl that wrote it, or a later one.'
    default:
      return nextStepText(nextStepOf(state, id))
  }
}

/** Holes are filled by a command that has no --fresh. */
function startOver({command, startOver: known, again, path}: Activity['facts']): string {
  if (known !== undefined) return `vendorctl ${known}`
  if (command === 'reports transactions') return `vendorctl ${command} … ${again} --fresh`
  return commandLine('reports transactions …', [], {'output-file': path ?? '', fresh: true})
}

/** The export, sync or job that a text means, where it means no bulk write. */
export function findOther(folder: RunFolder, text: string): Activity | undefined {
  try {
    findRunId(folder, text)
    return undefined
  } catch (error) {
    if (error instanceof CliFailure && error.code === 'NO_RUN') return findActivity(dirname(folder.path), text)
    throw error
  }
}

/** What is known of an export, a sync or a job, and what to do next. */
export function showOther(run: Activity): Presented {
  const {id, kind, state, facts, createdAt, rows, requests} = run
  const {command, file, profile, stage} = facts
  const counts = [
    ...(rows === undefined ? [] : [counted(rows, 'row')]),
    ...(requests ? [counted(requests, 'request')] : []),
  ]
  const lines = [
    `Run ${id}: ${kind === 'export' ? 'an' : 'a'} ${kind}, ${state === 'lost' ? 'unfinished' : state}.`,
    [`${command}: ${file}`, ...(profile ? [`profile ${profile}`] : []), ...(stage ? [stage] : [])].join(', '),
    [`started ${toTimeText(createdAt)}`, ...counts].join(', '),
    `→ ${nextOf(run)}`,
  ]
  return {
    data: {...toActivityRecord(run), resume: facts.resume ?? null},
    text: `${lines.map(toSafeText).join('\n')}\n`,
    runId: id,
  }
}

/** Runs the command of an unfinished export, sync or job again, which resumes it. False where the text means a write. */
export async function resumeNamed(
  text: string,
  {'dry-run': isDryRun = false}: {'dry-run'?: boolean | undefined},
  {environment, commands, isJson, present, messages}: CommandContext,
): Promise<boolean> {
  const run = findOther(runFolderOf(environment), text)
  if (!run) return false
  const {id, state, facts} = run
  if (state === 'running') lockActivity(stateFolder(environment), id).remove() // throws, naming the process
  const isOpen = state === 'unfinished' || state === 'failed' || state === 'running'
  if (facts.resume === undefined || !isOpen) throw notResumable(run)
  const command = resumeCommand(facts)
  if (isDryRun) {
    await present({data: {command}, text: `${command}\n`, runId: id})
    return true
  }
  messages.note(`Run ${id}: ${command}`)
  const args = [...splitWords(facts.resume, 'resume'), ...(isJson ? ['--json'] : [])]
  process.exitCode = (await runOwn({root: commands.root, name: facts.command, environment, args})).exitCode
  return true
}

function notResumable(run: Activity): CliFailure {
  const {id, kind} = run
  return new CliFailure(`Run ${id} is ${kind === 'export' ? 'an export' : `a ${kind}`} that cannot be resumed.`, {
    code: 'NOTHING_TO_RESUME',
    hints: [nextOf(run)],
  })
}

/** Whether nothing of it is open. */
export function isOtherOver({state}: Activity): boolean {
  return state === 'done' || state === 'failed'
}

/** Forgets exports, syncs and jobs; of an unfinished export its checkpoint and NAME.part go, too. Returns their ids. */
export function removeOthers(folder: RunFolder, runs: readonly Activity[]): string[] {
  const state = dirname(folder.path)
  if (runs.length === 0) return []
  const register = openExportRegister(registerPath(state))
  try {
    return runs.flatMap(({id, kind, facts, ...run}) => {
      if (isHeld(runLockPath(state, id), `The lock of run ${id}`)) return []
      const isLeft = kind === 'export' && !isOtherOver({id, kind, facts, ...run})
      if (isLeft && facts.path !== undefined) dropUnfinished(exportsFolder(state), facts.path)
      register.forgetActivity(id)
      return [id]
    })
  } finally {
    register.close()
  }
}
