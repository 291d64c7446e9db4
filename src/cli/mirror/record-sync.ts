import {resolve} from 'node:path'
import {exitCodeOf} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {stateFolder} from '../../core/folders.js'
import type {Synced} from '../../mirror/sync/sync-types.js'
import {stateNameOf} from '../../reports/export/export-identity.js'
import type {DatabaseAddress} from '../../values/database-address.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import type {CommandContext} from '../app/command-context.js'
import type {OpenedClient} from '../client/open-client.js'
import {runAgain} from '../reports/export-commands.js'
import type {SyncFlags} from './sync-flags.js'

type Recorded = {db: string; address: DatabaseAddress; opened: OpenedClient}

/** Does the sync and records it in the list of runs; where that is impossible, it runs all the same. */
export async function recordSync(
  flags: SyncFlags,
  recorded: Recorded,
  context: CommandContext,
  sync: () => Promise<Synced>,
): Promise<Synced> {
  const activity = await recordStart(flags, recorded, context)
  let synced: Synced | undefined
  try {
    synced = await sync()
    return synced
  } finally {
    activity?.close(synced && toEnded(synced, recorded.opened))
  }
}

async function recordStart(flags: SyncFlags, {db, address, opened}: Recorded, context: CommandContext) {
  const {environment, clock, caution} = context
  const {startActivity} = await import('../../reports/register/start-activity.js')
  const {profile, stage} = opened.source
  const path = address.kind === 'sqlite' ? resolve(address.path) : db // without a password
  try {
    const activity = startActivity(stateFolder(environment), {
      ...{kind: 'sync', name: stateNameOf(path), now: clock.now},
      keepMilliseconds: Number(opened.resolved.values.keepRuns.value) * millisecondsPerDay,
      facts: {command: 'sync', file: db, path, resume: runAgain('sync', {...flags, db: path}), profile, stage},
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
