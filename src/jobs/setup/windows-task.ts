import {spawnSync} from 'node:child_process'
import {CliFailure, usage} from '../../core/errors.js'
import {sayTime} from './schedule.js'
import {fill, headOf, type Schedule, type Scheduler} from './scheduler.js'

const where = 'the Task Scheduler'

/** The Windows Task Scheduler, by way of PowerShell. */
export const windows: Scheduler = {
  show: (subject) => ({
    text: renderTask(onWindows(subject)),
    advice: ['Run these lines in PowerShell as administrator. On Windows, --install runs them.'],
  }),

  install(subject) {
    runPowerShell(renderTask(subject))
    return {did: 'installed', where, advice: [`Run it now: Start-ScheduledTask -TaskName vendorctl-${subject.name}`]}
  },

  remove(name) {
    runPowerShell(renderTaskRemoval(name))
    return {did: 'removed', where, advice: []}
  },
}

/** The schedule for printing: on another system, the paths of this one are replaced by the program on the PATH. */
function onWindows(schedule: Schedule): Schedule {
  return process.platform === 'win32' ? schedule : {...schedule, program: ['vendorctl', 'jobs', 'run', schedule.name]}
}

/** Runs lines encoded as PowerShell takes them, so that nothing in them is quoted twice. */
function runPowerShell(script: string): void {
  if (process.platform !== 'win32')
    throw usage('The Task Scheduler is on Windows only.', 'Print the lines: leave out --install.')
  const encoded = Buffer.from(`$ErrorActionPreference = 'Stop'\n${script}`, 'utf16le').toString('base64')
  const args = ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded]
  const {status, stderr, error} = spawnSync('powershell.exe', args, {encoding: 'utf8'})
  if (status === 0) return
  throw new CliFailure(`PowerShell failed: ${error?.message ?? (stderr.trim() || `exit code ${status}`)}`, {
    code: 'SCHEDULER',
    hints: ['Run this in a shell started as administrator.'],
  })
}

const task = `{{head}}
# For an administrator shell of the user who has logged in with: vendorctl auth login --save-password
$action = New-ScheduledTaskAction -Execute 'cmd.exe' \`
  -Argument {{command}}
$trigger = New-ScheduledTaskTrigger -Daily -At '{{at}}'
$principal = New-ScheduledTaskPrincipal -LogonType S4U \`
  -UserId "$env:USERDOMAIN\\$env:USERNAME"
$settings = New-ScheduledTaskSettingsSet -StartWhenAvailable \`
  -MultipleInstances IgnoreNew -ExecutionTimeLimit (New-TimeSpan -Hours 24)
Register-ScheduledTask -TaskName {{name}} -Action $action \`
  -Trigger $trigger -Principal $principal -Settings $settings -Force
`

/** PowerShell that registers a task of the Windows Task Scheduler for a job, in place of an earlier one. */
export function renderTask(schedule: Schedule): string {
  const {name, at, program} = schedule
  const log = `"%LOCALAPPDATA%\\vendorctl\\${name}.log"`
  const command = quoteText(`/d /s /c "${program.map(quoteArgument).join(' ')} >> ${log} 2>&1"`)
  return fill(task, {head: headOf(schedule), command, at: sayTime(at), name: quoteText(`vendorctl-${name}`)})
}

/** PowerShell that removes the task of a job. */
export function renderTaskRemoval(name: string): string {
  return `Unregister-ScheduledTask -TaskName ${quoteText(`vendorctl-${name}`)} -Confirm:$false\n`
}

/** A text of PowerShell, whose quotes are doubled; it takes typographic ones for the same. */
function quoteText(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
}

/**
 * Quotes an argument of a program that cmd.exe starts. Throws `usage` at what cmd.exe would replace or cannot quote.
 */
function quoteArgument(text: string): string {
  if (/^[\w.:\\/-]+$/.test(text)) return text
  const [replaced] = /["%]/.exec(text) ?? []
  if (replaced === undefined) return `"${text}"`
  throw new CliFailure(
    `The Windows Task Scheduler cannot start ${text}: cmd.exe would not leave ${replaced} as it is.`,
    {code: 'USAGE', hints: ['Choose another name or folder.']},
  )
}
