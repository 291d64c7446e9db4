import {pace} from '../../contract/index.js'
import {toDuration} from '../../core/durations.js'
import type {SyncOptions} from '../../mirror/sync/sync-types.js'
import {checkFits} from '../../quota/quota.js'
import {resolveDate} from '../../values/relative-date.js'
import type {CommandContext} from '../app/command-context.js'
import {notice} from '../app/messages.js'
import type {OpenedNeeds} from '../client/open-client.js'
import {createSyncProgress} from './present-sync.js'
import type {SyncFlags} from './sync-flags.js'

/** Parts to mirror. */
export type AskedSync = Pick<SyncOptions, 'start' | 'transactions' | 'skip'>

/** The part of the service that the flags ask for. Throws `usage`. */
export async function toAskedSync(flags: SyncFlags, now: number): Promise<AskedSync> {
  const {toSkipped} = await import('../../mirror/sync/sync.js')
  const late = flags.late === undefined ? 0 : toDuration(flags.late, 'late')
  return {
    start: flags.start === undefined ? undefined : resolveDate(flags.start, 'start', now),
    transactions: flags['with-transactions'] ? {late} : undefined,
    skip: toSkipped(flags.skip),
  }
}

export function toSyncOptions(
  flags: SyncFlags,
  {opened, progress}: OpenedNeeds,
  context: CommandContext,
  asked: AskedSync & Pick<SyncOptions, 'db'>,
): SyncOptions {
  const {client, source} = opened
  const {clock, version} = context
  return {
    ...{...asked, client, clock, source, tool: `vendorctl ${version}`, pageSize: flags['page-size']},
    pagesInFlight: flags['pages-in-flight'] ?? pace.pagesInFlight,
    probes: flags['no-boundary-checks'] !== true,
    requireGrade: flags['require-grade'] ?? 'C',
    onForecast: (what, requests) => checkRequests(flags, client, what, requests),
    onProgress: createSyncProgress(progress.update, clock.monotonic),
    onNotice: (text) => notice(text, context),
  }
}

/** Throws before the second request when a list or the transactions do not fit within the day. */
function checkRequests(
  flags: SyncFlags,
  client: OpenedNeeds['opened']['client'],
  what: string,
  requests: number,
): void {
  if (flags['max-requests'] !== undefined) return
  const ways = [
    'Take what is left and resume on another day: add --until-quota',
    'Ask for less: mirror transactions from a later --start.',
  ]
  checkFits({what: `The sync of ${what}`, requests, quota: client.quota(), untilQuota: flags['until-quota'], ways})
}
