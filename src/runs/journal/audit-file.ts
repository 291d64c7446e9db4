import {appendFileSync, existsSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {checkPrivate} from '../../core/owner-and-mode.js'
import {makePrivateFolder} from '../../core/private-file.js'
import type {RunFolder} from '../../core/run-id.js'
import {stateFailure} from '../../core/state-failure.js'
import {isRecord, type JsonRecord} from '../../values/json.js'
import type {Fate} from '../rows/phases.js'

/** One write in an audit: nothing of its records; unknown facts are null. */
export type AuditEntry = {
  /** When it began, in UTC. */
  time: string
  host: string | null
  user: string | null
  command: string | null
  file: string | null
  /** SHA-256 of the file. */
  digest: string | null
  approvedBy: string | null
  runId: string
} & {[Name in Fate]: number | null}

const what = 'The audit'

/** Runs of a month share a file, which is only appended to, and goes as a whole. */
const fileOfMonth = /^\d{4}-\d\d\.ndjson$/

function auditFolder({path}: RunFolder): string {
  return join(dirname(path), 'audit')
}

/** Keeps a write beyond its journal. Throws `storage` or `unsafe`. */
export function appendAudit(runs: RunFolder, entry: AuditEntry): void {
  const folder = auditFolder(runs)
  try {
    makePrivateFolder(folder)
    checkPrivate(folder, what)
    const line = `\n${JSON.stringify(entry)}\n` // a line that a full disk cut short ends here
    appendFileSync(join(folder, `${entry.time.slice(0, 7)}.ndjson`), line, {mode: 0o600, flush: true})
  } catch (error) {
    throw stateFailure(error, what, folder)
  }
}

/** Entries of the audit, and the number of unreadable lines. Throws `storage` or `unsafe`. */
export function readAudit(runs: RunFolder): {entries: AuditEntry[]; damaged: number} {
  const folder = auditFolder(runs)
  checkPrivate(folder, what)
  try {
    const lines = listMonths(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    const kept = lines.filter(Boolean).map(toEntry)
    const entries = kept.filter((entry) => entry !== undefined)
    return {entries, damaged: kept.length - entries.length}
  } catch (error) {
    throw stateFailure(error, what, folder)
  }
}

/** Drops the months that were over before a moment, in milliseconds since 1970; on a read-only disk they stay. */
export function tidyAudit(runs: RunFolder, before: number): void {
  const folder = auditFolder(runs)
  const month = new Date(before).toISOString().slice(0, 7)
  try {
    for (const name of listMonths(folder)) if (name.slice(0, 7) < month) rmSync(join(folder, name))
  } catch {
    // whoever reads them leaves them out
  }
}

function listMonths(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => fileOfMonth.test(name)) : []
}

function toEntry(line: string): AuditEntry | undefined {
  try {
    const entry = JSON.parse(line) as JsonRecord
    const isEntry = isRecord(entry) && typeof entry['runId'] === 'string' && typeof entry['time'] === 'string'
    return isEntry ? (entry as AuditEntry) : undefined
  } catch {
    return undefined
  }
}
