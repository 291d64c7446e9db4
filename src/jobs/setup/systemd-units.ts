import {spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {homedir, userInfo} from 'node:os'
import {join} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import type {Environment} from '../file/job.js'
import {findMade, removeFiles, writeMade} from './made-file.js'
import {headOf, type Schedule, type SetupFile, sayTime} from './schedule.js'
import type {Outcome, Scheduler, Subject} from './scheduler.js'

/** Timers of systemd in the user's own manager. */
export const systemd: Scheduler = {
  show({schedule, environment}) {
    const {service, timer} = renderUnits(schedule)
    const folder = unitFolder(environment)
    return {
      text: [service, timer].map(({name, text}) => `# ${join(folder, name)}\n${text}`).join('\n'),
      advice: [
        `Save them as these two files, or have them written: ${schedule.madeBy} --install`,
        `Then: ${startCommands(timer.name).join(' && ')}`,
        ...linger(),
      ],
    }
  },

  install({schedule, environment}: Subject): Outcome {
    const {service, timer} = renderUnits(schedule)
    const folder = unitFolder(environment)
    const written = writeMade(folder, schedule.name, [service, timer])
    const isStarted = isRunning() && startCommands(timer.name).every((command) => run(command, true))
    return {
      ...written,
      where: `${join(folder, service.name)} and ${timer.name}`,
      advice: [
        ...(isStarted ? [] : [`Start the timer: ${startCommands(timer.name).join(' && ')}`]),
        `See when it runs: systemctl --user list-timers ${timer.name}`,
        `Run it now: systemctl --user start ${service.name}; what it printed: journalctl --user -u ${service.name}`,
        ...linger(),
      ],
    }
  },

  remove(name, environment): Outcome {
    const folder = unitFolder(environment)
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

function unitFolder(environment: Environment): string {
  return join(environment['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'systemd', 'user')
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

/** Without it the manager of a user stops at the last logout, and starts at the first login. */
function linger(): string[] {
  if (existsSync(join('/var/lib/systemd/linger', userInfo().username))) return []
  return ['So that it runs while you are logged out: loginctl enable-linger']
}

/** The user units of systemd for a job. */
export type Units = {service: SetupFile; timer: SetupFile}

/** The units that start a job every day. A night during which the machine was off is caught up. */
export function renderUnits(schedule: Schedule): Units {
  const {name, at, program, environment} = schedule
  const variables = Object.entries(environment).map(([key, value]) => `Environment=${quote(`${key}=${value}`)}\n`)
  const service = `${headOf(schedule)}[Unit]
Description=vendorctl job ${name}

[Service]
Type=oneshot
${variables.join('')}ExecStart=:/usr/bin/env ${program.map(quote).join(' ')}
`
  const timer = `${headOf(schedule)}[Unit]
Description=vendorctl job ${name}, every day at ${sayTime(at)}

[Timer]
OnCalendar=*-*-* ${sayTime(at)}:00
Persistent=true

[Install]
WantedBy=timers.target
`
  const names = unitNamesOf(name)
  return {service: {name: names.service, text: service}, timer: {name: names.timer, text: timer}}
}

/** The names of the units of a job. */
function unitNamesOf(name: string): {service: string; timer: string} {
  return {service: `vendorctl-${name}.service`, timer: `vendorctl-${name}.timer`}
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
