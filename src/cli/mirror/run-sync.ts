import {pace as usual} from '../../contract/index.js'
import {toDuration} from '../../core/durations.js'
import {openMirror} from '../../mirror/open-mirror.js'
import type {SyncOptions} from '../../mirror/sync/sync-types.js'
import {checkFits} from '../../quota/quota.js'
import {resolveDate} from '../../values/relative-date.js'
import type {CommandContext} from '../app/command-context.js'
import {stateFolder} from '../app/folders.js'
import {notice} from '../app/messages.js'
import {type OpenedNeeds, withNeeds} from '../client/open-needs.js'
import {keepMemoryFlat} from '../read/flat-memory.js'
import {toCredentialCommand} from '../settings/credentials.js'
import {startDeadline} from '../terminal/deadline.js'
import {onSecondSignal} from '../terminal/signals.js'
import {findNamedDatabase} from './find-database.js'
import {createSyncProgress, presentSyncCost, presentSynced} from './present-sync.js'
import {recordSync} from './record-sync.js'
import type {SyncFlags} from './sync-flags.js'

const leavingWords = 'Stopped immediately; what was kept before is complete.\n→ Run the same command again: it resumes.'

/** Brings the mirror of `--db` up to date, and ends the command. */
export async function runSync(flags: SyncFlags, context: CommandContext): Promise<void> {
  const {toSkipped} = await import('../../mirror/sync/sync.js')
  const late = flags.late === undefined ? 0 : toDuration(flags.late, 'late')
  const asked = {
    start: flags.start === undefined ? undefined : resolveDate(flags.start, 'start', context.clock.now()),
    transactions: flags['with-transactions'] ? {late} : undefined,
    skip: toSkipped(flags.skip),
  }
  await withNeeds(flags, context, (needs) => sync(asked, needs, flags, context), 'cron')
}

async function sync(
  asked: Pick<SyncOptions, 'start' | 'transactions' | 'skip'>,
  {opened, progress}: OpenedNeeds,
  flags: SyncFlags,
  context: CommandContext,
): Promise<void> {
  const {environment, clock, signal} = context
  context.measure(() => opened.meta())
  const findCommand = async () => toCredentialCommand(opened.resolved.values)
  const address = await findNamedDatabase(flags.db, environment, findCommand)
  const cancelDeadline = startDeadline(flags, clock)
  try {
    const opening = {isDryRun: flags['dry-run'] === true, folder: () => stateFolder(environment), signal}
    const mirror = await openMirror(address, opening)
    const options: SyncOptions = {
      ...asked,
      ...{db: mirror.db, client: opened.client, clock, source: opened.source},
      tool: `vendorctl ${context.version}`,
      pageSize: flags['page-size'],
      pagesInFlight: flags['pages-in-flight'] ?? usual.pagesInFlight,
      probes: flags['no-boundary-checks'] !== true,
      requireGrade: flags['require-grade'] ?? 'C',
      onForecast: (what, requests) => checkRequests(flags, opened, what, requests),
      onProgress: createSyncProgress(progress.update, clock.monotonic),
      onNotice: (text) => notice(text, context),
    }
    keepMemoryFlat()
    onSecondSignal(() => leavingWords)
    try {
      if (flags['dry-run']) {
        const {estimateSync} = await import('../../mirror/sync/estimate-sync.js')
        return await presentSyncCost(await estimateSync(options), opened, context)
      }
      const {syncMirror} = await import('../../mirror/sync/sync.js')
      const {name} = mirror.db
      const synced = await recordSync(flags, {db: name, address, opened}, context, () => syncMirror(options))
      progress.end()
      await presentSynced(synced, {name, opened}, context)
    } finally {
      progress.end()
      await mirror.close()
    }
  } finally {
    cancelDeadline()
  }
}

/** Throws before the second request when a list or the transactions do not fit within the day. */
function checkRequests(flags: SyncFlags, {client}: OpenedNeeds['opened'], what: string, requests: number): void {
  if (flags['max-requests'] !== undefined) return
  const ways = [
    'Take what is left and resume on another day: add --until-quota',
    'Ask for less: mirror transactions from a later --start.',
  ]
  checkFits({what: `The sync of ${what}`, requests, quota: client.quota(), untilQuota: flags['until-quota'], ways})
}
