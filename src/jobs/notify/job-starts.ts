import {rmSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import type {Environment} from '../../core/environment.js'
import {readPrivateFile} from '../../core/private-file.js'
import {privateName} from '../../core/private-name.js'
import {startActivity} from '../../reports/register/start-activity.js'
import type {Job} from '../file/job.js'
import {killedStartVariable} from './channel.js'

type JobToStart = Pick<Job, 'name' | 'file' | 'profile'>

export type JobStart = {
  /** Goes to the command as well. */
  environment: Environment
  /** Called once the end of the job was reported; without an exit code where it was not. */
  end(exit: number | undefined): void
}

const hour = 3_600_000
/**
 * The age up to which a start without an end means that the job was killed: less than the 23 hours between two nights
 * around a clock change, since the rows of the next night may be sent again.
 */
const longestMilliseconds = 20 * hour
const keepMilliseconds = 30 * 24 * hour

const nothingKept: JobStart = {environment: {[killedStartVariable]: undefined}, end: () => undefined}

/** Records that a job was started, until its end is reported. The job runs also where nothing can be recorded. */
export function beginJob(job: JobToStart, stateFolder: () => string): JobStart {
  try {
    const {since, ...started} = start(job, stateFolder())
    const isKilled = since !== undefined && systemClock.now() - since < longestMilliseconds
    return {
      environment: {[killedStartVariable]: isKilled ? String(since) : undefined},
      end: (exit) => quietly(() => started.close(exit === undefined ? undefined : {exit})),
    }
  } catch {
    return nothingKept
  }
}

function start({name, file, profile}: JobToStart, folder: string) {
  const path = resolve(file)
  const key = privateName([path, name])
  const started = startActivity(folder, {
    ...{kind: 'job', name: key, now: systemClock.now, keepMilliseconds, longestMilliseconds},
    facts: {
      ...{command: 'jobs run', file: name, path},
      resume: commandLine('jobs run', [name], {'jobs-file': path}).replace(/^vendorctl /, ''),
      ...(profile !== undefined && {profile}),
    },
  })
  return {...started, ...takeOldMark(join(folder, 'job-starts', `${key}.json`))}
}

/** Versions before this one kept the start of a job in a file of its own. */
function takeOldMark(path: string): {since?: number} {
  const mark = JSON.parse(readPrivateFile(path) ?? 'null') as {at: number} | null
  if (mark) rmSync(path, {force: true})
  return mark ? {since: mark.at} : {}
}

function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // the next start then takes this one for killed
  }
}
