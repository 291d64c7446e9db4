import {rmSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {systemClock} from '../../core/clock.js'
import {readPrivateFile, writePrivateFile} from '../../core/private-file.js'
import {privateName} from '../../core/private-name.js'
import type {Job} from '../../jobs/file/job.js'
import {killedStartVariable} from '../../jobs/notify/channel.js'
import {isRunning, markProcess, type ProcessMark} from '../../jobs/notify/process-mark.js'
import type {Environment} from '../app/environment.js'
import {stateFolder} from '../app/folders.js'

export type JobStart = {
  /** Goes to the command as well. */
  environment: Environment
  /** Called once the start has reported how the job ended. */
  end(): void
}

type Mark = {at: number; process: ProcessMark}

/** After a day the same rows may be meant once more. */
const longestMilliseconds = 86_400_000

const nothingKept: JobStart = {environment: {[killedStartVariable]: undefined}, end: () => undefined}

/** Keeps that a job was started, until that is reported. A folder that cannot be written makes no difference to the job. */
export function beginJob({name, file}: Pick<Job, 'name' | 'file'>, environment: Environment): JobStart {
  const now = systemClock.now()
  try {
    const path = join(stateFolder(environment), 'job-starts', `${privateName([resolve(file), name])}.json`)
    const before = JSON.parse(readPrivateFile(path) ?? 'null') as Mark | null
    const killed = before && now - before.at < longestMilliseconds ? before : undefined
    if (killed && isRunning(killed.process, now - killed.at)) return nothingKept
    writePrivateFile(path, JSON.stringify({at: killed?.at ?? now, process: markProcess(process.pid)}))
    return {
      environment: {[killedStartVariable]: killed && String(killed.at)},
      end: () => quietly(() => rmSync(path, {force: true})),
    }
  } catch {
    return nothingKept
  }
}

function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // the next start is told of rows that were reported
  }
}
