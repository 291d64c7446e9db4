import {type WriteId, writeOperation} from '../../contract/index.js'
import {bootMoment, systemClock} from '../../core/clock.js'
import {checkStage} from '../../http/address.js'
import {type ClockReader, createClockReader} from '../../runs/differences/quiet-time.js'
import {countToSend} from '../../runs/rows/phases.js'
import {checkWrite, type Needs, type Person, type Service} from '../../runs/write/needs.js'
import type {RunKeeper} from '../../runs/write/run-keeper.js'
import type {CommandContext} from '../app/command-context.js'
import {stateFolder} from '../app/folders.js'
import {openClient} from '../client/open-client.js'
import {type LazyClient, openNeeds} from '../client/open-needs.js'
import {type Resolved, resolveSettings, toSettings} from '../settings/settings.js'
import {leaveWrite} from '../terminal/last-words.js'
import type {Progress} from '../terminal/progress.js'
import {createPace} from '../terminal/progress-text.js'
import {onSecondSignal, stopSignal} from '../terminal/signals.js'
import {askConsent, checkConsent, willAsk} from './consent.js'
import {describePlaces} from './describe-sites.js'
import {aroundQuestion, createNotes, type Notes, previewNew} from './notes.js'
import {type OpenedRun, openClientOfRun} from './open-run.js'
import {openStore} from './open-store.js'
import type {PageOut} from './page-out.js'
import {openPlanOut, type PlanOut} from './plan-file-out.js'
import {createSeals} from './rejects-seal.js'
import {lintHints} from './render-problems.js'
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

/** What was opened for a write: its needs, and what shows its report. */
export type WriteSession = WriteRequest & {
  needs: Needs
  /** The same for a further run, of another write. */
  needsOf(operation: WriteId): Needs
  resolved: Resolved
  /** Opened by the first request, so that work without requests needs no credentials. */
  lazy: LazyClient
  progress: Progress
  notes: Notes
  runFiles: RunFiles
  planOut: PlanOut | undefined
  pageOut: PageOut | undefined
  /** One for each run. */
  keepers: readonly RunKeeper[]
  serviceClock: ClockReader
  /** Ends the progress and closes the client. */
  close(): void
  /** Leaves no file half-written. */
  discard(): Promise<void>
}

/** Opens what a write needs before its first step. Throws a `CliFailure`; no file is left half-written then. */
export async function openWrite(request: WriteRequest): Promise<WriteSession> {
  const {flags, context} = request
  const {environment} = context
  const runFiles = await openRunFiles(flags, createSeals(stateFolder(environment)))
  let planOut: PlanOut | undefined
  let pageOut: PageOut | undefined
  const discard = async () => {
    await runFiles.discard()
    await planOut?.discard()
    await pageOut?.discard()
  }
  try {
    planOut = await openPlanOut(flags, {command: planCommand(request), environment, digest: runFiles.source.digest})
    if (flags['run-page'] !== undefined) pageOut = await (await import('./page-out.js')).openPageOut(flags, context)
    return await openSession(request, {runFiles, planOut, pageOut, discard})
  } catch (error) {
    await discard()
    throw error
  }
}

/** The command of which a plan is, in words; that of an undo names its run. */
export function planCommand({context: {commandName}, undoes}: WriteRequest): string {
  return undoes ? `${commandName} ${undoes.id}` : commandName
}

type Opened = Pick<WriteSession, 'runFiles' | 'planOut' | 'pageOut' | 'discard'>

async function openSession(request: WriteRequest, opened: Opened): Promise<WriteSession> {
  const {operation, flags, context, resumes, undoes} = request
  const {environment, messages, commandName: command} = context
  const {file = '-'} = flags
  const resolved = resolveSettings(flags, environment)
  if (!flags['dry-run']) checkStage(toSettings(resolved, flags).stage, writeOperation(operation))
  if (!flags['dry-run'] && resolved.values.approval.value !== 'none') await refuseOthers(request, resolved)
  const open = () => openWriteClient(request)
  const {lazy, progress, close} = await openNeeds(flags, context, {open, sharesTerminal: true})
  context.measure(() => lazy.opened?.meta() ?? {profile: resolved.profile})
  const serviceClock = createClockReader(bootMoment)
  const notes = createNotes(context)
  const keepers: RunKeeper[] = []
  const keep = (operation: WriteId): RunKeeper => {
    const keeper = openStore({
      ...{operation, flags, resolved, lazy, environment, messages, command, serviceClock, warn: notes.warn},
      ...{source: opened.runFiles.source, onProgress: progress.update},
      ...{resumed: resumes?.journal.facts(), undoes: undoes?.journal},
    })
    keepers.push(keeper)
    return keeper
  }
  const sent = {answered: 0, rows: 0}
  onSecondSignal(() => leaveWrite({resumes: resumes?.id, runId: keepers.at(-1)?.runId, ...sent}))
  const client = {...lazy.client, readPages: showReads(serviceClock.watch(lazy.client.readPages), progress)}
  const service: Service = {
    client,
    checkFits: async (plan) => checkWrite(plan, (await lazy.open()).client.quota(), flags['until-quota']),
  }
  const {planOut} = opened
  const files = {
    through: opened.runFiles.source.through,
    keepPlan: planOut ? planOut.write : null,
    remedies: (problems: Parameters<Needs['files']['remedies']>[0]) => lintHints({operation, file, flags, problems}),
  }
  const person = createPerson(request, {resolved, notes, progress, sent})
  const needs = {service, store: keep(operation), person, files, clock: systemClock, signal: stopSignal()}
  const needsOf = (other: WriteId) => (other === operation ? needs : {...needs, store: keep(other)})
  return {...request, ...opened, needs, needsOf, resolved, lazy, progress, close, notes, keepers, serviceClock}
}

/** A run goes on as it was approved; anything else needs a plan, whose approval is looked at when it is read. */
async function refuseOthers({flags, resumes}: WriteRequest, resolved: Resolved): Promise<void> {
  if (flags['apply-plan'] !== undefined || resumes?.journal.facts().approvedBy !== undefined) return
  const {refuseUnapproved} = await import('./approve-plan.js')
  refuseUnapproved(resolved, 'this one has no plan')
}

/** The client of a write; for a run that is resumed or undone, one for the same service and key. */
function openWriteClient({flags, context, resumes, undoes}: WriteRequest) {
  const run = resumes ?? undoes
  if (run) return openClientOfRun(run.journal.facts(), flags, context)
  return openClient(flags, context, 'writes')
}

type Shown = Pick<WriteSession, 'resolved' | 'notes' | 'progress'> & {
  /** Rows answered so far, and rows to send: shown when a second signal ends the program. */
  sent: {answered: number; rows: number}
}

/** The person at the terminal, or whoever reads the log. */
function createPerson({flags, context}: WriteRequest, {resolved, notes, progress, sent}: Shown): Person {
  return {
    tell: notes.tell,
    warn: notes.warn,
    note: notes.note,
    progress: (text) => (text === undefined ? progress.pause() : progress.update(text)),
    async showPlaces(plan) {
      for (const text of await describePlaces(plan)) notes.note(text)
    },
    async showNew(plan) {
      if (!flags.quiet) for (const text of await previewNew(plan, flags.verbose)) notes.note(text)
    },
    willAnswer: (plan) => willAsk(plan, flags, resolved),
    checkConsent: (plan) => checkConsent(plan, flags, resolved),
    agrees(question) {
      progress.pause()
      return askConsent(question, flags, resolved, () => aroundQuestion(question, notes, flags.quiet))
    },
    watch(sets) {
      const pace = createPace(systemClock.monotonic)
      const sayStopping = () => {
        progress.end()
        context.messages.note('Stopping: waiting up to 10 s for the set in flight. Ctrl-C again stops immediately.')
      }
      stopSignal().addEventListener('abort', sayStopping, {once: true})
      sent.rows = countToSend({sets})
      progress.update(`Set 1 of ${sets.length} …`)
      return {
        answered({set, again}) {
          sent.answered += set.places.length - (again?.size ?? 0)
          const done = sets.findLastIndex(({number}) => number === set.number) + 1
          progress.update(`Set ${done} of ${sets.length} · ${pace(sent.answered, done / sets.length, sent.rows)}`)
        },
        end: () => stopSignal().removeEventListener('abort', sayStopping), // a reader that leaves now stops nothing
      }
    },
  }
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
