import {resolve} from 'node:path'
import {identifyUser} from '../../core/machine.js'
import {version} from '../../http/version.js'
import {killedStartVariable} from '../../jobs/notify/channel.js'
import {createSharedChanges} from '../../runs/differences/quiet-time.js'
import type {EarlierRuns} from '../../runs/earlier-runs/related-runs.js'
import {loadRun} from '../../runs/journal/load-run.js'
import {createRunKeeper, type RunKeeper, type RunKeeperOptions} from '../../runs/write/run-keeper.js'
import type {Sender} from '../../runs/write/start-record.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import {defined} from '../../values/defined.js'
import type {Environment} from '../app/environment.js'
import type {Messages} from '../app/messages.js'
import {findBudgetStore} from '../client/budget-store.js'
import type {LazyClient} from '../client/open-needs.js'
import {findCredentials} from '../settings/credentials.js'
import {fingerprint} from '../settings/fingerprint.js'
import type {Resolved} from '../settings/settings.js'
import {checkConsent} from './consent.js'
import {runFolderOf, systemTimes} from './find-run.js'
import {holdRun} from './open-run.js'
import {settleAsAsked} from './settle-doubt.js'
import type {WriteFlags} from './write-flags.js'

export type StoreOptions = Pick<
  RunKeeperOptions,
  'operation' | 'source' | 'serviceClock' | 'warn' | 'resumed' | 'undoes'
> & {
  command: string
  flags: WriteFlags
  environment: Environment
  resolved: Resolved
  lazy: LazyClient
  messages: Messages
  onProgress: (text: string) => void
}

/** The runs of this user, as a write with these flags, settings and credentials sees them. */
export function openStore(options: StoreOptions): RunKeeper {
  const {flags, environment, resolved, lazy} = options
  const {fresh = false, file, 'dry-run': dryRun = false, 'skip-applied': skipsApplied = false} = flags
  const path = file !== undefined && file !== '-' ? resolve(file) : undefined
  return createRunKeeper({
    ...options,
    asked: {path, fresh, dryRun, skipsApplied, takesPlan: flags['apply-plan'] !== undefined},
    earlier: earlierRuns(options),
    changes: createSharedChanges(resolved.values.baseUrl.value ?? '', () => findBudgetStore(resolved, environment)),
    client: async () => (await lazy.open()).client,
    sender: () => senderOf(options),
  })
}

function senderOf({command, flags, lazy}: StoreOptions): Sender {
  const {client, source} = lazy.require()
  const {file, encoding, settle} = flags
  return {client, command, ...identifyUser(), ...source, toolVersion: version(), file, encoding, ...defined({settle})}
}

function earlierRuns({operation, flags, environment, resolved, lazy, messages, onProgress}: StoreOptions): EarlierRuns {
  const {baseUrl, stage, keepRuns} = resolved.values
  return {
    folder: runFolderOf(environment),
    keptMilliseconds: Number(keepRuns.value) * millisecondsPerDay,
    times: systemTimes,
    killedStart: Number(environment[killedStartVariable] ?? Number.NaN) || undefined,
    target: {operation, baseUrl: baseUrl.value ?? '', stage: stage.value ?? ''},
    async fingerprint() {
      const {credentials} = await findCredentials(resolved, environment)
      return credentials && fingerprint(credentials.apiKey)
    },
    open: (id) => holdRun(environment, id),
    async reconcile({journal}) {
      const loaded = loadRun(journal)
      const {facts, plan} = loaded
      const {id} = facts
      checkConsent(plan, flags, resolved, {counts: false}) // its rows may be sent again
      messages.note(`Run ${id} has rows of this write in doubt: looking for them first.`)
      const {client} = await lazy.open()
      const options = {client, flags, onProgress, onWait: messages.note, isAside: true}
      const settled = await settleAsAsked({journal, loaded}, options)
      const sentAgain = settled.sets.filter(({sent}) => sent > 0)
      for (const {set, evidence} of sentAgain) messages.tell(`Run ${id}, set ${set}: ${evidence.at(-1)}`)
      return sentAgain.some(({fate}) => fate === 'applied')
    },
  }
}
