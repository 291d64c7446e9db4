import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {isLocked, makeRunId, runsFolder} from '../../core/run-id.js'
import {type Database, type Row, readDatabase} from '../../core/sqlite.js'
import {stateFailure} from '../../core/state-failure.js'
import {versionOf} from '../../core/state-file.js'
import {exportVersion} from '../export/checkpoint.js'
import {exportsFolder, readRegister} from './register-tables.js'

/** Activities besides bulk writes, whose journals are files of their own. */
export const activityKinds = ['export', 'sync', 'job'] as const
export type ActivityKind = (typeof activityKinds)[number]

/**
 * `unfinished`: the same command resumes it. `failed`: a job that ended so. `lost`: the service sent fields that have no
 * column in the file. `newer`: it needs a later version of this program.
 */
export type ActivityState = 'running' | 'unfinished' | 'failed' | 'lost' | 'done' | 'damaged' | 'newer'

/** Facts about an activity for the list of runs, without secrets. */
export type ActivityFacts = {
  command: string
  /** The file, database or job as it was given, and its path from the root. */
  file: string
  path?: string
  /** The arguments of `vendorctl` that resume it. */
  resume: string
  /** Those that start an export over. */
  startOver?: string
  profile?: string
  stage?: string
}

export type Activity = {
  id: string
  kind: ActivityKind
  state: ActivityState
  facts: ActivityFacts
  createdAt: number
  /** Rows in the file, and requests for pages and boundaries, as far as known. */
  rows?: number
  requests?: number
  /** The exit code with which a sync or a job ended. */
  exit?: number
}

/** `name` is that of the checkpoint of an export, of a database or of a job; milliseconds since 1970. */
export type BegunActivity = {
  kind: ActivityKind
  name: string
  facts: ActivityFacts
  createdAt: number
  /** Whether an earlier one there is dropped. */
  isNew: boolean
  makeId?: () => string
}

export type EndedActivity = {name: string; rows: number; requests: number; exit?: number}

export function resumeCommand({resume}: ActivityFacts): string {
  return `vendorctl ${resume}`
}

/** Files of every version have `resume` under the name `goOn`. */
function printFacts({resume, ...facts}: ActivityFacts): string {
  return JSON.stringify({...facts, goOn: resume})
}

export function parseFacts(text: Row[string] | undefined): ActivityFacts {
  const {goOn: resume, ...facts} = JSON.parse(String(text)) as Omit<ActivityFacts, 'resume'> & {goOn: string}
  return {...facts, resume}
}

export function activitiesOf(database: Database) {
  return {
    /** The id of an activity that begins or is resumed, and when it began first. */
    beginActivity: (begun: BegunActivity) => database.transaction(() => begin(database, begun)),
    endActivity: (ended: EndedActivity, at: number) => endActivity(database, ended, at),
    /** The command that began the unfinished export of this name. */
    findBegun(name: string): string | undefined {
      const row = database.get('SELECT facts FROM activity WHERE name = ? AND ended_at IS NULL', name)
      return row && resumeCommand(parseFacts(row['facts']))
    },
    /** Forgets what was made before and is over, or whose checkpoint is gone. */
    tidyActivities: (kind: ActivityKind, before: number, isThere: (name: string) => boolean) =>
      database.transaction(() => {
        const sql = 'SELECT id, name, ended_at FROM activity WHERE kind = ? AND created_at < ?'
        const old = database.all(sql, kind, before)
        for (const {id, name, ended_at: endedAt} of old)
          if (endedAt !== null || !isThere(String(name))) database.run('DELETE FROM activity WHERE id = ?', id ?? '')
      }),
    forgetActivity: (id: string) => void database.run('DELETE FROM activity WHERE id = ?', id),
  }
}

/** An export of an early version that has no id yet gets one. */
function begin(
  database: Database,
  {kind, name, facts, createdAt, isNew, makeId = () => makeRunId(createdAt)}: BegunActivity,
) {
  if (isNew) database.run('DELETE FROM activity WHERE name = ? AND ended_at IS NULL', name)
  const known = database.get('SELECT id, created_at FROM activity WHERE name = ? AND ended_at IS NULL', name)
  if (known) return {id: String(known['id']), since: Number(known['created_at'])}
  let id = makeId()
  while (database.get('SELECT 1 FROM activity WHERE id = ?', id)) id = makeId() // of the same millisecond
  const sql = 'INSERT INTO activity (id, kind, name, facts, created_at) VALUES (?, ?, ?, ?, ?)'
  database.run(sql, id, kind, name, printFacts(facts), createdAt)
  return {id}
}

/** Belongs in the transaction that records what was read. */
export function endActivity(database: Database, {name, rows, requests, exit}: EndedActivity, at: number): void {
  const sql = 'UPDATE activity SET rows = ?, requests = ?, exit = ?, ended_at = ? WHERE name = ? AND ended_at IS NULL'
  database.run(sql, rows, requests, exit ?? null, at, name)
}

/** All activities, newest first; changes nothing. Throws `storage` where they cannot be read. */
export function listActivities(stateFolder: string): Activity[] {
  return readRegister(stateFolder, [], (database) => {
    const rows = database.all('SELECT * FROM activity ORDER BY id DESC')
    return rows.flatMap((row) => toActivity(row, stateFolder) ?? endedSince(database, row) ?? [])
  })
}

/** The one activity that a text means by its id, or its beginning or end. */
export function findActivity(stateFolder: string, text: string): Activity | undefined {
  if (text === '') return undefined
  try {
    const [only, ...more] = listActivities(stateFolder).filter(({id}) => id.startsWith(text) || id.endsWith(text))
    return more.length === 0 ? only : undefined
  } catch {
    return undefined
  }
}

/** Undefined for an unfinished export without a checkpoint: it had read nothing, or was dropped. */
function toActivity(row: Row, stateFolder: string): Activity | undefined {
  if (row['ended_at'] !== null) return toEnded(row)
  const known = common(row)
  const isExport = known.kind === 'export'
  const progress = isExport ? readProgress(stateFolder, String(row['name'])) : ({state: 'unfinished'} as const)
  const isRunning = isLocked(runsFolder(stateFolder), known.id)
  return progress && {...known, ...progress, ...(isRunning && {state: 'running'})}
}

/** `isSealed`: all of it was read, and at most its names and its mark are missing. */
export type Progress = Pick<Activity, 'rows' | 'requests'> & {
  state: 'unfinished' | 'lost' | 'damaged' | 'newer'
  isSealed?: true
}

/** Progress from the checkpoint of a name. One that cannot be read at the moment is not reported as damaged. */
export function readProgress(stateFolder: string, name: string): Progress | undefined {
  const path = join(exportsFolder(stateFolder), `${name}.db`)
  if (!existsSync(path)) return undefined
  try {
    return readDatabase(path, readCheckpoint)
  } catch (error) {
    if (!existsSync(path)) return undefined
    const {code} = stateFailure(error, 'The checkpoint of an export', path)
    return {state: code === 'STATE_DAMAGED' ? 'damaged' : 'unfinished'}
  }
}

function readCheckpoint(database: Database): Progress | undefined {
  if (versionOf(database) > exportVersion) return {state: 'newer'}
  const found = database.get(
    'SELECT lost, manifest, requests + probes AS requests, (SELECT sum(rows) FROM seg) AS rows FROM export',
  )
  if (!found) return undefined
  const isLost = found['lost'] !== null && found['lost'] !== '[]'
  const [rows, requests] = [Number(found['rows']), Number(found['requests'])]
  const isSealed = found['manifest'] !== null
  return {state: isLost ? 'lost' : 'unfinished', rows, requests, ...(isSealed && {isSealed})}
}

/** An export that ends while it is being read removes its checkpoint. */
function endedSince(database: Database, {id}: Row): Activity | undefined {
  const row = database.get('SELECT * FROM activity WHERE id = ? AND ended_at IS NOT NULL', id ?? '')
  return row && toEnded(row)
}

function toEnded(row: Row): Activity {
  const {exit, rows, requests} = row
  const known = common(row)
  const failed = known.kind === 'job' ? 'failed' : 'unfinished'
  return {
    ...known,
    state: exit === null || exit === 0 ? 'done' : failed,
    ...(known.kind !== 'job' && {rows: Number(rows), requests: Number(requests)}),
    ...(exit !== null && {exit: Number(exit)}),
  }
}

function common({id, kind, facts, created_at: createdAt}: Row): Pick<Activity, 'id' | 'kind' | 'facts' | 'createdAt'> {
  const known = activityKinds.find((each) => each === kind) ?? 'export'
  return {id: String(id), kind: known, facts: parseFacts(facts), createdAt: Number(createdAt)}
}
