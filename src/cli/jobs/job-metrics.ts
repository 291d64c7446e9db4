import {join} from 'node:path'
import {exitCodeOf} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import type {Job, JobRun} from '../../jobs/file/job.js'
import type {CommandContext} from '../app/command-context.js'
import {stateFolder} from '../app/folders.js'
import {Profiles} from '../settings/profiles.js'

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
  if (exit === exitCodeOf('locked').code) return
  const environment = run.environment
  const profile =
    run.args.find((word) => word.startsWith('--profile='))?.slice('--profile='.length) ??
    (environment['VENDORCTL_PROFILE'] || (new Profiles(context.environment).current ?? 'default'))
  const now = systemClock.now()
  const {writeMetrics} = await import('../../jobs/metrics/write-metrics.js')
  const folder = join(stateFolder(context.environment), 'metrics')
  try {
    const ended = {name, command, profile, endedAt: now, seconds: (now - startedAt) / 1_000, exit}
    const notices = await writeMetrics(ended, {path: file, folder, unlessEndedSince: startedAt})
    for (const notice of notices) context.caution(notice)
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    context.caution(`The metrics of ${name} were not written: ${error.message}`)
  }
}
