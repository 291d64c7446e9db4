import {resolve} from 'node:path'
import {systemClock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import type {Environment} from '../../core/environment.js'
import type {CommandFacts} from '../../values/command-facts.js'
import {asksFirst} from '../file/check-command.js'
import {findRelativePaths, type Job, variable} from '../file/job.js'
import {kubernetes} from './cron-job.js'
import {cron} from './crontab.js'
import {findEnvironment, findProgram} from './own-start.js'
import {sayTime, type TimeOfDay} from './schedule.js'
import type {Scheduler, Subject} from './scheduler.js'
import {systemd} from './systemd-units.js'
import {windows} from './windows-task.js'
import {github} from './workflow.js'

export const schedulers = {cron, systemd, github, kubernetes, windows} satisfies Record<string, Scheduler>

type Asked = {
  scheduler: keyof typeof schedulers
  name: string
  at: TimeOfDay
  image: string
  /** Undefined for the usual one. */
  jobsFile: string | undefined
}

/** This program: its package, its version and the variables of its shell. */
type Own = {root: string; version: string; environment: Environment}

/** Facts about a job for a scheduler. */
export function toSubject(asked: Asked, job: Job, facts: CommandFacts, {root, version, environment}: Own): Subject {
  const {scheduler, name, at, image} = asked
  const {'output-file': output} = job.flags
  const jobsFile = resolve(job.file)
  const file = asked.jobsFile === undefined ? {} : {'jobs-file': jobsFile}
  const words = ['jobs', 'run', name, ...Object.entries(file).flatMap(([flag, value]) => [`--${flag}`, value])]
  const withImage = image === '' ? {} : {image}
  return {
    ...{name, at, image, jobsFile, version, shell: environment},
    madeBy: commandLine(`jobs setup ${scheduler}`, [name], {at: sayTime(at), ...withImage, ...file}),
    program: [...findProgram(root, environment), ...words],
    environment: findEnvironment(environment),
    profile: job.profile,
    output: typeof output === 'string' && output !== '-' ? output : undefined,
    writes: asksFirst(facts),
    delivers: job.deliver !== undefined,
    relative: findRelativePaths(job, facts).map(({message}) => message),
    variables: variablesOf(job),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    now: systemClock.now(),
  }
}

/** The variables that a job mentions, without those that every scheduler sets. */
function variablesOf({flags, args, deliver, notify, env = []}: Job): string[] {
  const found = JSON.stringify([flags, args, deliver, notify]).matchAll(variable)
  const names = [...[...found].map(([, name = '']) => name), ...env]
  return [...new Set(names)].filter((name) => name !== 'HOME' && name !== 'PATH')
}
