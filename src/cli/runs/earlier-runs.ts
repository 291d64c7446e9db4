import type {WriteId} from '../../contract/index.js'
import {killedStartVariable} from '../../jobs/notify/channel.js'
import type {EarlierRuns} from '../../runs/earlier-runs/related-runs.js'
import {loadRun} from '../../runs/journal/load-run.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import type {Environment} from '../app/environment.js'
import type {Messages} from '../app/messages.js'
import type {LazyClient} from '../client/lazy-client.js'
import {settleRun} from '../recover/settle-run.js'
import {CredentialStore} from '../settings/credential-store.js'
import {findCredentials} from '../settings/credentials.js'
import {fingerprint} from '../settings/fingerprint.js'
import type {Resolved} from '../settings/settings.js'
import {checkConsent} from '../write/consent.js'
import type {WriteFlags} from '../write/write-flags.js'
import {holdRun} from './open-run.js'
import {runFolderOf, systemTimes} from './run-folder.js'

export type EarlierRunsOptions = {
  operation: WriteId
  flags: WriteFlags
  environment: Environment
  resolved: Resolved
  lazy: LazyClient
  messages: Messages
  onProgress: (text: string) => void
  /** Called when rows in doubt of an earlier run were sent again and applied. */
  onApplied: () => void
}

/** The earlier runs of this user, as a write to one service with one key sees them. */
export function createEarlierRuns(options: EarlierRunsOptions): EarlierRuns {
  const {operation, flags, environment, resolved, lazy, messages, onProgress, onApplied} = options
  const {baseUrl, stage, keepRuns} = resolved.values
  return {
    folder: runFolderOf(environment),
    keptMilliseconds: Number(keepRuns.value) * millisecondsPerDay,
    times: systemTimes,
    killedStart: Number(environment[killedStartVariable] ?? Number.NaN) || undefined,
    target: {operation, baseUrl: baseUrl.value ?? '', stage: stage.value ?? ''},
    async fingerprint() {
      const {credentials} = await findCredentials(resolved, environment, new CredentialStore(environment))
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
      const settled = await settleRun(
        {journal, loaded},
        {client, flags, onProgress, onWait: messages.note, isAside: true},
      )
      const sentAgain = settled.sets.filter(({sent}) => sent > 0)
      for (const {set, evidence} of sentAgain) messages.tell(`Run ${id}, set ${set}: ${evidence.at(-1)}`)
      if (sentAgain.some(({fate}) => fate === 'applied')) onApplied()
    },
  }
}
