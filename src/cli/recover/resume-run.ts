import {findRan} from '../../activities/what-ran.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {findOpenRun} from '../../runs/earlier-runs/read-runs.js'
import {type OpenedRun, openRun} from '../../runs/journal/load-run.js'
import {findCopies, forecastResume, type ResumeNeeds, resume} from '../../runs/write/resume.js'
import {recordReported} from '../../runs/write/start-record.js'
import type {CommandContext} from '../app/command-context.js'
import {resumeActivity} from '../runs/other-runs.js'
import type {WriteSession} from '../write/open-write.js'
import {runFolderOf} from '../write/own-runs.js'
import {runWrite} from '../write/run-write.js'
import {settleAsAsked} from '../write/settle-doubt.js'
import type {ResumeFlags} from './recover-flags.js'

/** Resumes a run of any kind, from its flags to its exit code. */
export async function resumeRun(text: string | undefined, flags: ResumeFlags, context: CommandContext): Promise<void> {
  const folder = runFolderOf(context.environment)
  const id = text ?? findOpenRun(folder)
  if (id === undefined) throw nothingToResume()
  const found = findRan(folder, id)
  if (found.kind !== 'write') return resumeActivity(found, flags, context)
  const run = openRun(folder, found.id)
  const {journal} = run
  try {
    const {facts, plan} = run.loaded
    context.messages.note(`Run ${facts.id}: ${facts.command} from ${facts.file}`)
    const request = {operation: plan.operation, flags: flagsOfRun(run, flags), context, resumes: run}
    const reported = await runWrite(request, async (session) => {
      const copies = await findCopies(run.loaded, context.caution)
      const report = flags['dry-run'] ? forecastResume(run) : await resume(run, needsOf(session))
      return {...report, ...(copies && {copies})}
    })
    if (reported && !flags['dry-run']) recordReported(journal, reported)
  } finally {
    run.close()
  }
}

/**
 * The profile, stage and options that the run was sent with, unless flags choose another profile of the same service.
 */
function flagsOfRun({loaded}: OpenedRun, flags: ResumeFlags): ResumeFlags {
  const {path, profile, stage, input} = loaded.facts
  return {
    ...flags,
    profile: flags.profile ?? profile,
    stage: flags.stage ?? stage,
    ...(path !== undefined && {file: path}),
    ...(input?.encoding !== undefined && {encoding: input.encoding}),
  }
}

function needsOf({needs, lazy, flags, progress, context, serviceClock}: WriteSession): ResumeNeeds {
  return {
    ...needs,
    serviceTime: serviceClock.now,
    requests: () => lazy.opened?.client.requestsUsed ?? 0,
    async settle(run, sends) {
      const {client} = await lazy.open()
      const onWait = context.messages.note
      return (await settleAsAsked(run, {client, flags, onProgress: progress.update, onWait, sends})).sets
    },
  }
}

/** A script that resumes what a refused command never began must not take that for success. */
function nothingToResume(): CliFailure {
  return new CliFailure('No write is unfinished.', {
    code: 'NOTHING_TO_RESUME',
    retry: 'no',
    hints: [`See all runs, exports too: ${commandLine('runs list')}`],
  })
}
