import {headOf, type Schedule, type SetupFile, sayTime} from './schedule.js'

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
export function unitNamesOf(name: string): {service: string; timer: string} {
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
