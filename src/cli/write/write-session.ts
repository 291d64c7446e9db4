import {type WriteId, writeOperation} from '../../contract/index.js'
import {bootMoment, systemClock} from '../../core/clock.js'
import {checkStage} from '../../http/address.js'
import {type ClockReader, createClockReader} from '../../runs/send/clock-readings.js'
import type {CommandContext} from '../app/command-context.js'
import {stateFolder} from '../app/folders.js'
import {onSecondSignal} from '../app/signals.js'
import {createLazyClient, type LazyClient} from '../client/lazy-client.js'
import {openClient} from '../client/open-client.js'
import {requestMeta} from '../client/request-meta.js'
import {openPlanOut, type PlanOut} from '../plans/plan-file-out.js'
import {type OpenedRun, openClientOfRun} from '../runs/open-run.js'
import {createRunKeeper, type RunKeeper} from '../runs/run-keeper.js'
import {Profiles} from '../settings/profiles.js'
import {type Resolved, resolveSettings, toSettings} from '../settings/settings.js'
import {leaveWrite} from '../terminal/last-words.js'
import {type Progress, startProgress} from '../terminal/progress.js'
import {createNotes, type Notes} from './notes.js'
import {createSeals} from './rejects-seal.js'
import {openRunFiles, type RunFiles} from './run-files.js'
import type {WriteFlags} from './write-flags.js'

/** What a write is asked to do. */
export type WriteRequest = {
  operation: WriteId
  flags: WriteFlags
  context: CommandContext
  /** The run that is resumed, or undone: its service and its key are written to. */
  resumes?: Pick<OpenedRun, 'id' | 'journal'> | undefined
  undoes?: Pick<OpenedRun, 'id' | 'journal'> | undefined
}

/** What all steps of a write share, from its flags to its exit code. */
export type WriteSession = WriteRequest & {
  resolved: Resolved
  /** What the reads so far said of the clock of the service. */
  serviceClock: ClockReader
  /** Opened by the first request, so that work without requests needs no credentials. */
  lazy: LazyClient
  /** The same, and shows how many records were read. */
  client: LazyClient['client']
  progress: Progress
  notes: Notes
  files: RunFiles
  planOut: PlanOut | undefined
  keeper: RunKeeper
  /** Rows answered so far, and rows to send: shown when a second signal ends the program. */
  sent: {answered: number; rows: number}
  /** Leaves no file half-written. */
  discard(): Promise<void>
}

/** Opens what a write needs before its first step. Throws a `CliFailure`; no file is left half-written then. */
export async function openSession(request: WriteRequest): Promise<WriteSession> {
  const {flags, context} = request
  const {environment, commandName} = context
  const files = await openRunFiles(flags, createSeals(stateFolder(environment)))
  let planOut: PlanOut | undefined
  const discard = async () => {
    await files.discard()
    await planOut?.discard()
  }
  try {
    planOut = await openPlanOut(flags, {command: commandName, environment, digest: files.source.digest})
    return await startSession(request, {files, planOut, discard})
  } catch (error) {
    await discard()
    throw error
  }
}

type Opened = Pick<WriteSession, 'files' | 'planOut' | 'discard'>

async function startSession(request: WriteRequest, opened: Opened): Promise<WriteSession> {
  const {operation, flags, context, resumes} = request
  const {environment, messages, commandName: command} = context
  const {quiet = false, verbose = false} = flags
  const resolved = resolveSettings(flags, environment, new Profiles(environment))
  if (!flags['dry-run']) checkStage(toSettings(resolved, flags).stage, writeOperation(operation))
  const lazy = createLazyClient(() => openWriteClient(request))
  const progress = await startProgress({
    ...{quiet, verbose, sharesTerminal: true, clock: systemClock, print: messages.detail},
    quotaLeft: () => lazy.opened?.client.quota().left,
  })
  context.measure(() => (lazy.opened ? requestMeta(lazy.opened) : {profile: resolved.profile}))
  const serviceClock = createClockReader(bootMoment)
  const keeper = createRunKeeper({
    ...{operation, flags, resolved, lazy, environment, messages, command},
    ...{source: opened.files.source, onProgress: progress.update, resumed: resumes?.journal.facts(), serviceClock},
  })
  const sent = {answered: 0, rows: 0}
  onSecondSignal(() => leaveWrite({resumes: resumes?.id, runId: keeper.runId, ...sent}))
  const client = {...lazy.client, readPages: showReads(serviceClock.watch(lazy.client.readPages), progress)}
  return {
    ...request,
    ...opened,
    resolved,
    lazy,
    client,
    progress,
    notes: createNotes(context),
    keeper,
    serviceClock,
    sent,
  }
}

/** The client of a write; for a run that is resumed or undone, one for the same service and key. */
function openWriteClient({flags, context, resumes, undoes}: WriteRequest) {
  const run = resumes ?? undoes
  if (run) return openClientOfRun(run.journal.facts(), flags, context)
  return openClient(flags, context, 'writes')
}

type ReadPages = LazyClient['client']['readPages']

function showReads(readPages: ReadPages, progress: Progress): ReadPages {
  let count = 0
  return async function* (id, request) {
    for await (const page of readPages(id, request)) {
      count += page.count
      progress.update(`Reading the current records · ${count}`)
      yield page
    }
  }
}
