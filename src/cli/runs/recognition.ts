import {resolve} from 'node:path'
import type {WriteId} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import type {EarlierRuns, Holding} from '../../runs/earlier-runs/earlier-runs.js'
import {handOver} from '../../runs/earlier-runs/hand-over.js'
import {recognisePlan} from '../../runs/earlier-runs/recognise-plan.js'
import {refuseAnother} from '../../runs/earlier-runs/refuse-another.js'
import {contentOf, describeRepeated, findRepeated, isUnnamed, repeats} from '../../runs/earlier-runs/repeated.js'
import {toRowKeys} from '../../runs/earlier-runs/row-keys.js'
import {readSummaries, refuseUnreadable} from '../../runs/earlier-runs/run-summaries.js'
import type {Plan} from '../../runs/plan/plan.js'
import {readOnlyOne} from '../../runs/reconcile/only-one.js'
import {millisecondsPerDay} from '../../values/date-time.js'
import type {Environment} from '../app/environment.js'
import type {Messages} from '../app/messages.js'
import type {LazyClient} from '../client/lazy-client.js'
import {settleRun} from '../recover/settle-run.js'
import {CredentialStore} from '../settings/credential-store.js'
import {findCredentials} from '../settings/credentials.js'
import {fingerprint} from '../settings/fingerprint.js'
import type {Resolved} from '../settings/settings.js'
import type {WriteFlagValues} from '../write/bulk-consent.js'
import {openRun} from './open-run.js'
import {runFolderOf, systemTimes} from './run-record.js'

export type RecognitionOptions = {
  operation: WriteId
  flags: WriteFlagValues
  environment: Environment
  resolved: Resolved
  lazy: LazyClient
  messages: Messages
  /** SHA-256 of the input in hex, to be asked for when it was read. */
  inputDigest: () => string
  onProgress: (text: string) => void
}

/** What a write makes of the earlier runs of its user. */
export type Recognition = {
  /** Undefined with `--fresh`: then no notice is taken of earlier runs. */
  recognise: ((plan: Plan) => Promise<Plan>) | undefined
  /** Throws `invalid` for rows that a run applied which is over, unless they are asked about: then it tells of that. */
  refuseRepeated(plan: Plan, options: {asks: boolean; tell: (text: string) => void}): Promise<void>
  /** To be called right before the run is recorded; the ids of the runs that it goes on with. */
  beginning(plan: Plan): string[]
  /** The run has begun: what it goes on with is not sent by an earlier one any more. */
  begun(id: string, plan: Plan): void
  /** Lets others work on the earlier runs. */
  close(): void
}

export function createRecognition(options: RecognitionOptions): Recognition {
  const {operation, flags, environment, resolved} = options
  const {fresh = false, file} = flags
  const hasPlan = flags['apply-plan'] !== undefined
  const earlier = toEarlier(options)
  let held: Holding[] = []
  /** Rows of an earlier run were sent on the way, whatever becomes of this write. */
  let hasChanged = false
  // a plan is not recognised by its rows: what begins from now on, while its records are read, is another one's
  let seen: ReadonlySet<string> | undefined = hasPlan && !fresh && !flags['dry-run'] ? refuseDamaged() : undefined
  const path = file !== undefined && file !== '-' ? resolve(file) : undefined

  return {
    recognise: fresh ? undefined : recognise,
    async refuseRepeated(plan, {asks, tell}) {
      if (fresh || !isUnnamed(operation)) return
      const content = contentOf(plan) // a run of the same rows that is open was allowed to send them once more
      if (held.some(({run}) => run.journal.facts().content === content)) return
      const {folder, times, target, keptMilliseconds} = earlier
      const keyFingerprint = await earlier.fingerprint()
      const {runs} = readSummaries(folder, times, {target: {...target, keyFingerprint}})
      const repeated = findRepeated(plan, runs, times.now() - keptMilliseconds)
      if (!repeated || (await isRefusedTwice(plan))) return
      if (!asks) throw repeats(plan, repeated)
      tell(`${describeRepeated(repeated)}: they are sent once more`)
    },
    beginning(plan) {
      if (seen) refuseAnother(plan, {earlier, path, seen})
      else if (!fresh) refuseDamaged()
      return held.map(({id}) => id)
    },
    begun(id, plan) {
      const keys = held.length === 0 ? [] : toRowKeys(plan.operation, plan.rows)
      for (const one of held) handOver(one, id, keys, systemTimes.now())
    },
    close() {
      for (const {run} of held) run.close()
      held = []
    },
  }

  /** Whether the service itself refuses each of the records when it comes a second time. */
  async function isRefusedTwice({operation, rows}: Plan): Promise<boolean> {
    const {client} = await options.lazy.open()
    const isRefused = await readOnlyOne(client, operation)
    return rows.every(({record}) => isRefused(record))
  }

  /** The runs that are there. Throws `storage` for those that cannot be read. */
  function refuseDamaged(): ReadonlySet<string> {
    const {folder, times, target} = earlier
    const {unreadable, seen} = readSummaries(folder, times, {target})
    refuseUnreadable(unreadable, {takesFresh: true})
    return seen
  }

  async function recognise(plan: Plan): Promise<Plan> {
    const known = await recognisePlan(plan, {
      earlier,
      path,
      ...(plan.format && {inputDigest: options.inputDigest()}),
      dryRun: flags['dry-run'] ?? false,
    }).catch((error: unknown) => {
      throw hasChanged && error instanceof CliFailure ? afterChange(error) : error
    })
    held = known.held
    seen = known.seen
    return known.plan
  }

  function toEarlier({lazy, messages, onProgress}: RecognitionOptions): EarlierRuns {
    const {baseUrl, stage} = resolved.values
    return {
      folder: runFolderOf(environment),
      keptMilliseconds: Number(resolved.values.keepRuns.value) * millisecondsPerDay,
      times: systemTimes,
      target: {operation, baseUrl: baseUrl.value ?? '', stage: stage.value ?? ''},
      async fingerprint() {
        const {credentials} = await findCredentials(resolved, environment, new CredentialStore(environment))
        return credentials && fingerprint(credentials.apiKey)
      },
      open: (id) => openRun(environment, id),
      async reconcile(run) {
        messages.note(`Run ${run.loaded.facts.id} has rows of this write in doubt: looking for them first.`)
        const {client} = await lazy.open()
        const settled = await settleRun(run, {client, flags, onProgress, onWait: messages.note, isAside: true})
        const again = settled.sets.filter(({sent}) => sent > 0)
        for (const {set, evidence} of again) messages.tell(`Run ${run.loaded.facts.id}, set ${set}: ${evidence.at(-1)}`)
        hasChanged ||= again.some(({fate}) => fate === 'applied')
      },
    }
  }
}

/** A failure before a write that had settled the doubt of an earlier one: that is changed, although nothing else is. */
function afterChange({message, code, exit, hints, retry, entries, cause}: CliFailure): CliFailure {
  const changed = entries.map((entry) => ({...entry, changed: 'some' as const}))
  return new CliFailure(message, {code, exit, hints, retry, changed: 'some', entries: changed, cause})
}
