import {nextOf, toActivityRecord} from '../../activities/what-ran.js'
import {toTimeText} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {refuseLocked} from '../../core/run-id.js'
import {toSafeText} from '../../formats/safe-text.js'
import {splitArguments} from '../../jobs/split-arguments.js'
import {type Activity, resumeCommand} from '../../reports/register/activities.js'
import {counted} from '../../values/counted.js'
import type {CommandContext, Presented} from '../app/command-context.js'
import {runOwn} from '../jobs/run-own-command.js'
import {runFolderOf} from '../write/own-runs.js'

/** Facts about an export, a sync or a job, and what to do next. */
export function showActivity(run: Activity): Presented {
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
    data: {...toActivityRecord(run), resume: facts.resume},
    text: `${lines.map(toSafeText).join('\n')}\n`,
    runId: id,
  }
}

/** Runs the command of an unfinished export, sync or job again, which resumes it. */
export async function resumeActivity(
  run: Activity,
  {'dry-run': isDryRun = false}: {'dry-run'?: boolean | undefined},
  {environment, commands, isJson, present, messages}: CommandContext,
): Promise<void> {
  const {id, state, facts} = run
  if (state === 'running') refuseLocked(runFolderOf(environment), id)
  const isOpen = state === 'unfinished' || state === 'failed' || state === 'running'
  if (!isOpen) throw notResumable(run)
  const command = resumeCommand(facts)
  if (isDryRun) return present({data: {command}, text: `${command}\n`, runId: id})
  messages.note(`Run ${id}: ${command}`)
  const args = [...splitArguments(facts.resume, 'resume'), ...(isJson ? ['--json'] : [])]
  process.exitCode = (await runOwn({root: commands.root, name: facts.command, environment, args})).exitCode
}

function notResumable(run: Activity): CliFailure {
  const {id, kind} = run
  return new CliFailure(`Run ${id} is ${kind === 'export' ? 'an export' : `a ${kind}`} that cannot be resumed.`, {
    code: 'NOTHING_TO_RESUME',
    hints: [nextOf(run)],
  })
}
