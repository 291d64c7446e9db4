import {spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {homedir, userInfo} from 'node:os'
import {join} from 'node:path'
import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {sayTime} from './schedule.js'
import {fill, findMade, headOf, removeFiles, type Schedule, type Scheduler, writeMade} from './scheduler.js'

/** Timers of systemd in the user's own manager. */
export const systemd: Scheduler = {
  show(subject) {
    const units = renderUnits(subject)
    const {timer} = unitNamesOf(subject.name)
    return {
      text: units.map(({name, text}) => `# ${join(unitFolder(subject.shell), name)}\n${text}`).join('\n'),
      advice: [
        `Save them as these two files, or have them written: ${subject.madeBy} --install`,
        `Then: ${startCommands(timer).join(' && ')}`,
        ...linger(),
      ],
    }
  },

  install(subject) {
    const folder = unitFolder(subject.shell)
    const {service, timer} = unitNamesOf(subject.name)
    const written = writeMade(folder, subject.name, renderUnits(subject))
    const isStarted = isRunning() && startCommands(timer).every((command) => run(command, true))
    return {
      ...written,
      where: `${join(folder, service)} and ${timer}`,
      advice: [
        ...(isStarted ? [] : [`Start the timer: ${startCommands(timer).join(' && ')}`]),
        `See when it runs: systemctl --user list-timers ${timer}`,
        `Run it now: systemctl --user start ${service}; what it printed: journalctl --user -u ${service}`,
        ...linger(),
      ],
    }
  },

  remove(name, shell) {
    const folder = unitFolder(shell)
    const {service, timer} = unitNamesOf(name)
    const found = findMade(folder, name, [service, timer])
    if (found.length === 0) return {did: 'absent', where: folder, advice: []}
    const [stop, reload] = [`systemctl --user disable --now ${timer}`, 'systemctl --user daemon-reload']
    const isStopped = isRunning() && run(stop, true)
    removeFiles(found)
    if (isStopped) run(reload, true)
    return {did: 'removed', where: folder, advice: isStopped ? [] : [`Tell systemd: ${stop}; ${reload}`]}
  },
}

function unitFolder(shell: Environment): string {
  return join(shell['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'systemd', 'user')
}

function startCommands(timer: string): string[] {
  return ['systemctl --user daemon-reload', `systemctl --user enable ${timer}`, `systemctl --user restart ${timer}`]
}

/** Whether this user has a manager of systemd that can be spoken to. */
function isRunning(): boolean {
  return run('systemctl --user show-environment', false)
}

function run(command: string, mustWork: boolean): boolean {
  const [program = '', ...args] = command.split(' ')
  const {status, stderr} = spawnSync(program, args, {encoding: 'utf8', timeout: 30_000})
  if (status === 0 || !mustWork) return status === 0
  throw new CliFailure(`${command} failed: ${stderr?.trim() || 'it gave no reason'}`, {
    code: 'SCHEDULER',
    changed: 'unknown',
    hints: ['Fix what it says, then run the same command again.'],
  })
}

/** Advice for a user without lingering, whose systemd manager stops at the last logout. */
function linger(): string[] {
  if (existsSync(join('/var/lib/systemd/linger', userInfo().username))) return []
  return ['So that it runs while you are logged out: loginctl enable-linger']
}

const service = `{{head}}
[Unit]
Description=vendorctl job {{name}}

[Service]
Type=oneshot
{{variables}}
ExecStart=:/usr/bin/env {{program}}
`

const timer = `{{head}}
[Unit]
Description=vendorctl job {{name}}, every day at {{at}}

[Timer]
OnCalendar=*-*-* {{at}}:00
Persistent=true

[Install]
WantedBy=timers.target
`

/** The service and the timer that start a job every day. A night during which the machine was off is caught up. */
export function renderUnits(schedule: Schedule) {
  const {name, at, program, environment} = schedule
  const values = {
    ...{name, head: headOf(schedule), at: sayTime(at), program: program.map(quote).join(' ')},
    variables: Object.entries(environment).map(([key, value]) => `Environment=${quote(`${key}=${value}`)}`),
  }
  const names = unitNamesOf(name)
  return [
    {name: names.service, text: fill(service, values)},
    {name: names.timer, text: fill(timer, values)},
  ] as const
}

function unitNamesOf(job: string): {service: string; timer: string} {
  return {service: `vendorctl-${job}.service`, timer: `vendorctl-${job}.timer`}
}

/**
 * One argument or assignment. After the `:` of ExecStart no variable is expanded; specifiers are. `env` is in front
 * because systemd starts no program with a quote in its path.
 */
function quote(text: string): string {
  const escaped = text.replaceAll('%', '%%')
  return /^[\w,.:/@+=%-]+$/.test(escaped) ? escaped : `"${escaped.replace(/["\\]|\p{Cc}/gu, toEscape)}"`
}

function toEscape(letter: string): string {
  return letter < ' ' ? `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}` : `\\${letter}`
}
