import {checkStage} from '../../client/request.js'
import {type WriteId, writeOperation} from '../../contract/index.js'
import {bootMoment, systemClock} from '../../core/clock.js'
import {type ClockReader, createClockReader} from '../../runs/differences/quiet-time.js'
import {checkWrite, type Needs, type Service} from '../../runs/write/needs.js'
import {type Resolved, resolveSettings, toSettings} from '../../settings/settings.js'
import type {CommandContext} from '../app/command-context.js'
import {type ClientNeeds, openClient, openNeeds} from '../client/open-client.js'
import {stopSignal} from '../terminal/signals.js'
import {createNotes, type Notes} from './notes.js'
import {type HeldRun, openClientOfRun} from './open-run.js'
import {openStore} from './open-store.js'
import {openWriteFiles, type WriteFiles} from './write-files.js'
import type {WriteFlags} from './write-flags.js'
import {createPerson} from './write-person.js'

type RunKeeper = ReturnType<typeof openStore>

export type WriteRequest = {
  operation: WriteId
  flags: WriteFlags
  context: CommandContext
  /** The run that is resumed, or undone: its service and its key are written to. */
  resumes?: Pick<HeldRun, 'id' | 'journal'> | undefined
  undoes?: Pick<HeldRun, 'id' | 'journal'> | undefined
}

/** An opened write: its needs, and the way to show its report. */
export type WriteSession = WriteRequest &
  ClientNeeds &
  Omit<WriteFiles, 'files'> & {
    needs: Needs
    /** The needs of a further run with another operation. */
    needsOf(operation: WriteId): Needs
    resolved: Resolved
    notes: Notes
    /** One for each run. */
    keepers: readonly RunKeeper[]
    serviceClock: ClockReader
  }

/** Opens what a write needs before its first step. Throws a `CliFailure`; no file is left half-written then. */
export async function openWrite(request: WriteRequest): Promise<WriteSession> {
  const serviceClock = createClockReader(bootMoment)
  const opened = await openWriteFiles({...request, command: planCommand(request), serviceClock})
  try {
    return await openSession(request, opened, serviceClock)
  } catch (error) {
    await opened.discard()
    throw error
  }
}

/** The command of which a plan is, in words; that of an undo names its run. */
export function planCommand({context: {commandName}, undoes}: WriteRequest): string {
  return undoes ? `${commandName} ${undoes.id}` : commandName
}

async function openSession(
  request: WriteRequest,
  {files, ...opened}: WriteFiles,
  serviceClock: ClockReader,
): Promise<WriteSession> {
  const {operation, flags, context, resumes, undoes} = request
  const {environment, messages} = context
  const resolved = resolveSettings(flags, environment)
  if (!flags['dry-run']) checkStage(toSettings(resolved, flags).stage, writeOperation(operation))
  if (!flags['dry-run'] && resolved.values.approval.value !== 'none') await refuseUnapproved(request, resolved)
  const run = resumes ?? undoes
  const open = () => (run ? openClientOfRun(run.journal.facts(), flags, context) : openClient(flags, context, 'writes'))
  const needed = await openNeeds(flags, context, {open, sharesTerminal: true})
  const {lazy, progress} = needed
  context.measure(() => lazy.opened?.meta() ?? {profile: resolved.profile})
  const isCut = resumes !== undefined || flags['apply-plan'] !== undefined
  const service = createService(needed, serviceClock, {untilQuota: flags['until-quota'], isCut})
  const notes = createNotes(context)
  const keepers: RunKeeper[] = []
  const keep = (operation: WriteId): RunKeeper => {
    const keeper = openStore({
      ...{operation, flags, context, resolved, lazy, serviceClock, warn: notes.warn},
      ...{source: opened.runFiles.source, onProgress: progress.update},
      ...{resumed: resumes?.journal.facts(), undoes: undoes?.journal},
    })
    keepers.push(keeper)
    return keeper
  }
  const runs = () => ({resumes: resumes?.id, runId: keepers.at(-1)?.runId})
  const person = createPerson({flags, messages, resolved, notes, progress, runs})
  const needs = {service, store: keep(operation), person, files, clock: systemClock, signal: stopSignal()}
  const needsOf = (other: WriteId) => (other === operation ? needs : {...needs, store: keep(other)})
  return {...request, ...opened, ...needed, needs, needsOf, resolved, notes, keepers, serviceClock}
}

/**
 * Throws where approval is demanded, unless an approved run is resumed, or a plan applied: reading it checks its own.
 */
async function refuseUnapproved({flags, resumes}: WriteRequest, resolved: Resolved): Promise<void> {
  if (flags['apply-plan'] !== undefined || resumes?.journal.facts().approvedBy !== undefined) return
  const {unapproved} = await import('../../runs/plan/check-approval.js')
  throw unapproved(resolved.profile, 'this one has no plan')
}

/** The service of a write; each page read from it updates the progress and the clock of the service. */
function createService(
  {lazy, progress}: ClientNeeds,
  serviceClock: ClockReader,
  work: {untilQuota: boolean | undefined; isCut: boolean},
): Service {
  return {
    client: {...lazy.client, readPages: showReads(serviceClock.watch(lazy.client.readPages), progress)},
    checkFits: async (plan) => checkWrite(plan, (await lazy.open()).client.quota(), work),
  }
}

type ReadPages = Service['client']['readPages']

function showReads(readPages: ReadPages, progress: ClientNeeds['progress']): ReadPages {
  let count = 0
  return async function* (id, request) {
    for await (const page of readPages(id, request)) {
      count += page.count
      progress.update(`Reading the current records · ${count}`)
      yield page
    }
  }
}
