import type {StoredWindow} from '../../reports/export/checkpoint.js'
import type {ReadingState} from '../../reports/export/export-reading.js'
import {zoneSpread} from '../../reports/read/report-range.js'
import type {WindowsLeft} from '../../reports/read/windows.js'
import {toMilliseconds} from '../../values/date-time.js'
import type {Statements} from '../load/mirror-database.js'
import {removeState, writeState} from './mirror-state.js'

/** A reading of windows that has begun, and is not complete. */
export type StoredRun = {
  /** The latest range of it, which decides the next mark. */
  start: string
  end: string
  /** Time from which the mirror has everything once it is complete. */
  from: string
  windows: WindowsLeft
  parts: StoredWindow[]
  counts: {requests: number; probes: number}
  rows: number
  records: number
  /** The service's clock when the first window was read that reaches up to its present. */
  startedAt?: number
}

const runName = 'transactions run'
const keysName = 'transactions keys '

/** The progress of a run, kept in the mirror together with the rows that it tells of. */
export type ReadingProgress = ReturnType<typeof createProgress>

export function createProgress(run: StoredRun, known: ReadonlyMap<number, string[]> = new Map()) {
  const keys = new Map(known)
  let fresh: {partition: number; keys: string[]} | undefined
  let firstKept = 0
  let sequence = Math.max(0, ...[...known.values()].map((list) => list.length)) + 1
  let isChanged = true
  const change = (partition: number, facts: string, windows?: string) => {
    const part = run.parts.find((one) => one.partition === partition)
    if (part) part.facts = facts
    if (windows !== undefined) run.windows = JSON.parse(windows) as WindowsLeft
    isChanged = true
  }

  const state: ReadingState = {
    windows: () => run.parts.map((part) => ({...part})),
    keysOf: (partition) => keys.get(partition) ?? [],
    startWindow(part, windows) {
      run.parts.push({...part})
      run.windows = JSON.parse(windows) as WindowsLeft
      isChanged = true
    },
    changeWindow: change,
    dropKeysBefore(partition) {
      for (const one of [...keys.keys()]) if (one < partition) keys.delete(one)
      firstKept = Math.max(firstKept, partition)
      isChanged = true
    },
    startedAt(serverTime) {
      const end = toMilliseconds(run.parts.at(-1)?.to ?? '') ?? 0
      if (end > serverTime - zoneSpread) run.startedAt = Math.min(run.startedAt ?? serverTime, serverTime)
    },
    totals: () => ({segments: run.parts.length, bytes: 0, rows: run.rows, records: run.records}),
  }

  return {
    run,
    state,
    get isChanged() {
      return isChanged
    },
    /** Adds a page that was loaded. */
    take(partition: number, page: {keys: readonly string[]; rows: number; records: number}, facts: string): void {
      change(partition, facts)
      run.rows += page.rows
      run.records += page.records
      const list = keys.get(partition) ?? []
      for (const key of page.keys) list.push(key)
      keys.set(partition, list)
      if (fresh?.partition !== partition) fresh = {partition, keys: []}
      for (const key of page.keys) fresh.keys.push(key)
    },
    /** Writes what changed since the last call. */
    async write(db: Statements): Promise<void> {
      await writeState(db, runName, JSON.stringify(run))
      if (fresh && fresh.keys.length > 0 && fresh.partition >= firstKept)
        await writeState(db, `${keysName}${pad(fresh.partition)} ${pad(sequence++)}`, JSON.stringify(fresh.keys))
      if (firstKept > 0) await removeState(db, keysName, `${keysName}${pad(firstKept)}`)
      fresh = undefined
      firstKept = 0
      isChanged = false
    },
  }
}

/** The unfinished run of an earlier sync. */
export async function readRun(db: Statements): Promise<{run: StoredRun; keys: Map<number, string[]>} | undefined> {
  const rows = await db.all(
    `SELECT name, value FROM ${db.table('vendorctl_mirror')} WHERE name = '${runName}' OR name LIKE '${keysName}%' ORDER BY name`,
  )
  const run = rows.find(({name}) => name === runName)
  if (!run) return undefined
  const keys = new Map<number, string[]>()
  for (const {name, value} of rows) {
    if (name === runName) continue
    const partition = Number(String(name).slice(keysName.length).split(' ')[0])
    keys.set(partition, [...(keys.get(partition) ?? []), ...(JSON.parse(String(value)) as string[])])
  }
  return {run: JSON.parse(String(run['value'])) as StoredRun, keys}
}

/** Removes a run that is complete: its mark is all that is kept of it. */
export async function forgetRun(db: Statements): Promise<void> {
  await removeState(db, runName, `${runName}!`)
  await removeState(db, keysName, `${keysName}~`) // behind all digits
}

function pad(number: number): string {
  return String(number).padStart(9, '0')
}
