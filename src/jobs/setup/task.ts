import {CliFailure} from '../../core/errors.js'
import {headOf, type Schedule, sayTime} from './schedule.js'

/** PowerShell that registers a task of the Windows Task Scheduler for a job, in place of an earlier one. */
export function renderTask(schedule: Schedule): string {
  const {name, at, program} = schedule
  const log = `"%LOCALAPPDATA%\\vendorctl\\${name}.log"`
  const command = `"${program.map(quoteArgument).join(' ')} >> ${log} 2>&1"`
  return `${headOf(schedule)}# For an administrator shell of the user who has logged in with: vendorctl auth login --save-password
$action = New-ScheduledTaskAction -Execute 'cmd.exe' \`
  -Argument ${quoteText(`/d /s /c ${command}`)}
$trigger = New-ScheduledTaskTrigger -Daily -At '${sayTime(at)}'
$principal = New-ScheduledTaskPrincipal -LogonType S4U \`
  -UserId "$env:USERDOMAIN\\$env:USERNAME"
$settings = New-ScheduledTaskSettingsSet -StartWhenAvailable \`
  -MultipleInstances IgnoreNew -ExecutionTimeLimit (New-TimeSpan -Hours 24)
Register-ScheduledTask -TaskName ${quoteText(`vendorctl-${name}`)} -Action $action \`
  -Trigger $trigger -Principal $principal -Settings $settings -Force
`
}

/** PowerShell that removes the task of a job. */
export function renderTaskRemoval(name: string): string {
  return `Unregister-ScheduledTask -TaskName ${quoteText(`vendorctl-${name}`)} -Confirm:$false\n`
}

/** A text of PowerShell, whose quotes are doubled; it takes typographic ones for the same. */
function quoteText(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
}

/** One argument of a program that cmd.exe starts. Throws `usage` at what cmd.exe would replace or cannot quote. */
function quoteArgument(text: string): string {
  if (/^[\w.:\\/-]+$/.test(text)) return text
  const [replaced] = /["%]/.exec(text) ?? []
  if (replaced === undefined) return `"${text}"`
  throw new CliFailure(
    `The Windows Task Scheduler cannot start ${text}: cmd.exe would not leave ${replaced} as it is.`,
    {
      code: 'USAGE',
      exit: 'usage',
      hints: ['Choose another name or folder.'],
    },
  )
}
