import {systemClock} from '../../core/clock.js'
import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {identifyUser} from '../../core/machine.js'
import {type AuditEntry, tidyAudit} from '../../runs/journal/audit-file.js'
import {auditOf, listAudit} from '../../runs/report/audit.js'
import {findBudgetStore} from '../../settings/database.js'
import {isShared, type Resolved, resolveSettings} from '../../settings/settings.js'
import {counted} from '../../values/counted.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import {resolveDate} from '../../values/relative-date.js'
import type {CommandContext} from '../app/command-context.js'
import {runFolderOf} from './own-runs.js'

/** A statement takes milliseconds; a store that does not answer must not delay a write for long. */
const limits = {name: 'vendorctl audit', statementMilliseconds: 2_500}

const add = `INSERT INTO vendorctl.audit
  SELECT entry ->> 'runId', (entry ->> 'time')::timestamptz, entry::text FROM jsonb_array_elements($1::jsonb) AS entry
  ON CONFLICT (run) DO UPDATE SET entry = excluded.entry WHERE audit.entry <> excluded.entry`
/** Drops old lines of this machine alone: others may keep theirs for longer. */
const drop = `DELETE FROM vendorctl.audit
  WHERE at < vendorctl.clock() - make_interval(days => $1::int) AND entry::jsonb ->> 'host' = $2`
const list = 'SELECT entry FROM vendorctl.audit ORDER BY at DESC, run DESC'

/**
 * Adds writes to the audit that machines share; with `asks`, returns those of all machines. Undefined without such a
 * store.
 */
async function shareAudit(
  entries: readonly AuditEntry[],
  {resolved, environment, asks = false}: {resolved: Resolved; environment: Environment; asks?: boolean},
): Promise<AuditEntry[] | undefined> {
  const store = await findBudgetStore(resolved, environment)
  if (!store) return undefined
  const session = await store.open(limits)
  try {
    await session.run(drop, resolved.values.keepAudit.value ?? '', identifyUser().host)
    await session.run(add, JSON.stringify(entries))
    return asks ? (await session.all(list)).map(({entry}) => JSON.parse(entry ?? '') as AuditEntry) : []
  } finally {
    await session.close()
  }
}

/** Adds a run that has just ended to the shared audit; where that fails, `runs audit` does it later. */
export async function shareRun(id: string, profile: string, environment: Environment): Promise<void> {
  const resolved = resolveSettings({profile}, environment)
  if (!isShared(resolved.values.budget.value)) return
  const entry = auditOf(runFolderOf(environment), id)
  await shareAudit(entry ? [entry] : [], {resolved, environment}).catch((error: unknown) => {
    if (!(error instanceof CliFailure)) throw error
  })
}

/** The writes of a range that are kept, of this machine or of all that share a budget, newest first. */
export async function readAudit(
  {start, end}: {start: string | undefined; end: string | undefined},
  {environment, caution}: CommandContext,
) {
  const now = systemClock.now()
  const from = start === undefined ? undefined : resolveDate(start, 'start', now, {isUtc: true})
  const to = end === undefined ? undefined : resolveDate(end, 'end', now, {isUtc: true})
  const resolved = resolveSettings({}, environment)
  const folder = runFolderOf(environment)
  const before = now - Number(resolved.values.keepAudit.value) * millisecondsPerDay
  tidyAudit(folder, before)
  const {entries, damaged} = listAudit(folder)
  if (damaged > 0) caution(`${counted(damaged, 'line')} of the audit cannot be read`)
  const own = entries.filter(({time}) => Date.parse(time) >= before)
  const all = (await shareAudit(own, {resolved, environment, asks: true})) ?? own
  const isWithin = ({time}: AuditEntry) =>
    !(from && Date.parse(time) < Date.parse(`${from}Z`)) && !(to && Date.parse(time) > Date.parse(`${to}Z`))
  return {records: all.filter(isWithin), range: `${from ?? 'all that is kept'} … ${to ?? 'now'} (UTC)`}
}
