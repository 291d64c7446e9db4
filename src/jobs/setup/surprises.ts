import {findLostVariables, findSystemZone} from './own-start.js'
import {type ClockChange, findClockChanges, findSteadyTime, sayTime} from './schedule.js'
import type {Subject} from './scheduler.js'

/** Schedulers of this machine; a workflow of GitHub has no clock changes, and its own variables and folder. */
type LocalScheduler = 'cron' | 'systemd' | 'windows'

/** What may surprise whoever has a job started by a scheduler. */
export function noticesOf(subject: Subject, scheduler: LocalScheduler): string[] {
  const systemZone = findSystemZone() ?? subject.zone
  return [
    ...sayZone(subject, systemZone),
    ...sayClockChanges({...subject, zone: systemZone}),
    ...sayLost(subject, scheduler),
    ...subject.relative.map((message) => `notice: ${message}.`),
  ]
}

/** A zone of this shell alone, of which the scheduler knows nothing. */
function sayZone({zone, schedule}: Subject, systemZone: string): string[] {
  if (zone === systemZone) return []
  return [
    `notice: The scheduler takes ${sayTime(schedule.at)} as a time of ${systemZone}, not of ${zone} as TZ says here.`,
  ]
}

/** The days on which the time does not exist or happens twice. */
export function sayClockChanges({schedule: {at}, zone, now}: Pick<Subject, 'schedule' | 'zone' | 'now'>): string[] {
  const changes = findClockChanges(at, zone, now)
  if (changes.length === 0) return []
  const days = changes.map(sayChange).join(', and ')
  return [
    `notice: ${sayTime(at)} ${days} (${zone}). A time that every day has once: --at ${sayTime(findSteadyTime(at, zone, now))}`,
  ]
}

function sayChange({kind, date, from, to}: ClockChange): string {
  const what = kind === 'skipped' ? 'does not exist' : 'happens twice'
  return `${what} on ${date}, when clocks go from ${from} to ${to}`
}

/** Variables that the job mentions, or that this shell has, and the scheduler has not. */
function sayLost({environment, variables, schedule}: Subject, scheduler: LocalScheduler): string[] {
  const lost = findLostVariables(environment)
    .filter((name) => !variables.includes(name))
    .join(', ')
  const needed = variables.join(', ')
  const how = {
    cron: 'as NAME=value lines at the top of the crontab (crontab -e)',
    systemd: `by Environment= lines: systemctl --user edit vendorctl-${schedule.name}.service`,
    windows: 'as variables of the user',
  }[scheduler]
  const texts = [
    needed && `The job needs variables that the scheduler does not have: ${needed}. Give them ${how}.`,
    lost &&
      `The job starts without these variables of this shell: ${lost}. Store settings with profiles set and secrets with auth login --save-password, or give them ${how}.`,
  ]
  return texts.filter((text) => text !== '').map((text) => `notice: ${text}`)
}
