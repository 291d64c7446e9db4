import {resolve} from 'node:path'
import {exitCodeOf, pace as usual} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {toDuration} from '../../core/durations.js'
import {CliFailure, usage} from '../../core/errors.js'
import type {Synced, SyncOptions, SyncProgress} from '../../mirror/sync/sync-types.js'
import {checkFits} from '../../quota/quota.js'
import {stateNameOf} from '../../reports/export/export-identity.js'
import {counted, thousands} from '../../values/counted.js'
import type {DatabaseAddress} from '../../values/database-address.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import type {JsonValue} from '../../values/json.js'
import {resolveDate} from '../../values/relative-date.js'
import type {CommandContext} from '../app/command-context.js'
import {stateFolder} from '../app/folders.js'
import {notice, toLines} from '../app/messages.js'
import type {OpenedClient} from '../client/open-client.js'
import {type OpenedNeeds, withNeeds} from '../client/open-needs.js'
import {requestMeta} from '../client/request-meta.js'
import {keepMemoryFlat} from '../read/flat-memory.js'
import {runAgain} from '../reports/export-commands.js'
import {toSource} from '../reports/export-session.js'
import {toCredentialCommand} from '../settings/credentials.js'
import {startDeadline} from '../terminal/deadline.js'
import {createPace} from '../terminal/progress-text.js'
import {onSecondSignal, stop, stopSignal} from '../terminal/signals.js'
import {simpleTable} from '../terminal/simple-table.js'
import {findNamedDatabase} from './find-database.js'
import {openMirror} from './open-mirror.js'
import type {SyncFlags} from './sync-flags.js'

const leavingWords = 'Stopped immediately; what was kept before is complete.\n→ Run the same command again: it resumes.'

/** Brings the mirror of `--db` up to date, and ends the command. */
export async function runSync(flags: SyncFlags, context: CommandContext): Promise<void> {
  const start = flags.start === undefined ? undefined : resolveDate(flags.start, 'start', systemClock.now())
  const late = flags.late === undefined ? 0 : toDuration(flags.late, 'late')
  await withNeeds(flags, context, (needs) => sync({start, late}, needs, flags, context), 'cron')
}

type Range = {start: string | undefined; late: number}

async function sync(
  {start, late}: Range,
  {opened, progress}: OpenedNeeds,
  flags: SyncFlags,
  context: CommandContext,
): Promise<void> {
  context.measure(() => requestMeta(opened))
  const address = await findNamedDatabase(flags.db, context.environment, async () =>
    toCredentialCommand(opened.resolved.values),
  )
  const cancelDeadline = startDeadline({flags, clock: systemClock, stop})
  try {
    const mirror = await openMirror(address, {isDryRun: flags['dry-run'] === true, context, signal: stopSignal()})
    const options: SyncOptions = {
      ...{db: mirror.db, client: opened.client, clock: systemClock, source: toSource(opened)},
      tool: `vendorctl ${context.version}`,
      ...(flags['with-transactions'] && {transactions: {late}}),
      start,
      skip: await toSkipped(flags.skip),
      ...(flags['page-size'] !== undefined && {pageSize: flags['page-size']}),
      pagesInFlight: flags['pages-in-flight'] ?? usual.pagesInFlight,
      probes: flags['no-boundary-checks'] !== true,
      requireGrade: flags['require-grade'] ?? 'C',
      onForecast: (what, requests) => checkRequests(flags, opened, what, requests),
      onProgress: createSyncProgress(progress.update, systemClock.monotonic),
      onNotice: (text) => notice(text, context),
    }
    keepMemoryFlat()
    onSecondSignal(() => leavingWords)
    let synced: Synced | undefined
    try {
      if (flags['dry-run']) {
        const {presentSyncEstimate} = await import('./estimate-sync.js')
        return await presentSyncEstimate(options, opened, context)
      }
      const {syncMirror} = await import('../../mirror/sync/sync.js')
      const activity = await recordStart(flags, {db: mirror.db.name, address, opened}, context)
      try {
        synced = await syncMirror(options)
      } finally {
        activity?.close(synced && toEnded(synced, opened))
      }
      progress.end()
      await presentSynced(synced, {name: mirror.db.name, opened}, context)
    } finally {
      progress.end()
      await mirror.close()
    }
  } finally {
    cancelDeadline()
  }
}

type Recorded = {db: string; address: DatabaseAddress; opened: OpenedClient}

/** Puts the sync into the list of runs; one that cannot be there runs all the same. */
async function recordStart(flags: SyncFlags, {db, address, opened}: Recorded, {environment, caution}: CommandContext) {
  const {startActivity} = await import('../../reports/register/start-activity.js')
  const {profile, values} = opened.resolved
  const path = address.kind === 'sqlite' ? resolve(address.path) : db // without a password
  try {
    const activity = startActivity(stateFolder(environment), {
      ...{kind: 'sync', name: stateNameOf(path), now: systemClock.now},
      keepMilliseconds: Number(values.keepRuns.value) * millisecondsPerDay,
      facts: {
        ...{command: 'sync', file: db, path, resume: runAgain('sync', {...flags, db: path})},
        ...{profile, stage: values.stage.value ?? ''},
      },
    })
    opened.client.nameRun(activity.id)
    return activity
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    caution(`This sync is not in the list of runs: ${error.message}`)
    return undefined
  }
}

function toEnded({tables, errors}: Synced, {client}: OpenedClient) {
  const rows = tables.reduce((sum, {added, changed}) => sum + added + changed, 0)
  return {exit: exitCodeOf(errors.length > 0 ? 'incomplete' : 'ok').code, rows, requests: client.requestsUsed}
}

/** The tables that are left as they are. Throws `usage` for a name that no list has. */
async function toSkipped(texts: readonly string[] = []): Promise<string[]> {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim())
  if (names.length === 0) return []
  const {listsOf} = await import('../../mirror/sync/sync.js')
  const known = [false, true].flatMap((isReport) => listsOf(isReport).map(({tables}) => tables.records.name))
  const wrong = names.find((name) => !known.includes(name))
  if (wrong !== undefined) throw usage(`--skip: no list fills a table "${wrong}".`, `Tables: ${known.join(', ')}`)
  return names
}

/** Rows, rate and time left of each list by itself: the lists before it say nothing of it. */
export function createSyncProgress(update: (text: string) => void, monotonic: () => number): SyncOptions['onProgress'] {
  let [current, pace] = ['', createPace(monotonic)]
  return (seen) => {
    const {what, rows, page, totalPages, done = page / Math.max(1, totalPages)} = seen
    if (what !== current) [current, pace] = [what, createPace(monotonic)]
    update(`${describePlace(seen)} · ${pace(rows, done)}`)
  }
}

function describePlace({what, window, page, totalPages}: SyncProgress): string {
  return `${what}${window === undefined ? '' : `, window ${window}`} · page ${page} of ${totalPages}`
}

/** Throws before the second request when a list or the transactions do not fit within the day. */
function checkRequests(flags: SyncFlags, {client}: OpenedClient, what: string, requests: number): void {
  if (flags['max-requests'] !== undefined) return
  const ways = [
    'Take what is left and resume on another day: add --until-quota',
    'Ask for less: mirror transactions from a later --start.',
  ]
  checkFits({what: `The sync of ${what}`, requests, quota: client.quota(), untilQuota: flags['until-quota'], ways})
}

type Presenting = {name: string; opened: OpenedClient}

async function presentSynced(
  {tables, skipped, errors, grade, range, pages}: Synced,
  {name, opened}: Presenting,
  {messages, measure, present}: CommandContext,
): Promise<void> {
  const sum = (field: 'added' | 'changed' | 'gone' | 'back') => tables.reduce((all, table) => all + table[field], 0)
  const changes = {added: sum('added'), changed: sum('changed'), deleted: sum('gone'), restored: sum('back')}
  measure(() => ({rows: changes, ...(grade && {grade}), file: name}))
  for (const error of errors) messages.tell(toLines('incomplete', error))
  const {added, changed, deleted, restored} = changes
  const proven = grade ? `, grade ${grade}` : ''
  messages.note(
    `${name}: ${thousands(added)} added, ${thousands(changed)} changed, ${thousands(deleted)} deleted, ${thousands(restored)} restored; ${counted(pages, 'page')}, ${counted(opened.client.requestsUsed, 'request')}${proven}`,
  )
  const rows = tables.map((one) =>
    [one.table, one.rows, one.deleted, one.read, one.added, one.changed, one.gone, one.back].map((cell) =>
      typeof cell === 'number' ? thousands(cell) : cell,
    ),
  )
  const headers = ['table', 'rows', 'deleted', 'read', 'added', 'changed', 'newly deleted', 'restored']
  await present({
    data: {database: name, ...changes, grade: grade ?? null, tables, skipped} as unknown as JsonValue,
    text: await simpleTable(headers, rows),
    meta: {
      ...requestMeta(opened),
      pages,
      ...(range && {range: {asked: [range.start, range.end], served: [range.start, range.end]}}),
    },
    exit: errors.length > 0 ? 'incomplete' : 'ok',
    errors,
  })
}
