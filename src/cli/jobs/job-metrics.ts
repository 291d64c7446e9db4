import {exitCodeOf} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import type {Job, JobRun} from '../../jobs/file/job.js'
import type {CommandContext} from '../app/command-context.js'
import {Profiles} from '../settings/profiles.js'
import {readFlag, saveMetrics} from './record-ending.js'

export type EndedJob = {
  job: Job
  run: Pick<JobRun, 'args' | 'environment'>
  startedAt: number
  exit: number
  file: string
}

/** Writes how a job ended that could not do that itself, because it was killed or its command has no metrics. */
export async function recordJob({job, run, startedAt, exit, file}: EndedJob, context: CommandContext): Promise<void> {
  const {name, command} = job
  const {'dry-run': isDryRun, estimate} = job.flags
  if (exit === exitCodeOf('locked').code || isDryRun === true || estimate === true) return
  const given = readFlag('profile', {args: run.args, flags: undefined}, run)
  const profile = given ?? new Profiles(context.environment).inUse
  const endedAt = systemClock.now()
  const ended = {name, command, profile, endedAt, seconds: (endedAt - startedAt) / 1_000, exit}
  await saveMetrics(ended, {path: file, unlessEndedSince: startedAt}, context)
}
