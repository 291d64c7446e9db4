import {keepMemoryFlat} from '../../core/flat-memory.js'
import {stateFolder} from '../../core/folders.js'
import {openMirror} from '../../mirror/open-mirror.js'
import {toCredentialCommand} from '../../settings/credentials.js'
import type {CommandContext} from '../app/command-context.js'
import {type OpenedNeeds, withNeeds} from '../client/open-client.js'
import {startDeadline} from '../terminal/deadline.js'
import {onSecondSignal} from '../terminal/signals.js'
import {findNamedDatabase} from './find-database.js'
import {presentSyncCost, presentSynced} from './present-sync.js'
import {recordSync} from './record-sync.js'
import type {SyncFlags} from './sync-flags.js'
import {type AskedSync, toAskedSync, toSyncOptions} from './sync-options.js'

const leavingWords = 'Stopped immediately; what was kept before is complete.\n→ Run the same command again: it resumes.'

/** Brings the mirror of `--db` up to date, and ends the command. */
export async function runSync(flags: SyncFlags, context: CommandContext): Promise<void> {
  const asked = await toAskedSync(flags, context.clock.now())
  await withNeeds(flags, context, (needs) => sync(asked, needs, flags, context), 'cron')
}

async function sync(asked: AskedSync, needs: OpenedNeeds, flags: SyncFlags, context: CommandContext): Promise<void> {
  const {opened, progress} = needs
  const {environment, clock, signal} = context
  context.measure(() => opened.meta())
  const findCommand = async () => toCredentialCommand(opened.resolved.values)
  const address = await findNamedDatabase(flags.db, environment, findCommand)
  const cancelDeadline = startDeadline(flags, clock)
  try {
    const opening = {isDryRun: flags['dry-run'] === true, folder: () => stateFolder(environment), signal}
    const mirror = await openMirror(address, opening)
    const options = toSyncOptions(flags, needs, context, {...asked, db: mirror.db})
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
