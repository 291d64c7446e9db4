import {spawnSync} from 'node:child_process'
import {CliFailure, usage} from '../../../core/errors.js'
import type {Schedule} from '../../../jobs/setup/schedule.js'
import {renderTask, renderTaskRemoval} from '../../../jobs/setup/task.js'
import type {Outcome, Scheduler, Subject} from './scheduler.js'

const where = 'the Task Scheduler'

/** The Windows Task Scheduler, by way of PowerShell. */
export const windows: Scheduler = {
  show({schedule}) {
    return {
      text: renderTask(onWindows(schedule)),
      advice: ['Run these lines in PowerShell as administrator. On Windows, --install runs them.'],
    }
  },

  install({schedule}: Subject): Outcome {
    runPowerShell(renderTask(schedule))
    return {did: 'installed', where, advice: [`Run it now: Start-ScheduledTask -TaskName vendorctl-${schedule.name}`]}
  },

  remove(name): Outcome {
    runPowerShell(renderTaskRemoval(name))
    return {did: 'removed', where, advice: []}
  },
}

/** The schedule as it is printed: paths of another system mean nothing to Windows, where the program is on the PATH. */
function onWindows(schedule: Schedule): Schedule {
  return process.platform === 'win32' ? schedule : {...schedule, program: ['vendorctl', 'jobs', 'run', schedule.name]}
}

/** Runs lines encoded as PowerShell takes them, so that nothing in them is quoted twice. */
function runPowerShell(script: string): void {
  if (process.platform !== 'win32')
    throw usage('The Task Scheduler is on Windows only.', 'Print the lines: leave out --install.')
  const encoded = Buffer.from(`$ErrorActionPreference = 'Stop'\n${script}`, 'utf16le').toString('base64')
  const {status, stderr, error} = spawnSync(
    'powershell.exe',
    ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded],
    {
      encoding: 'utf8',
    },
  )
  if (status === 0) return
  throw new CliFailure(`PowerShell failed: ${error?.message ?? (stderr.trim() || `exit code ${status}`)}`, {
    code: 'SCHEDULER',
    exit: 'failure',
    hints: ['Run this in a shell started as administrator.'],
  })
}
