import {killedStartVariable} from '../../jobs/notify/channel.js'
import {toFixedPath} from '../../runs/check/input-source.js'
import {createSharedChanges} from '../../runs/differences/quiet-time.js'
import type {EarlierRuns} from '../../runs/earlier-runs/related-runs.js'
import {createRunKeeper, type RunKeeper, type RunKeeperOptions} from '../../runs/write/run-keeper.js'
import {findKey} from '../../settings/credentials.js'
import {findBudgetStore} from '../../settings/database.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import type {CommandContext} from '../app/command-context.js'
import {senderOf} from './open-run.js'
import {runFolderOf} from './own-runs.js'
import {settleEarlier, type Writing} from './settle-doubt.js'

export type StoreOptions = Pick<
  RunKeeperOptions,
  'operation' | 'source' | 'serviceClock' | 'warn' | 'resumed' | 'undoes'
> &
  Omit<Writing, 'messages'> & {context: CommandContext}

/** The runs of this user, as a write with these flags, settings and credentials sees them. */
export function openStore(options: StoreOptions): RunKeeper {
  const {flags, context, resolved, lazy} = options
  const {environment} = context
  const {fresh = false, file, 'dry-run': dryRun = false, 'skip-applied': skipsApplied = false} = flags
  const path = toFixedPath(file)
  return createRunKeeper({
    ...options,
    asked: {path, fresh, dryRun, skipsApplied, takesPlan: flags['apply-plan'] !== undefined},
    earlier: earlierRuns(options),
    changes: createSharedChanges(resolved.values.baseUrl.value ?? '', () => findBudgetStore(resolved, environment)),
    client: async () => (await lazy.open()).client,
    sender: () => senderOf(lazy.require(), flags, context),
  })
}

function earlierRuns({operation, context, resolved, ...how}: StoreOptions): EarlierRuns {
  const {environment, messages} = context
  const {baseUrl, stage, keepRuns} = resolved.values
  return {
    folder: runFolderOf(environment),
    keptMilliseconds: Number(keepRuns.value) * millisecondsPerDay,
    killedStart: Number(environment[killedStartVariable] ?? Number.NaN) || undefined,
    target: {operation, baseUrl: baseUrl.value ?? '', stage: stage.value ?? ''},
    fingerprint: () => findKey(resolved, environment),
    reconcile: ({journal}, sends) => settleEarlier(journal, sends, {...how, messages, resolved}),
  }
}
