import {readlinkSync, realpathSync} from 'node:fs'
import {homedir, userInfo} from 'node:os'
import {basename, delimiter, isAbsolute, join} from 'node:path'
import {isSea} from 'node:sea'
import type {Environment} from '../../core/environment.js'
import {type ClockChange, findClockChanges, findSteadyTime, sayTime} from './schedule.js'
import type {Subject} from './scheduler.js'

/** Variables that are paths, and so no secrets. */
const paths = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'NODE_EXTRA_CA_CERTS']
const proxies = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY']
/** Variables for flags of jobs setup itself, and those without effect on a job. */
const ofThisCommand = /^VENDORCTL_(AT|INSTALL|REMOVE|JOBS_FILE|JSON|QUIET|VERBOSE|NO_COLOR|NO_INPUT)$/

/** The absolute paths by which a scheduler starts this program: Node and its script, or the standalone executable. */
export function findProgram(root: string, environment: Environment): string[] {
  if (isSea()) return [nameOnPath(process.execPath, 'vendorctl', environment)]
  const node = nameOnPath(process.execPath, basename(process.execPath), environment)
  return [node, nameOnPath(join(root, 'bin', 'run.js'), 'vendorctl', environment)]
}

/** The variables that lead the program to the same folders and the same commands as here. */
export function findEnvironment(environment: Environment): Record<string, string> {
  const home = homedir() === userInfo().homedir ? {} : {HOME: homedir()}
  const named = paths.map((name) => [name, environment[name] ?? ''] as const).filter(([, path]) => isAbsolute(path))
  return {...home, PATH: foldersOfPath(environment).join(delimiter), ...Object.fromEntries(named)}
}

/**
 * The time zone by which schedulers of this machine go, whatever `TZ` says here; undefined where it is not known. The
 * system may use another name for it than Node does: Etc/UTC is UTC.
 */
export function findSystemZone(): string | undefined {
  try {
    const [, timeZone] = readlinkSync('/etc/localtime').split('/zoneinfo/')
    return timeZone && new Intl.DateTimeFormat('en', {timeZone}).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** The names of variables of this shell that matter to a job and that a scheduler does not have. */
export function findLostVariables(environment: Environment): string[] {
  const found = Object.keys(environment).filter(
    (name) =>
      environment[name] !== '' &&
      (name.startsWith('VENDORCTL_') ? !ofThisCommand.test(name) : proxies.includes(name.toUpperCase())),
  )
  return found.sort()
}

/** The path under which this file is on PATH, where it stays over an upgrade, or the path of the file itself. */
function nameOnPath(file: string, name: string, environment: Environment): string {
  const real = realpath(file)
  return (
    foldersOfPath(environment)
      .map((folder) => join(folder, name))
      .find((path) => real !== undefined && realpath(path) === real) ?? file
  )
}

/** Absolute folders, each once, without those that npm adds while it runs a program. */
function foldersOfPath(environment: Environment): string[] {
  const all = (environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  return [...new Set(all)].filter((folder) => !/[\\/]node_modules[\\/]\.bin$|node-gyp-bin$/.test(folder))
}

function realpath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Schedulers of this machine; a workflow of GitHub has no clock changes, and its own variables and folder. */
type LocalScheduler = 'cron' | 'systemd' | 'windows'

/** Notices about what differs between this shell and the scheduler. */
export function noticesOf(subject: Subject, scheduler: LocalScheduler): string[] {
  const systemZone = findSystemZone() ?? subject.zone
  return [
    ...sayZone(subject, systemZone),
    ...sayClockChanges({...subject, zone: systemZone}),
    ...sayLost(subject, scheduler),
    ...subject.relative.map((message) => `notice: ${message}.`),
  ]
}

/** A notice where TZ names another zone than that of the scheduler. */
function sayZone({zone, at}: Subject, systemZone: string): string[] {
  if (zone === systemZone) return []
  return [`notice: The scheduler takes ${sayTime(at)} as a time of ${systemZone}, not of ${zone} as TZ says here.`]
}

/** The days on which the time does not exist or happens twice. */
export function sayClockChanges({at, zone, now}: Pick<Subject, 'at' | 'zone' | 'now'>): string[] {
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
function sayLost({shell, variables, name}: Subject, scheduler: LocalScheduler): string[] {
  const lost = findLostVariables(shell)
    .filter((each) => !variables.includes(each))
    .join(', ')
  const needed = variables.join(', ')
  const how = {
    cron: 'as NAME=value lines at the top of the crontab (crontab -e)',
    systemd: `by Environment= lines: systemctl --user edit vendorctl-${name}.service`,
    windows: 'as variables of the user',
  }[scheduler]
  const texts = [
    needed && `The job needs variables that the scheduler does not have: ${needed}. Give them ${how}.`,
    lost &&
      `The job starts without these variables of this shell: ${lost}. Store settings with profiles set and secrets with auth login --save-password, or give them ${how}.`,
  ]
  return texts.filter((text) => text !== '').map((text) => `notice: ${text}`)
}
