import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import type {Environment} from '../../core/environment.js'
import {configPath, statePath, systemPath} from '../../core/folder-paths.js'
import type {WrittenChoices} from '../app/program.js'
import {isPlain} from './shells/shell.js'

/** Sources of values to choose from; each is read elsewhere. */
export type SourceName =
  | 'alertCodes'
  | 'codes'
  | 'columns'
  | 'documents'
  | 'tables'
  | 'faults'
  | 'fields'
  | 'filters'
  | 'jobs'
  | 'recipes'
  | 'methods'
  | 'operations'
  | 'profiles'
  | 'routes'
  | 'runs'
  | 'settings'

export type Choice = {
  readonly value: string
  readonly about?: string | undefined
  /** Words that may follow a name, as in `isActive=true`. */
  readonly values?: readonly string[]
}

/** Lists the choices of a source for one command; empty when there are none or they cannot be known. */
export type Sources = (name: SourceName, commandId: string) => readonly Choice[] | Promise<readonly Choice[]>

/** The values that this machine knows, and those that the build wrote down. */
export function createSources(environment: Environment, written: () => Promise<WrittenChoices>): Sources {
  return async (name, commandId): Promise<readonly Choice[]> => {
    if (name === 'profiles') return listProfiles(environment)
    if (name === 'jobs' || name === 'recipes') return listJobs(environment, name)
    if (name === 'runs') return listRuns(environment)
    if (name === 'alertCodes') return listAlertCodes(environment)
    const {choices} = await written()
    return JSON.parse(choices[name] ?? choices[`${name} ${commandId}`] ?? '[]') as Choice[]
  }
}

/** The largest file of profiles or jobs that is read, more than they ever need. */
const maximumBytes = 1024 * 1024
const maximumRuns = 200
const runName = /^(\d{8}-\d{6}-[0-9a-f]{4,8})\.run$/

/** Names of the profiles of this user and of all users, none when they cannot be read. */
export function listProfiles(environment: Environment): Choice[] {
  const found = [systemPath, configPath(environment)].flatMap((folder) => orNone(() => readProfiles(folder)))
  const byName = new Map(found.map((choice) => [choice.value, choice]))
  return [...byName.values()].sort((one, other) => (one.value < other.value ? -1 : 1))
}

function readProfiles(folder: string): Choice[] {
  const {profiles} = JSON.parse(readSmall(join(folder, 'profiles.json'))) as {profiles?: Record<string, unknown>}
  return Object.entries(profiles ?? {}).map(([value, profile]) => ({value, about: describeProfile(profile)}))
}

/** Ids of the newest bulk writes, newest first. */
export function listRuns(environment: Environment): Choice[] {
  const found = orNone(() => {
    const names = readdirSync(join(statePath(environment), 'runs'))
    const ids = names.flatMap((name) => runName.exec(name)?.[1] ?? []).sort()
    return ids.slice(-maximumRuns).map((value) => ({value, about: describeRun(value)}))
  }).reverse()
  return found.length > 0 ? [{value: 'latest', about: 'The newest run.'}, ...found] : []
}

/** Alert codes that services listed for this user, by whatever key. */
export function listAlertCodes(environment: Environment): Choice[] {
  const folder = join(statePath(environment), 'alert-codes')
  return orNone(() => {
    const lists = readdirSync(folder).map((name) => JSON.parse(readSmall(join(folder, name))) as {codes?: unknown[]})
    const codes = lists.flatMap((list) => (Array.isArray(list.codes) ? list.codes.map(String) : []))
    return [...new Set(codes)].sort().map((value) => ({value}))
  })
}

/** Names below a key of the jobs file of this user: those that are indented as the first one. YAML is not loaded. */
export function listJobs(environment: Environment, section: 'jobs' | 'recipes'): Choice[] {
  return orNone(() => {
    const text = readSmall(environment['VENDORCTL_JOBS_FILE'] || join(configPath(environment), 'jobs.yaml'))
    const [, below = ''] = new RegExp(`^${section}:[^\\n]*\\n((?:[ #][^\\n]*\\n?|\\n)*)`, 'm').exec(text) ?? []
    const keys = [...below.matchAll(/^( +)["']?([A-Za-z0-9][\w.-]*)["']?:/gm)]
    return keys.filter(([, indent]) => indent === keys[0]?.[1]).map(([, , value = '']) => ({value}))
  })
}

/** Throws where there is no such file, or one that nobody would write by hand. */
function readSmall(path: string): string {
  const facts = statSync(path)
  if (!facts.isFile() || facts.size > maximumBytes) throw new RangeError(path)
  return readFileSync(path, 'utf8')
}

function describeProfile(profile: unknown): string {
  const {baseUrl, stage} = (profile ?? {}) as {baseUrl?: unknown; stage?: unknown}
  return [baseUrl, stage].filter((text) => typeof text === 'string').join(' ')
}

/** `20260131-174502-1c84f` began on 2026-01-31 at 17:45:02. */
function describeRun(id: string): string {
  return id.replace(/^(....)(..)(..)-(..)(..)(..).*$/, 'Began $1-$2-$3 $4:$5:$6 UTC.')
}

/** Failures are dropped: an error message would break the line that is being typed. */
function orNone(list: () => Choice[]): Choice[] {
  try {
    return list().filter(({value}) => isPlain(value))
  } catch {
    return []
  }
}
